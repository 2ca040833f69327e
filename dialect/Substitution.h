// Generic arguments in place of generics, and the symbols that ops refer to.
#ifndef LINNET_DIALECT_SUBSTITUTION_H
#define LINNET_DIALECT_SUBSTITUTION_H

#include "dialect/LinnetDialect.h"

namespace linnet {

/// What each generic stands for. Applied to a type, attribute or constraint it
/// puts the arguments in place; names that it does not know stay.
class Substitution {
public:
  /// Binds `generics` (an array of `#linnet.generic`) to the arguments in their
  /// order. Gives failure and the reason in `error` where number, kind or class
  /// do not fit.
  mlir::LogicalResult bind(mlir::ArrayAttr generics,
                           llvm::ArrayRef<mlir::Attribute> arguments,
                           std::string &error);
  void bindDim(llvm::StringRef name, const dims::Expr &value);
  void bindPack(llvm::StringRef name, llvm::ArrayRef<mlir::Attribute> shape);
  void bindDtype(llvm::StringRef name, mlir::Type type);

  dims::Expr apply(const dims::Expr &expr) const;
  dims::Constraint apply(const dims::Constraint &constraint) const;
  llvm::SmallVector<mlir::Attribute>
  applyToShape(llvm::ArrayRef<mlir::Attribute> shape) const;
  /// A dim, shape, dtype, constraint, or an array of those; else unchanged. A
  /// pack has no single attribute in its place: use `applyToShape`.
  mlir::Attribute apply(mlir::Attribute attr) const;
  /// Gives null where a dim would become a negative constant.
  mlir::Type apply(mlir::Type type) const;

private:
  std::map<std::string, dims::Expr> exprs;
  std::map<std::string, llvm::SmallVector<mlir::Attribute>> packs;
  std::map<std::string, mlir::Type> dtypes;
};

/// The block, function or enum that the module around `from` has under this
/// name, or null. What they give has its attributes, so it can be asked safely
/// even before it was verified.
BlockOp lookupBlock(mlir::Operation *from, mlir::FlatSymbolRefAttr name);
FuncOp lookupFunction(mlir::Operation *from, mlir::FlatSymbolRefAttr name);
EnumOp lookupEnum(mlir::Operation *from, mlir::FlatSymbolRefAttr name);
/// The method or member that `block` has under this name, or null.
FuncOp lookupMethod(BlockOp block, mlir::StringAttr name);
mlir::Operation *lookupMember(BlockOp block, mlir::StringAttr name);
/// The type of a `param`, `buffer`, `state` or `sub_block`, or null.
mlir::Type getMemberType(mlir::Operation *member);

/// The block of an instance, its generics bound to the instance's arguments.
/// Says what does not fit at `op`, unless `isQuiet`.
mlir::FailureOr<BlockOp> bindBlock(mlir::Operation *op, InstanceType instance,
                                   Substitution &substitution,
                                   bool isQuiet = false);
/// Adds a claim for each constraint of `where` [DIM-9].
void addWhereClaims(llvm::SmallVectorImpl<Claim> &claims, mlir::Operation *op,
                    mlir::ArrayAttr where, const Substitution &substitution);

/// The instance of its own block that a method runs on.
InstanceType getSelfType(BlockOp block);

} // namespace linnet

#endif // LINNET_DIALECT_SUBSTITUTION_H
