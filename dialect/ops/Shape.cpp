// Verifiers, claims and folds of the ops that move elements.
#include "dialect/LinnetDialect.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace linnet;

static LogicalResult verifyElementType(Operation *op, linnet::TensorType found,
                                       linnet::TensorType expected) {
  if (found.getElementType() == expected.getElementType())
    return success();
  return op->emitOpError("has element type ")
         << found.getElementType() << ", expected "
         << expected.getElementType();
}

// Whether both are constants and differ.
static bool areDifferentConstants(const dims::Expr &a, const dims::Expr &b) {
  return a.asConstant() && b.asConstant() && a != b;
}

template <typename OpT> static OpFoldResult foldIdentity(OpT op) {
  return op.getInput().getType() == op.getType() ? op.getInput() : Value();
}

//===----------------------------------------------------------------------===//
// splat, reshape, transpose
//===----------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  return verifyElementType(*this, getType(), getValue().getType()); // C1
}

// splat(s) : scalar  =>  s
OpFoldResult SplatOp::fold(FoldAdaptor) {
  return getType().isScalar() ? getValue() : Value();
}

LogicalResult ReshapeOp::verify() {
  linnet::TensorType from = getInput().getType();
  if (failed(verifyElementType(*this, getType(), from))) // C1
    return failure();
  dims::Expr before = from.getProduct(), after = getType().getProduct();
  if (areDifferentConstants(before, after)) // C2
    return emitOpError("takes ")
           << dims::toString(before) << " elements and gives "
           << dims::toString(after);
  return success();
}

SmallVector<Claim> ReshapeOp::getClaims() {
  return {{"E2203",
           {getInput().getType().getProduct(), dims::Relation::Eq,
            getType().getProduct()},
           getLoc()}};
}

// reshape(x) : A -> A  =>  x
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return foldIdentity(*this); }

LogicalResult TransposeOp::verify() {
  linnet::TensorType from = getInput().getType(), to = getType();
  ArrayRef<int64_t> perm = getPerm();
  if (static_cast<int64_t>(perm.size()) != from.getRank() ||
      !isPermutationVector(perm)) // C1
    return emitOpError("perm must list each of the ")
           << from.getRank() << " input axes once, got [" << perm << "]";
  if (from.hasPacks()) // C4
    return emitOpError("cannot reorder the pack in ")
           << toString(from.getShape());
  if (failed(verifyElementType(*this, to, from))) // C3
    return failure();
  SmallVector<Attribute> expected;
  for (int64_t source : perm)
    expected.push_back(from.getShape()[source]);
  if (to.getShape() == ArrayRef<Attribute>(expected)) // C2
    return success();
  auto error = emitOpError("has shape ") << toString(to.getShape())
                                         << ", expected " << toString(expected);
  error.attachNote(getInput().getLoc())
      << "this value has shape " << toString(from.getShape());
  return error;
}

// transpose(x, [0, 1, ...])  =>  x
OpFoldResult TransposeOp::fold(FoldAdaptor) {
  return isIdentityPermutation(getPerm()) ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

int64_t BroadcastOp::getResultAxis(int64_t axis) {
  if (std::optional<ArrayRef<int64_t>> axes = getAxes())
    return (*axes)[axis];
  return axis + getType().getRank() - getInput().getType().getRank();
}

LogicalResult BroadcastOp::verify() {
  linnet::TensorType from = getInput().getType(), to = getType();
  if (failed(verifyElementType(*this, to, from))) // C1
    return failure();
  if (std::optional<ArrayRef<int64_t>> axes = getAxes()) {
    int64_t last = -1;
    bool isAscending = static_cast<int64_t>(axes->size()) == from.getRank();
    for (int64_t axis : *axes) {
      isAscending &= axis > last && axis < to.getRank();
      last = axis;
    }
    if (!isAscending) // C2
      return emitOpError("axes must give each of the ")
             << from.getRank() << " input axes one of the " << to.getRank()
             << " result axes, ascending, got [" << *axes << "]";
  } else if (from.getRank() > to.getRank()) { // C3
    return emitOpError("takes ")
           << from.getRank() << " axes to " << to.getRank();
  }
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    Attribute source = from.getShape()[axis],
              target = to.getShape()[getResultAxis(axis)];
    std::optional<dims::Expr> size = getDim(source), wanted = getDim(target);
    if (source == target || (size && *size == dims::constant(1) && wanted))
      continue;
    if (!size || !wanted) // C3
      return emitOpError("cannot lay ")
             << toString(source) << " along " << toString(target);
    if (areDifferentConstants(*size, *wanted)) // C4
      return emitOpError("axis ")
             << axis << " has size " << dims::toString(*size)
             << ", expected 1 or " << dims::toString(*wanted);
  }
  return success();
}

