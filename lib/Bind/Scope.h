// The generics of one instantiation, and what types and dimensions mean there.
#ifndef LINNET_LIB_BIND_SCOPE_H
#define LINNET_LIB_BIND_SCOPE_H

#include "dialect/LinnetDialect.h"
#include "lib/Dims/Constraint.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace linnet::bind {

/// Numbers for dimensions, sequences of numbers for packs, element types for
/// dtype variables. A scope of a method holds those of its block too: the names
/// never collide.
class Scope {
public:
  void bindDim(llvm::StringRef name, int64_t size);
  void bindPack(llvm::StringRef name, llvm::ArrayRef<int64_t> sizes);
  void bindElement(llvm::StringRef name, mlir::Type type);

  /// The value of an expression, or nothing where a name has none, a divisor is
  /// not positive, or the value needs more than 64 bits.
  std::optional<int64_t> evaluate(const dims::Expr &expr) const;
  /// Whether the constraint holds; one without a value does not [DIM-5].
  bool holds(const dims::Constraint &constraint) const;
  const llvm::SmallVector<int64_t> *findPack(llvm::StringRef name) const;

  /// The sizes that a list of dims and packs stands for; failure comes with an
  /// error at `loc`: E2208 for a negative one [DIM-3].
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  expand(llvm::ArrayRef<mlir::Attribute> elements, mlir::Location loc) const;
  /// As `expand`, for one dimension that may be negative (a start, a bound).
  mlir::FailureOr<int64_t> number(const dims::Expr &expr,
                                  mlir::Location loc) const;
  /// How many axes each element of a shape covers: 1, or the length of its
  /// pack.
  llvm::SmallVector<int64_t>
  widths(llvm::ArrayRef<mlir::Attribute> elements) const;

  /// The type without symbols, packs and dtype variables. Null after an error.
  mlir::Type substitute(mlir::Type type, mlir::Location loc);
  mlir::Type element(mlir::Type type) const;

  /// `S = 2000, MaxPositions = 1024`: the names in order of appearance.
  std::string show(const dims::Constraint &constraint) const;
  std::string show(const dims::Expr &expr) const;

private:
  dims::Assignment numbers;
  std::map<std::string, llvm::SmallVector<int64_t>, std::less<>> packs;
  std::map<std::string, mlir::Type, std::less<>> elements;
  llvm::DenseMap<mlir::Type, mlir::Type> cache;

  void show(const dims::Expr &expr,
            llvm::SmallVectorImpl<std::string> &shown) const;
};

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_SCOPE_H
