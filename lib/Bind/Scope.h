// The generics of one instantiation, and what types and dimensions mean there.
#ifndef LINNET_LIB_BIND_SCOPE_H
#define LINNET_LIB_BIND_SCOPE_H

#include "dialect/LinnetDialect.h"
#include "lib/Dims/Facts.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace linnet::bind {

/// Sizes for dimensions, sequences of sizes for packs, element types for dtype
/// variables. A scope of a method holds those of its block too: the names never
/// collide. A size is a number, or an expression over the open sizes of the
/// entry, whose facts decide what is not decided by numbers.
class Scope {
public:
  using Sizes = llvm::SmallVector<dims::Expr>;

  void bindDim(llvm::StringRef name, const dims::Expr &size);
  void bindPack(llvm::StringRef name, llvm::ArrayRef<dims::Expr> sizes);
  void bindElement(llvm::StringRef name, mlir::Type type);

  /// What is known of the symbols that stand for open sizes.
  void assume(const std::shared_ptr<const dims::Facts> &facts) {
    this->facts = facts;
  }
  void assumeAs(const Scope &other) { facts = other.facts; }

  /// The value of an expression, or nothing where a name has none, a divisor is
  /// not positive, or the value needs more than 64 bits.
  std::optional<int64_t> evaluate(const dims::Expr &expr) const;
  /// Whether the constraint holds, at every open size; one without a value does
  /// not [DIM-5].
  bool holds(const dims::Constraint &constraint) const;
  /// The constraint over the open sizes, or nothing where it has none.
  std::optional<dims::Constraint>
  openConstraint(const dims::Constraint &constraint) const;
  /// Whether two bound sizes are equal at all open sizes.
  bool isEqual(const dims::Expr &a, const dims::Expr &b) const {
    return a == b ||
           (facts && dims::isProvable(*facts, {a, dims::Relation::Eq, b}));
  }
  const Sizes *findPack(llvm::StringRef name) const;

  /// The sizes that a list of dims and packs stands for; failure comes with an
  /// error at `loc`: E2208 for a negative one [DIM-3].
  mlir::FailureOr<Sizes> expand(llvm::ArrayRef<mlir::Attribute> elements,
                                mlir::Location loc) const;
  /// As `expand`, for one dimension that may be negative (a start, a bound).
  mlir::FailureOr<dims::Expr> size(const dims::Expr &expr,
                                   mlir::Location loc) const;
  /// As `size`, where only a number will do; a capability error for an open
  /// one.
  mlir::FailureOr<int64_t> number(const dims::Expr &expr,
                                  mlir::Location loc) const;
  /// How many axes each element of a shape covers: 1, or the length of its
  /// pack.
  llvm::SmallVector<int64_t>
  widths(llvm::ArrayRef<mlir::Attribute> elements) const;

  /// `H=768`, `S=[2, 3]` or `T=f32`: a bound generic and its value.
  std::string show(GenericAttr generic) const;

  /// The type without symbols, packs and dtype variables. Null after an error.
  mlir::Type substitute(mlir::Type type, mlir::Location loc);
  mlir::Type element(mlir::Type type) const;

  /// `S = 2000, MaxPositions = 1024`: the names in order of appearance.
  std::string show(const dims::Constraint &constraint) const;
  std::string show(const dims::Expr &expr) const;

private:
  bool isOpen(const dims::Expr &expr) const;

  /// The numbers, and the expressions that mention open sizes.
  dims::Assignment numbers;
  std::map<std::string, dims::Expr> openSizes;
  /// What is known of the open sizes; null without any.
  std::shared_ptr<const dims::Facts> facts;
  std::map<std::string, Sizes, std::less<>> packs;
  std::map<std::string, mlir::Type, std::less<>> elements;
  llvm::DenseMap<mlir::Type, mlir::Type> cache;

  void show(const dims::Expr &expr,
            llvm::SmallVectorImpl<std::string> &shown) const;
};

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_SCOPE_H