SmallVector<Claim> BroadcastOp::getClaims() {
  SmallVector<Claim> claims;
  linnet::TensorType from = getInput().getType(), to = getType();
  dims::Expr one = dims::constant(1);
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    std::optional<dims::Expr> size = getDim(from.getShape()[axis]),
                              wanted =
                                  getDim(to.getShape()[getResultAxis(axis)]);
    if (!size || !wanted || *size == one)
      continue;
    claims.push_back({"E2207",
                      {*size, dims::Relation::Eq, *wanted},
                      getLoc(),
                      dims::Constraint{*size, dims::Relation::Eq, one}});
  }
  return claims;
}

// broadcast(x) : A -> A  =>  x
OpFoldResult BroadcastOp::fold(FoldAdaptor) { return foldIdentity(*this); }

//===----------------------------------------------------------------------===//
// slice, concat, take, update_slice
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  linnet::TensorType from = getInput().getType(), to = getType();
  if (failed(verifyElementType(*this, to, from))) // C1
    return failure();
  int64_t rank = from.getRank();
  if (static_cast<int64_t>(getStarts().size()) != rank ||
      static_cast<int64_t>(getSteps().size()) != rank ||
      to.getRank() != rank) // C2
    return emitOpError("has ")
           << getStarts().size() << " starts, " << getSteps().size()
           << " steps and " << to.getRank() << " result axes for " << rank
           << " axes";
  for (int64_t axis = 0; axis < rank; ++axis) {
    Attribute source = from.getShape()[axis], target = to.getShape()[axis];
    dims::Expr start = cast<DimAttr>(getStarts()[axis]).getValue();
    int64_t step = getSteps()[axis];
    if (step <= 0) // C3
      return emitOpError("step ") << step << " is not positive";
    std::optional<dims::Expr> size = getDim(source), extent = getDim(target);
    if (!size || !extent) {
      if (source == target && start.isZero() && step == 1)
        continue;
      return emitOpError("takes a part of ") // C4
             << toString(source) << " as " << toString(target);
    }
    std::optional<dims::Integer> length = size->asConstant(),
                                 count = extent->asConstant(),
                                 first = start.asConstant();
    if (first && *first < 0) // C5
      return emitOpError("start ") << dims::toString(start) << " is negative";
    if (length && count && first && *count > 0 &&
        *first + (*count - dims::Integer(1)) * dims::Integer(step) >=
            *length) // C5
      return emitOpError("axis ")
             << axis << " of size " << dims::toString(*size)
             << " does not hold " << dims::toString(*extent)
             << " elements from " << dims::toString(start) << " in steps of "
             << step;
  }
  return success();
}

// slice(x) of everything  =>  x
OpFoldResult SliceOp::fold(FoldAdaptor) {
  bool isWhole =
      llvm::all_of(getStarts().getAsRange<DimAttr>(),
                   [](DimAttr start) { return start.getValue().isZero(); }) &&
      llvm::all_of(getSteps(), [](int64_t s) { return s == 1; });
  return isWhole ? foldIdentity(*this) : OpFoldResult();
}

