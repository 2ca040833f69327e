// Verifiers and folds of constants and arithmetic.
#include "dialect/LinnetDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace linnet;

LogicalResult ConstantOp::verify() {
  Type elementType = getType().getElementType();
  Type literalType = getLiteral().getType();
  bool isBool = literalType.isInteger(1);
  if (isBool                        ? !dtype::isBool(elementType)
      : isa<FloatType>(literalType) ? !dtype::isFloat(elementType)
                                    : !dtype::isNumeric(elementType)) // C2
    return emitOpError("literal ")
           << getLiteral() << " is no element of type " << elementType;
  if (!getType().isScalar() && !getType().isStatic()) // C3
    return emitOpError("needs a scalar or a static shape, got ")
           << toString(getType().getShape());
  return success();
}

LogicalResult IotaOp::verify() {
  int64_t axis = getAxis(), rank = getType().getRank();
  if (axis < 0 || axis >= rank || !getDim(getType().getShape()[axis])) // C1
    return emitOpError("axis ")
           << axis << " is no axis of " << toString(getType().getShape());
  return success();
}

LogicalResult CastOp::verify() {
  if (getInput().getType().getShape() != getType().getShape()) // C1
    return emitOpError("has shape ")
           << toString(getType().getShape()) << ", expected "
           << toString(getInput().getType().getShape());
  return success();
}

// cast(x) : A -> A  =>  x
OpFoldResult CastOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : Value();
}

static linnet::TensorType getBoolTensor(linnet::TensorType type) {
  return type.clone(Type(IntegerType::get(type.getContext(), 1)));
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &inferred) {
  auto type = operands.empty()
                  ? linnet::TensorType()
                  : dyn_cast<linnet::TensorType>(operands[0].getType());
  if (!type)
    return emitOptionalError(loc, "needs tensors to compare");
  inferred.push_back(getBoolTensor(type)); // C2
  return success();
}

LogicalResult CompareOp::verify() {
  bool isOrdered =
      getPredicate() != Predicate::Eq && getPredicate() != Predicate::Ne;
  if (isOrdered && !dtype::isNumeric(getLhs().getType().getElementType())) // C3
    return emitOpError() << "`" << stringifyPredicate(getPredicate())
                         << "` does not order "
                         << getLhs().getType().getElementType();
  return success();
}

LogicalResult SelectOp::verify() {
  if (getCondition().getType().getShape() != getType().getShape()) // C2
    return emitOpError("the condition has shape ")
           << toString(getCondition().getType().getShape()) << ", expected "
           << toString(getType().getShape());
  return success();
}

// select(c, x, x)  =>  x
OpFoldResult SelectOp::fold(FoldAdaptor) {
  return getOnTrue() == getOnFalse() ? getOnTrue() : Value();
}

//===----------------------------------------------------------------------===//
// CORE
//===----------------------------------------------------------------------===//

LogicalResult CumsumOp::verify() {
  ArrayRef<Attribute> shape = getType().getShape();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()) ||
      !getDim(shape[axis])) // C2
    return emitOpError("axis ")
           << axis << " is no dimension of " << toString(shape);
  return success();
}

// Checks the axes of one operand and gives those that are not listed.
static FailureOr<SmallVector<Attribute>>
getFreeAxes(ContractOp op, linnet::TensorType type, ArrayRef<int64_t> batch,
            ArrayRef<int64_t> contract, StringRef name) {
  SmallVector<bool> used(type.getRank(), false);
  for (ArrayRef<int64_t> axes : {batch, contract})
    for (int64_t axis : axes) {
      if (axis < 0 || axis >= type.getRank() || used[axis]) // C3
        return op.emitOpError()
               << name << " has no axis " << axis << " left, its shape is "
               << toString(type.getShape());
      used[axis] = true;
    }
  SmallVector<Attribute> free;
  for (auto [axis, element] : llvm::enumerate(type.getShape()))
    if (!used[axis])
      free.push_back(element);
  return free;
}

LogicalResult ContractOp::verify() {
  linnet::TensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  if (lhs.getElementType() != rhs.getElementType()) // C1
    return emitOpError("the operands have element types ")
           << lhs.getElementType() << " and " << rhs.getElementType();
  if (getLhsBatch().size() != getRhsBatch().size() ||
      getLhsContract().size() != getRhsContract().size()) // C2
    return emitOpError("pairs ")
           << getLhsBatch().size() << " with " << getRhsBatch().size()
           << " batch axes and " << getLhsContract().size() << " with "
           << getRhsContract().size() << " contracted ones";
  auto lhsFree =
      getFreeAxes(*this, lhs, getLhsBatch(), getLhsContract(), "lhs");
  auto rhsFree =
      getFreeAxes(*this, rhs, getRhsBatch(), getRhsContract(), "rhs");
  if (failed(lhsFree) || failed(rhsFree))
    return failure();

  SmallVector<Attribute> shape;
  auto verifyPairs = [&](ArrayRef<int64_t> left,
                         ArrayRef<int64_t> right) -> LogicalResult {
    for (auto [i, j] : llvm::zip(left, right)) {
      Attribute a = lhs.getShape()[i], b = rhs.getShape()[j];
      std::optional<dims::Expr> x = getDim(a), y = getDim(b);
      if (x && y && x->asConstant() && y->asConstant() && *x != *y) // C4
        return emitOpError("pairs lhs axis ")
               << i << " of size " << dims::toString(*x) << " with rhs axis "
               << j << " of size " << dims::toString(*y);
    }
    return success();
  };
  if (failed(verifyPairs(getLhsBatch(), getRhsBatch())) ||
      failed(verifyPairs(getLhsContract(), getRhsContract())))
    return failure();
  for (int64_t axis : getLhsBatch())
    shape.push_back(lhs.getShape()[axis]);
  llvm::append_range(shape, *lhsFree);
  llvm::append_range(shape, *rhsFree);
  if (ArrayRef<Attribute>(shape) != getType().getShape()) // C5
    return emitOpError("has shape ") << toString(getType().getShape())
                                     << ", expected " << toString(shape);
  return success();
}

LogicalResult ReduceOp::verify() {
  linnet::TensorType input = getInput().getType();
  int64_t last = -1;
  for (int64_t axis : getAxes()) {
    if (axis <= last || axis >= input.getRank()) // C1
      return emitOpError("axes [") << getAxes() << "] do not ascend within "
                                   << toString(input.getShape());
    last = axis;
  }
  SmallVector<Attribute> shape;
  for (auto [axis, element] : llvm::enumerate(input.getShape()))
    if (!llvm::is_contained(getAxes(), static_cast<int64_t>(axis)))
      shape.push_back(element);
  linnet::TensorType expected = input.clone(ArrayRef<Attribute>(shape));
  if (getType() != expected) // C2
    return emitOpError("has type ") << getType() << ", expected " << expected;
  bool isLogic = getKind() == ReduceKind::Any || getKind() == ReduceKind::All;
  if (isLogic ? !dtype::isBool(input.getElementType())
              : !dtype::isNumeric(input.getElementType())) // C3
    return emitOpError() << "`" << stringifyReduceKind(getKind())
                         << "` does not combine " << input.getElementType();
  return success();
}
