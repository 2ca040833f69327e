// Verifiers and claims of index notation.
#include "dialect/LinnetDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace linnet;

// Checks that a region ends in a yield of one scalar of this type.
static LogicalResult verifyElement(Operation *op, Region &region,
                                   Type elementType) {
  Block &block = region.front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("needs a region that ends in `linnet.yield`");
  auto expected = linnet::TensorType::get(ArrayRef<Attribute>(), elementType);
  if (yield.getNumOperands() == 1 &&
      yield.getOperand(0).getType() == Type(expected))
    return success();
  auto error = op->emitOpError("needs a region that gives ") << expected;
  error.attachNote(yield.getLoc())
      << "it gives (" << yield.getOperandTypes() << ')';
  return error;
}

static LogicalResult verifyInside(ComprehensionOp comprehension,
                                  Operation *op) {
  auto refuse = [&](const Twine &why) -> LogicalResult {
    auto error = comprehension.emitOpError(why);
    error.attachNote(op->getLoc()) << "this is `" << op->getName() << "`";
    return error;
  };
  if (isa<RequireOp, CallMethodOp>(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return success();
  if (!isMemoryEffectFree(op))
    return refuse("holds an op with an effect");
  return success();
}

LogicalResult ComprehensionOp::verifyRegions() {
  SmallVector<Attribute> shape;
  for (Type type : getBody().getArgumentTypes()) {
    auto index = dyn_cast<linnet::IndexType>(type);
    if (!index) // C1
      return emitOpError("takes ") << type << ", expected an index";
    llvm::append_range(shape, index.getExtents());
  }
  if (ArrayRef<Attribute>(shape) != getType().getShape()) // C2
    return emitOpError("has shape ")
           << toString(getType().getShape()) << ", but its indices run over "
           << toString(shape);
  if (failed(verifyElement(*this, getBody(),
                           getType().getElementType()))) // C3
    return failure();
  WalkResult walk = getBody().walk([&](Operation *op) { // C4
    return WalkResult(verifyInside(*this, op));
  });
  return failure(walk.wasInterrupted());
}

LogicalResult ReduceOverOp::verifyRegions() {
  if (!(*this)->getParentOfType<ComprehensionOp>()) // C1
    return emitOpError("stands outside of index notation");
  for (Type type : getBody().getArgumentTypes()) {
    auto index = dyn_cast<linnet::IndexType>(type);
    if (!index || index.getExtents().size() != 1 ||
        isa<PackAttr>(index.getExtents()[0])) // C2
      return emitOpError("takes ") << type << ", expected an index over a dim";
  }
  Type elementType = getType().getElementType();
  bool isLogic = getKind() == ReduceKind::Any || getKind() == ReduceKind::All;
  if (isLogic ? !dtype::isBool(elementType)
              : !dtype::isNumeric(elementType)) // C4
    return emitOpError() << "`" << stringifyReduceKind(getKind())
                         << "` does not combine " << elementType;
  return verifyElement(*this, getBody(), elementType); // C3
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

// Visits each pair of an axis of the base and the extent of the index that
// covers it; a computed part covers one axis that is not visited. Gives the
// number of axes covered, or nothing where they run out.
static std::optional<size_t>
visitAxes(AccessOp access,
          function_ref<LogicalResult(Attribute, Attribute)> visit) {
  ArrayRef<Attribute> shape = access.getBase().getType().getShape();
  size_t axis = 0;
  for (Value part : access.getParts()) {
    auto index = dyn_cast<linnet::IndexType>(part.getType());
    if (!index) {
      if (axis >= shape.size())
        return std::nullopt;
      // A computed part cannot stand for a pack.
      if (isa<PackAttr>(shape[axis]) && failed(visit(shape[axis], Attribute())))
        return std::nullopt;
      ++axis;
      continue;
    }
    for (Attribute extent : index.getExtents()) {
      if (axis >= shape.size() || failed(visit(shape[axis], extent)))
        return std::nullopt;
      ++axis;
    }
  }
  return axis;
}

LogicalResult AccessOp::verify() {
  bool isReported = false;
  std::optional<size_t> covered =
      visitAxes(*this, [&](Attribute axis, Attribute extent) -> LogicalResult {
        std::optional<dims::Expr> size = getDim(axis),
                                  range =
                                      extent ? getDim(extent) : std::nullopt;
        if (!size || !range) {
          if (axis == extent)
            return success();
          isReported = true;
          if (!extent)
            return emitOpError("a computed part covers a pack"); // C2
          return emitOpError("an index over ")                   // C2
                 << toString(extent) << " covers " << toString(axis);
        }
        if (!size->asConstant() || !range->asConstant() || *size == *range)
          return success();
        isReported = true;
        return emitOpError("an index over ") // C3
               << dims::toString(*range) << " covers an axis of size "
               << dims::toString(*size);
      });
  if (isReported)
    return failure();
  int64_t rank = getBase().getType().getRank();
  if (!covered || static_cast<int64_t>(*covered) != rank) // C1
    return emitOpError("the parts do not cover the ")
           << rank << " axes of the base once";
  if (getType().getElementType() != getBase().getType().getElementType()) // C4
    return emitOpError("has element type ")
           << getType().getElementType() << ", expected "
           << getBase().getType().getElementType();
  return success();
}

SmallVector<Claim> AccessOp::getClaims() {
  SmallVector<Claim> claims;
  visitAxes(*this, [&](Attribute axis, Attribute extent) -> LogicalResult {
    std::optional<dims::Expr> size = getDim(axis),
                              range = extent ? getDim(extent) : std::nullopt;
    if (size && range)
      claims.push_back(
          {"E2201", {*size, dims::Relation::Eq, *range}, getLoc()});
    return success();
  });
  return claims;
}