LogicalResult ConcatOp::verify() {
  linnet::TensorType to = getType();
  if (getInputs().empty()) // C1
    return emitOpError("joins no tensors");
  int64_t axis = getAxis(), rank = to.getRank();
  if (axis < 0 || axis >= rank || !getDim(to.getShape()[axis])) // C2
    return emitOpError("axis ")
           << axis << " is no dimension of " << toString(to.getShape());
  dims::Expr sum;
  for (Value input : getInputs()) {
    auto from = cast<linnet::TensorType>(input.getType());
    if (failed(verifyElementType(*this, from, to))) // C1
      return failure();
    if (from.getRank() != rank || !getDim(from.getShape()[axis])) // C2
      return emitOpError("joins ")
             << toString(from.getShape()) << " along axis " << axis << " to "
             << toString(to.getShape());
    sum = sum + from.getDim(axis);
    for (int64_t other = 0; other < rank; ++other) {
      if (other == axis)
        continue;
      Attribute source = from.getShape()[other], target = to.getShape()[other];
      std::optional<dims::Expr> size = getDim(source), wanted = getDim(target);
      if (source == target ||
          (size && wanted && !areDifferentConstants(*size, *wanted)))
        continue;
      return emitOpError("an operand has ") // C2, C4
             << toString(source) << " on axis " << other << ", expected "
             << toString(target);
    }
  }
  if (sum != to.getDim(axis)) // C3
    return emitOpError("axis ")
           << axis << " is " << dims::toString(to.getDim(axis))
           << ", expected the sum " << dims::toString(sum);
  return success();
}

SmallVector<Claim> ConcatOp::getClaims() {
  SmallVector<Claim> claims;
  ArrayRef<Attribute> to = getType().getShape();
  for (Value input : getInputs()) {
    ArrayRef<Attribute> from =
        cast<linnet::TensorType>(input.getType()).getShape();
    for (auto [axis, source, target] : llvm::enumerate(from, to)) {
      std::optional<dims::Expr> size = getDim(source), wanted = getDim(target);
      if (static_cast<int64_t>(axis) != static_cast<int64_t>(getAxis()) &&
          size && wanted)
        claims.push_back(
            {"E2202", {*size, dims::Relation::Eq, *wanted}, getLoc()});
    }
  }
  return claims;
}

// concat(x)  =>  x
OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() != 1 || getInputs()[0].getType() != getType())
    return {};
  return getInputs()[0];
}

LogicalResult TakeOp::verify() {
  linnet::TensorType from = getInput().getType();
  if (failed(verifyElementType(*this, getType(), from))) // C1
    return failure();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= from.getRank() ||
      !getDim(from.getShape()[axis])) // C2
    return emitOpError("axis ")
           << axis << " is no dimension of " << toString(from.getShape());
  SmallVector<Attribute> expected(from.getShape().take_front(axis));
  llvm::append_range(expected, getIndices().getType().getShape());
  llvm::append_range(expected, from.getShape().drop_front(axis + 1));
  if (getType().getShape() != ArrayRef<Attribute>(expected)) // C3
    return emitOpError("has shape ") << toString(getType().getShape())
                                     << ", expected " << toString(expected);
  return success();
}

LogicalResult UpdateSliceOp::verify() {
  linnet::TensorType whole = getInput().getType(), part = getUpdate().getType();
  if (failed(verifyElementType(*this, part, whole))) // C2
    return failure();
  if (part.getRank() != whole.getRank()) // C2
    return emitOpError("puts ") << toString(part.getShape()) << " into "
                                << toString(whole.getShape());
  for (auto [axis, small, large] :
       llvm::enumerate(part.getShape(), whole.getShape())) {
    std::optional<dims::Expr> size = getDim(small), limit = getDim(large);
    std::optional<dims::Integer> a, b;
    if (size && limit && (a = size->asConstant()) &&
        (b = limit->asConstant()) && *a > *b) // C2
      return emitOpError("axis ")
             << axis << " of the update has size " << dims::toString(*size)
             << ", expected at most " << dims::toString(*limit);
  }
  if (static_cast<int64_t>(getStarts().size()) != whole.getRank()) // C3
    return emitOpError("has ") << getStarts().size() << " starts for "
                               << whole.getRank() << " axes";
  if (!llvm::all_equal(getStarts().getTypes())) // C3
    return emitOpError("has starts of different types");
  return success();
}
