// Builds CORE ops on tensors.

#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace linnet {

Sizes shapeOf(Value value) {
  Sizes sizes;
  for (Attribute element : cast<linnet::TensorType>(value.getType()).getShape())
    sizes.push_back(cast<DimAttr>(element).getValue());
  return sizes;
}

Type elementOf(Value value) {
  return cast<linnet::TensorType>(value.getType()).getElementType();
}

int64_t rankOf(Value value) {
  return cast<linnet::TensorType>(value.getType()).getRank();
}

bool isStaticTensor(Value value) {
  auto type = dyn_cast<linnet::TensorType>(value.getType());
  return type && type.isStatic();
}

linnet::TensorType tensorType(ArrayRef<Size> shape, Type element) {
  SmallVector<Attribute> dims;
  for (const Size &size : shape)
    dims.push_back(size.attr(element.getContext()));
  return linnet::TensorType::get(ArrayRef<Attribute>(dims), element);
}

std::pair<int64_t, int64_t> rangeOf(Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  if (element.isUnsignedInteger())
    return {0, width == 64 ? INT64_MAX
                           : static_cast<int64_t>(llvm::maxUIntN(width))};
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

std::optional<int64_t> wrapTo(int64_t value, Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  llvm::APInt bits = llvm::APInt(64, value).trunc(width);
  if (!element.isUnsignedInteger())
    return bits.getSExtValue();
  if (width == 64 && bits.isNegative())
    return std::nullopt;
  return bits.getZExtValue();
}

static bool hasKnownAxes(Type type) {
  if (auto tensor = dyn_cast<linnet::TensorType>(type))
    return !tensor.hasPacks() && !isa<DtypeType>(tensor.getElementType());
  if (auto index = dyn_cast<linnet::IndexType>(type))
    return index.getExtents().size() == 1 &&
           isa<DimAttr>(index.getExtents().front());
  return true;
}

bool hasKnownAxes(Operation *op) {
  auto isKnown = [](Type type) { return hasKnownAxes(type); };
  return !op->walk([&](Operation *inner) {
              for (Region &region : inner->getRegions())
                for (Block &block : region)
                  if (!llvm::all_of(block.getArgumentTypes(), isKnown))
                    return WalkResult::interrupt();
              return llvm::all_of(inner->getOperandTypes(), isKnown) &&
                             llvm::all_of(inner->getResultTypes(), isKnown)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// The op that gives the elements of `value`, which views only arrange.
static Operation *elementsOf(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<SplatOp, BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(
      op))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

std::optional<int64_t> constantInteger(Value value) {
  Type element = elementOf(value);
  if (!isa<IntegerType>(element) || element.isInteger(1))
    return std::nullopt;
  Operation *op = elementsOf(value);
  if (auto convert = dyn_cast_or_null<CastOp>(op)) {
    std::optional<int64_t> inner = constantInteger(convert.getInput());
    return inner ? wrapTo(*inner, element) : std::nullopt;
  }
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  auto literal =
      constant ? dyn_cast<IntegerAttr>(constant.getLiteral()) : IntegerAttr();
  if (!literal)
    return std::nullopt;
  return wrapTo(literal.getValue().getSExtValue(), element);
}

std::optional<bool> constantBool(Value value) {
  if (!elementOf(value).isInteger(1))
    return std::nullopt;
  Operation *op = elementsOf(value);
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  auto literal =
      constant ? dyn_cast<IntegerAttr>(constant.getLiteral()) : IntegerAttr();
  if (!literal)
    return std::nullopt;
  return !literal.getValue().isZero();
}

// A literal of a static shape; over open sizes, a splat of the scalar.
static Value literal(TypedAttr value, Type element, ArrayRef<Size> shape,
                     OpBuilder &builder, Location loc) {
  linnet::TensorType type = tensorType(shape, element);
  if (type.isStatic())
    return ConstantOp::create(builder, loc, type, value);
  Value scalar =
      ConstantOp::create(builder, loc, tensorType({}, element), value);
  return SplatOp::create(builder, loc, type, scalar);
}

Value TensorBuilder::integer(int64_t value, Type element,
                             ArrayRef<Size> shape) {
  return literal(builder.getI64IntegerAttr(value), element, shape, builder,
                 loc);
}

Value TensorBuilder::size(const Size &value, Type element,
                          ArrayRef<Size> shape) {
  if (std::optional<int64_t> known = value.known())
    if (std::optional<int64_t> held = wrapTo(*known, element))
      return integer(*held, element, shape);
  Value scalar = DimConstantOp::create(builder, loc, tensorType({}, element),
                                       value.attr(builder.getContext()));
  return broadcast(scalar, shape, {});
}

Value TensorBuilder::constantLike(ConstantOp constant, ArrayRef<Size> shape) {
  return literal(constant.getLiteral(), elementOf(constant.getResult()), shape,
                 builder, loc);
}

Value TensorBuilder::iota(ArrayRef<Size> shape, int64_t axis, Type element) {
  return IotaOp::create(builder, loc, tensorType(shape, element), axis)
      .getResult();
}

Value TensorBuilder::cast(Value input, Type element) {
  if (elementOf(input) == element)
    return input;
  return CastOp::create(builder, loc, tensorType(shapeOf(input), element),
                        input)
      .getResult();
}

Value TensorBuilder::reshape(Value input, ArrayRef<Size> shape) {
  if (ArrayRef<Size>(shapeOf(input)) == shape)
    return input;
  return ReshapeOp::create(builder, loc, tensorType(shape, elementOf(input)),
                           input)
      .getResult();
}

Value TensorBuilder::transpose(Value input, ArrayRef<int64_t> perm) {
  if (llvm::is_sorted(perm))
    return input;
  Sizes from = shapeOf(input), shape;
  for (int64_t axis : perm)
    shape.push_back(from[axis]);
  return TransposeOp::create(builder, loc, tensorType(shape, elementOf(input)),
                             input, perm)
      .getResult();
}

Value TensorBuilder::broadcast(Value input, ArrayRef<Size> shape,
                               ArrayRef<int64_t> axes) {
  if (ArrayRef<Size>(shapeOf(input)) == shape)
    return input;
  return BroadcastOp::create(builder, loc, tensorType(shape, elementOf(input)),
                             input, builder.getDenseI64ArrayAttr(axes))
      .getResult();
}

Value TensorBuilder::slice(Value input, int64_t axis, const Size &start,
                           const Size &size, int64_t step) {
  Sizes shape = shapeOf(input);
  if (start == 0 && step == 1 && size == shape[axis])
    return input;
  Sizes starts(shape.size(), 0);
  SmallVector<int64_t> steps(shape.size(), 1);
  starts[axis] = start;
  steps[axis] = step;
  shape[axis] = size;
  SmallVector<Attribute> dims;
  for (const Size &value : starts)
    dims.push_back(value.attr(builder.getContext()));
  return SliceOp::create(builder, loc, tensorType(shape, elementOf(input)),
                         input, builder.getArrayAttr(dims),
                         builder.getDenseI64ArrayAttr(steps))
      .getResult();
}

Value TensorBuilder::pick(Value input, int64_t axis, const Size &position) {
  Sizes shape = shapeOf(input);
  shape.erase(shape.begin() + axis);
  return reshape(slice(input, axis, position, 1), shape);
}

Value TensorBuilder::take(Value input, Value indices, int64_t axis) {
  Sizes from = shapeOf(input), shape(from.begin(), from.begin() + axis);
  llvm::append_range(shape, shapeOf(indices));
  shape.append(from.begin() + axis + 1, from.end());
  return TakeOp::create(builder, loc, tensorType(shape, elementOf(input)),
                        input, indices, axis)
      .getResult();
}

Value TensorBuilder::concat(ValueRange inputs, int64_t axis) {
  Sizes shape = shapeOf(inputs.front());
  for (Value input : inputs.drop_front())
    shape[axis] = shape[axis] + shapeOf(input)[axis];
  return ConcatOp::create(builder, loc,
                          tensorType(shape, elementOf(inputs.front())), inputs,
                          axis)
      .getResult();
}

Value TensorBuilder::cumsum(Value input, int64_t axis) {
  return CumsumOp::create(builder, loc, input.getType(), input, axis)
      .getResult();
}

Value TensorBuilder::select(Value condition, Value yes, Value no) {
  return SelectOp::create(builder, loc, yes.getType(), condition, yes, no)
      .getResult();
}

Value TensorBuilder::compare(Predicate predicate, Value lhs, Value rhs) {
  return CompareOp::create(builder, loc,
                           tensorType(shapeOf(lhs), builder.getI1Type()),
                           predicate, lhs, rhs)
      .getResult();
}

Value TensorBuilder::clamp(Value input, int64_t low, const Size &high) {
  Sizes shape = shapeOf(input);
  Type element = elementOf(input);
  std::optional<int64_t> known = constantInteger(input), limit = high.known();
  if (known && limit)
    return integer(std::max(low, std::min(*known, *limit)), element, shape);
  // A bound that the type does not reach cuts nothing off.
  auto [least, most] = rangeOf(element);
  if (!limit) {
    // The bound itself may not fit the type: compared where both do.
    Type wide =
        element.getIntOrFloatBitWidth() == 64 ? element : builder.getI64Type();
    Value within = binary<MinOp>(cast(input, wide), size(high, wide, shape));
    input = cast(within, element);
  } else if (*limit < most) {
    input = binary<MinOp>(input, integer(*limit, element, shape));
  }
  if (low > least)
    input = binary<MaxOp>(input, integer(low, element, shape));
  return input;
}

Value TensorBuilder::reduce(ReduceKind kind, Value input,
                            ArrayRef<int64_t> axes) {
  if (axes.empty())
    return input;
  Sizes shape;
  for (auto [axis, size] : llvm::enumerate(shapeOf(input)))
    if (!llvm::is_contained(axes, static_cast<int64_t>(axis)))
      shape.push_back(size);
  return ReduceOp::create(builder, loc, tensorType(shape, elementOf(input)),
                          kind, input, axes)
      .getResult();
}

Value TensorBuilder::like(Operation *op, ValueRange operands, Type result) {
  OperationState state(loc, op->getName());
  state.addOperands(operands);
  state.addTypes(result);
  state.addAttributes(op->getAttrs());
  return builder.create(state)->getResult(0);
}

bool isElementwise(Operation *op) {
  return isa<CastOp, CompareOp, SelectOp, NegOp, AbsOp, ExpOp, LogOp, SqrtOp,
             RsqrtOp, SinOp, CosOp, TanhOp, NotOp, AddOp, SubOp, MulOp, DivOp,
             RemOp, MinOp, MaxOp, AndOp, OrOp, XorOp, ShlOp, ShrOp>(op);
}

} // namespace linnet

void linnet::keepNames(Operation *op, ValueRange values) {
  auto names = op->getAttrOfType<ArrayAttr>("linnet.names");
  if (!names)
    return;
  for (auto [name, value] : llvm::zip(names, values)) {
    Operation *owner = value.getDefiningOp();
    if (owner && owner->getNumResults() == 1 && !owner->hasAttr("linnet.names"))
      owner->setAttr("linnet.names", ArrayAttr::get(op->getContext(), {name}));
  }
}
