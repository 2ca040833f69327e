// The dialect, its types, attributes and ops.
#ifndef LINNET_DIALECT_LINNETDIALECT_H
#define LINNET_DIALECT_LINNETDIALECT_H

#include "lib/Dims/Constraint.h"
#include "lib/Dims/Expr.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace linnet {

/// Something that must hold where an op stands (language 5.3).
struct Claim {
  /// The diagnostic code of a failure, such as `E2203`.
  std::string code;
  dims::Constraint constraint;
  mlir::Location loc;
  /// A second way to satisfy the claim: an axis may broadcast because it equals
  /// the other or because it is 1 [DIM-8].
  std::optional<dims::Constraint> alternative = std::nullopt;
};

/// The state members of the block instances.
struct StateResource : public mlir::SideEffects::Resource::Base<StateResource> {
  llvm::StringRef getName() final { return "linnet state"; }
};

/// Written by ops that only make a claim, so that they stay.
struct ClaimResource : public mlir::SideEffects::Resource::Base<ClaimResource> {
  llvm::StringRef getName() final { return "linnet claim"; }
};

} // namespace linnet

#include "dialect/LinnetDialect.h.inc"
#include "dialect/LinnetEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/LinnetAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/LinnetTypes.h.inc"

namespace linnet {

/// Classes of element types; a dtype variable counts by its class [TYP-2].
namespace dtype {
bool isBool(mlir::Type type);
bool isInteger(mlir::Type type);
bool isFloat(mlir::Type type);
bool isNumeric(mlir::Type type);
/// A builtin element type or a dtype variable.
bool isDtype(mlir::Type type);
bool isInClass(mlir::Type type, DtypeClass dtypeClass);
/// The builtin element type of this name (`f32`, `ui8`, `i1`), or null.
mlir::Type get(mlir::MLIRContext *context, llvm::StringRef name);
} // namespace dtype

/// Whether `attr` is a `#linnet.dim`, a `#linnet.shape` or a dtype.
bool isGenericArgument(mlir::Attribute attr);
/// Whether `attr` is a bool, an i64 integer or an f64 float.
bool isLiteral(mlir::Attribute attr);
/// What a function may take or give: tensors, and optionals, tuples of those,
/// and enum values.
bool isValueType(mlir::Type type);

/// `name` as a dim.
DimAttr getDimSymbol(mlir::MLIRContext *context, llvm::StringRef name);
/// The dim of a shape's element, or nothing if that is a pack.
std::optional<dims::Expr> getDim(mlir::Attribute element);
/// The product of a shape; packs are opaque factors.
dims::Expr getProduct(llvm::ArrayRef<mlir::Attribute> shape);
/// Writes a shape as `[B, *S, 3 * H]`.
std::string toString(llvm::ArrayRef<mlir::Attribute> shape);

} // namespace linnet

#include "dialect/LinnetInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/LinnetOps.h.inc"

#endif // LINNET_DIALECT_LINNETDIALECT_H
