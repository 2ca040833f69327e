// Specialisation of the ops that all levels share.
#include "lib/Bind/Specialise.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

/// A literal as its element type holds it [TYP-13]: integers wrap, floats round
/// to nearest even, to infinity if need be. Stays an i64, an f64 or a bool.
static TypedAttr adopt(TypedAttr literal, Type element) {
  Builder builder(element.getContext());
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat value(0.0);
    if (auto number = dyn_cast<IntegerAttr>(literal)) {
      value = APFloat(type.getFloatSemantics());
      value.convertFromAPInt(number.getValue(), /*IsSigned=*/true,
                             APFloat::rmNearestTiesToEven);
    } else {
      value = cast<FloatAttr>(literal).getValue();
    }
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(builder.getF64Type(), value);
  }
  auto number = dyn_cast<IntegerAttr>(literal);
  if (!number || element.isInteger(1))
    return literal;
  auto type = cast<IntegerType>(element);
  APInt bits = number.getValue().sextOrTrunc(type.getWidth());
  return builder.getIntegerAttr(builder.getI64Type(),
                                type.isUnsigned() ? bits.zextOrTrunc(64)
                                                  : bits.sextOrTrunc(64));
}

/// The place of shape element `axis` among the axes.
static int64_t flatAxis(ArrayRef<int64_t> widths, int64_t axis) {
  int64_t flat = 0;
  for (int64_t width : widths.take_front(axis))
    flat += width;
  return flat;
}

static ArrayRef<Attribute> shapeOf(Value value) {
  return cast<linnet::TensorType>(value.getType()).getShape();
}

/// Whether each axis is as long as the one it lies along, or 1, at all open
/// sizes: which of both must be known.
static LogicalResult checkAxes(BroadcastOp op, const Scope &scope) {
  linnet::TensorType from = op.getInput().getType(), to = op.getType();
  for (int64_t axis = 0; axis < from.getRank(); ++axis) {
    dims::Expr size = from.getDim(axis),
               wanted = to.getDim(op.getResultAxis(axis));
    if (size == wanted || size == dims::constant(1) ||
        scope.isEqual(size, wanted))
      continue;
    if (size.asConstant() && wanted.asConstant())
      continue; // the verifier's
    return op.emitError("[capability] whether an axis of size `")
           << dims::toString(size) << "` is 1 or `" << dims::toString(wanted)
           << "` must be known when the model is compiled; give its sizes "
              "numbers with --bind";
  }
  return success();
}

LogicalResult Specialiser::bindValueOp(Operation &op, Frame &frame) {
  Location loc = frame.at(op.getLoc());
  assert(op.getNumRegions() == 0 && "ops with regions have their own case");
  if (auto constant = dyn_cast<DimConstantOp>(op)) {
    FailureOr<dims::Expr> size =
        frame.scope.size(constant.getValue().getValue(), loc);
    Type type = frame.scope.substitute(constant.getType(), loc);
    if (failed(size) || !type)
      return failure();
    std::optional<dims::Integer> number = size->asConstant();
    if (!number) {
      auto built = DimConstantOp::create(
          builder, loc, type, DimAttr::get(builder.getContext(), *size));
      assign(op.getResults(), {Bound::runtime(built)}, frame);
      return success();
    }
    TypedAttr literal = adopt(builder.getI64IntegerAttr(int64_t(*number)),
                              cast<linnet::TensorType>(type).getElementType());
    auto built = ConstantOp::create(builder, loc, type, literal);
    assign(op.getResults(), {Bound::runtime(built)}, frame);
    return success();
  }

  IRMapping mapping;
  for (Value operand : op.getOperands())
    mapping.map(operand, runtime(operand, frame));
  Operation *built = op.cloneWithoutRegions(mapping);
  built->setLoc(loc);
  built->removeDiscardableAttr("linnet.claim");
  builder.insert(built);
  for (OpResult result : built->getResults()) {
    Type type = frame.scope.substitute(result.getType(), loc);
    if (!type)
      return failure();
    result.setType(type);
  }
  if (failed(bindAttributes(op, built, frame)))
    return failure();
  for (auto [value, bound] : llvm::zip(op.getResults(), built->getResults()))
    frame.values.insert_or_assign(value, Bound::runtime(bound));
  return success();
}

LogicalResult Specialiser::bindAttributes(Operation &from, Operation *to,
                                          Frame &frame) {
  const Scope &scope = frame.scope;
  Location loc = to->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(to)
      .Case([&](ConstantOp op) {
        op.setLiteralAttr(
            adopt(op.getLiteral(),
                  cast<linnet::TensorType>(op.getType()).getElementType()));
        return success();
      })
      .Case([&](SliceOp op) {
        SmallVector<Attribute> starts;
        SmallVector<int64_t> steps;
        SmallVector<int64_t> widths = scope.widths(shapeOf(from.getOperand(0)));
        for (auto [start, step, width] : llvm::zip_equal(
                 op.getStarts().getAsRange<DimAttr>(), op.getSteps(), widths)) {
          FailureOr<dims::Expr> at = scope.size(start.getValue(), loc);
          if (failed(at))
            return failure();
          // A pack is whole: start 0, step 1, on each of its axes.
          for (int64_t i = 0; i < width; ++i) {
            starts.push_back(DimAttr::get(op.getContext(), *at));
            steps.push_back(step);
          }
        }
        op.setStartsAttr(builder.getArrayAttr(starts));
        op.setSteps(steps);
        return success();
      })
      .Case([&](ConcatOp op) {
        op.setAxis(
            flatAxis(scope.widths(shapeOf(from.getOperand(0))), op.getAxis()));
        return success();
      })
      .Case([&](TakeOp op) {
        op.setAxis(
            flatAxis(scope.widths(shapeOf(from.getOperand(0))), op.getAxis()));
        return success();
      })
      .Case([&](CumsumOp op) {
        op.setAxis(
            flatAxis(scope.widths(shapeOf(from.getOperand(0))), op.getAxis()));
        return success();
      })
      .Case([&](IotaOp op) {
        op.setAxis(
            flatAxis(scope.widths(shapeOf(from.getResult(0))), op.getAxis()));
        return success();
      })
      .Case([&](BroadcastOp op) {
        SmallVector<int64_t> axes;
        int64_t rank =
            cast<linnet::TensorType>(to->getOperand(0).getType()).getRank();
        int64_t resultRank = cast<linnet::TensorType>(op.getType()).getRank();
        if (auto given = op.getAxes()) {
          SmallVector<int64_t> into = scope.widths(shapeOf(from.getResult(0)));
          for (auto [axis, width] : llvm::zip_equal(
                   *given, scope.widths(shapeOf(from.getOperand(0)))))
            for (int64_t i = 0; i < width; ++i)
              axes.push_back(flatAxis(into, axis) + i);
        } else {
          // Equal packs cover equally many axes, so this still aligns right.
          for (int64_t axis = resultRank - rank; axis < resultRank; ++axis)
            axes.push_back(axis);
        }
        op.setAxes(axes);
        return checkAxes(op, scope);
      })
      .Default([](Operation *) { return success(); });
}
