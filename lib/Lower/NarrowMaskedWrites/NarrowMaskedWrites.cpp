// Turns a select over a whole cache into an update of the part that it changes.

#include "lib/Lower/NarrowMaskedWrites/NarrowMaskedWrites.h"
#include "lib/Lower/NarrowMaskedWrites/Positions.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/ADT/STLExtras.h"

namespace linnet {
#define GEN_PASS_DEF_NARROWMASKEDWRITES
#include "lib/Lower/NarrowMaskedWrites/NarrowMaskedWrites.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

namespace {

/// One update: the places that its windows' starts depend on are fixed.
class UpdateBuilder {
public:
  /// Writes into `cache`, the value of `kept` (an operand of `op`) so far.
  /// Starts have the type `startType`.
  UpdateBuilder(TensorBuilder &build, SelectOp op, Value kept, Value cache,
                Type startType)
      : build(build), op(op), kept(kept), cache(cache), startType(startType),
        shape(shapeOf(op.getResult())), starts(shape.size()), sizes(shape) {}

  void fixAxis(int64_t axis, int64_t position) {
    axisValues[axis] = position;
    starts[axis] = build.integer(position, startType);
    sizes[axis] = 1;
  }
  void fixBound(int64_t variable, int64_t position) {
    boundValues[variable] = position;
  }
  void open(const Window &window) {
    Value start = build.clamp(materialize(window.start), 0,
                              shape[window.axis] - window.size);
    starts[window.axis] = start;
    sizes[window.axis] = window.size;
  }
  Value finish();

private:
  Value materialize(const Affine &affine);
  Value restrict(Value value, ArrayRef<int64_t> axes);
  Value compute(Value value, ArrayRef<int64_t> axes);

  TensorBuilder &build;
  SelectOp op;
  Value kept, cache;
  Type startType;
  Sizes shape;
  SmallVector<Value> starts; // null: the whole axis
  Sizes sizes;
  DenseMap<int64_t, int64_t> axisValues, boundValues;
  /// What `restrict` gave before, by value and axes.
  DenseMap<Value, std::vector<std::pair<SmallVector<int64_t>, Value>>> built;
};

/// A rank-0 tensor of `startType` with the affine expression's wrapped value.
Value UpdateBuilder::materialize(const Affine &affine) {
  Type type = build.builder.getIntegerType(affine.width);
  auto positionOf = [&](Place place) {
    return place.kind == Place::Constant ? place.number
           : place.kind == Place::Along  ? axisValues.lookup(place.number)
                                         : boundValues.lookup(place.number);
  };
  Affine known;
  known.width = affine.width;
  known.constant = affine.constant;
  for (const auto &[place, coefficient] : affine.places) {
    Affine position;
    position.constant = positionOf(place);
    known.add(position, coefficient);
  }
  Value sum;
  for (const auto &[cell, coefficient] : affine.cells) {
    Value value = cell.tensor;
    for (int64_t axis = cell.places.size() - 1; axis >= 0; --axis)
      value = build.pick(value, axis, positionOf(cell.places[axis]));
    value = build.cast(value, type);
    if (coefficient == -1 && sum) {
      sum = build.binary<SubOp>(sum, value);
      continue;
    }
    if (coefficient != 1)
      value = build.binary<MulOp>(value, build.integer(coefficient, type));
    sum = sum ? build.binary<AddOp>(sum, value) : value;
  }
  if (!affine.open.isZero()) {
    Value open = build.size(affine.open, type);
    sum = sum ? build.binary<AddOp>(sum, open) : open;
  }
  if (!sum)
    return build.integer(known.constant, startType);
  if (known.constant != 0)
    sum = build.binary<AddOp>(sum, build.integer(known.constant, type));
  return build.cast(sum, startType);
}

/// `value` at the window alone. Axis `k` of `value` lies along axis `axes[k]`
/// of the select, or along none (-1).
Value UpdateBuilder::restrict(Value value, ArrayRef<int64_t> axes) {
  auto narrowed = [&](int64_t axis) { return axis >= 0 && starts[axis]; };
  if (llvm::none_of(axes, narrowed))
    return value;
  for (const auto &[before, result] : built[value])
    if (ArrayRef<int64_t>(before) == axes)
      return result;
  Value result = compute(value, axes);
  built[value].push_back({SmallVector<int64_t>(axes), result});
  return result;
}

/// As `restrict`, where an axis is narrowed.
Value UpdateBuilder::compute(Value value, ArrayRef<int64_t> axes) {
  auto narrowed = [&](int64_t axis) { return axis >= 0 && starts[axis]; };
  Sizes target = shapeOf(value);
  for (auto [size, axis] : llvm::zip(target, axes))
    if (narrowed(axis))
      size = sizes[axis];

  Operation *def = value.getDefiningOp();
  if (def && isElementwise(def)) {
    SmallVector<Value> operands;
    for (Value operand : def->getOperands())
      operands.push_back(restrict(operand, axes));
    return build.like(def, operands, tensorType(target, elementOf(value)));
  }
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(def)) {
    SmallVector<int64_t> inner;
    for (auto [size, axis] :
         llvm::zip(shapeOf(broadcast.getInput()), *broadcast.getAxes()))
      inner.push_back(size == 1 && shapeOf(value)[axis] != 1 ? -1 : axes[axis]);
    return build.broadcast(restrict(broadcast.getInput(), inner), target,
                           *broadcast.getAxes());
  }
  if (auto iota = dyn_cast_or_null<IotaOp>(def)) {
    int64_t axis = axes[iota.getAxis()];
    if (!narrowed(axis))
      return build.iota(target, iota.getAxis(), elementOf(value));
    // Counted in integers: in a narrow float type a sum would round again.
    Type type =
        isa<IntegerType>(elementOf(value)) ? elementOf(value) : startType;
    Value positions =
        build.broadcast(build.cast(starts[axis], type), target, {});
    if (sizes[axis] != 1)
      positions = build.binary<AddOp>(build.iota(target, iota.getAxis(), type),
                                      positions);
    return build.cast(positions, elementOf(value));
  }
  if (auto transpose = dyn_cast_or_null<TransposeOp>(def)) {
    SmallVector<int64_t> inner(axes.size());
    for (auto [axis, source] : llvm::enumerate(transpose.getPerm()))
      inner[source] = axes[axis];
    return build.transpose(restrict(transpose.getInput(), inner),
                           transpose.getPerm());
  }
  if (auto constant = dyn_cast_or_null<ConstantOp>(def))
    return build.constantLike(constant, target);
  if (auto take = dyn_cast_or_null<TakeOp>(def)) {
    int64_t before = take.getAxis(), count = rankOf(take.getIndices());
    SmallVector<int64_t> outer(axes.take_front(before)),
        inner(axes.slice(before, count));
    outer.push_back(-1);
    outer.append(axes.begin() + before + count, axes.end());
    return build.take(restrict(take.getInput(), outer),
                      restrict(take.getIndices(), inner), before);
  }
  if (auto reduce = dyn_cast_or_null<ReduceOp>(def)) {
    SmallVector<int64_t> inner;
    size_t next = 0;
    for (int64_t axis = 0; axis < rankOf(reduce.getInput()); ++axis)
      inner.push_back(
          llvm::is_contained(reduce.getAxes(), axis) ? -1 : axes[next++]);
    return build.reduce(reduce.getKind(), restrict(reduce.getInput(), inner),
                        reduce.getAxes());
  }

  // Anything else is computed in full, and the window read from it: first what
  // is known here.
  for (auto [number, axis] : llvm::enumerate(axes))
    if (narrowed(axis))
      if (std::optional<int64_t> known = constantInteger(starts[axis]))
        value = build.slice(value, number, *known, sizes[axis]);
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (!narrowed(axis) || constantInteger(starts[axis]))
      continue;
    Sizes wanted = shapeOf(value);
    wanted[number] = sizes[axis];
    Value positions = starts[axis];
    if (sizes[axis] != 1) {
      positions =
          build.binary<AddOp>(build.iota({sizes[axis]}, 0, startType),
                              build.broadcast(positions, {sizes[axis]}, {}));
    }
    value = build.reshape(build.take(value, positions, number), wanted);
  }
  return value;
}

Value UpdateBuilder::finish() {
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  auto operand = [&](Value value) {
    return restrict(value == kept ? cache : value, axes);
  };
  Value block = build.select(restrict(op.getCondition(), axes),
                             operand(op.getOnTrue()), operand(op.getOnFalse()));
  for (Value &start : starts)
    if (!start)
      start = build.integer(0, startType);
  return UpdateSliceOp::create(build.builder, build.loc, cache.getType(), cache,
                               block, starts)
      .getResult();
}

/// Whether `value` is what a program keeps: an argument, of the function or of
/// a loop, or an update or choice of such. Writing the part of a value that was
/// only just computed saves nothing.
bool isStored(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<ReshapeOp, TransposeOp, UpdateSliceOp>(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return !op || isa<IfOp, WhileOp>(op);
}

/// Replaces `op` if its mask (or, if `negated`, the opposite) is true only in a
/// window; says whether it did.
bool narrow(SelectOp op, bool negated, int64_t maxUpdates) {
  Value kept = negated ? op.getOnTrue() : op.getOnFalse();
  if (!isStored(kept))
    return false;
  Sizes shape = shapeOf(op.getResult());
  SmallVector<Place> places;
  for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis)
    places.push_back({Place::Along, axis});
  SmallVector<Condition, 4> conditions;
  Sizes bounds;
  conditionsOf(op.getCondition(), places, negated, conditions, bounds);
  SmallVector<Window, 4> windows = findWindows(conditions, shape, op);
  if (windows.empty())
    return false;

  // What the starts depend on is fixed in turn: one update for each
  // combination.
  SmallVector<Place> fixed;
  auto depend = [&](Place place) {
    if (place.kind != Place::Constant && !llvm::is_contained(fixed, place))
      fixed.push_back(place);
  };
  for (const Window &window : windows) {
    for (const auto &[place, coefficient] : window.start.places)
      depend(place);
    for (const auto &[cell, coefficient] : window.start.cells)
      for (Place place : cell.places)
        depend(place);
  }
  int64_t updates = 1;
  for (Place place : fixed) {
    std::optional<int64_t> count = place.kind == Place::Along
                                       ? shape[place.number].known()
                                       : bounds[place.number].known();
    if (!count || *count > maxUpdates || updates * *count > maxUpdates)
      return false;
    updates *= *count;
  }
  // A window along an axis that another start depends on adds nothing: the axis
  // is fixed.
  llvm::erase_if(windows, [&](const Window &window) {
    return llvm::is_contained(fixed, Place{Place::Along, window.axis});
  });
  if (windows.empty())
    return false;

  OpBuilder builder(op);
  TensorBuilder build(builder, op.getLoc());
  Type startType = builder.getI32Type();
  for (const Window &window : windows)
    if (window.start.width > 32 && !window.start.isConstant())
      startType = builder.getI64Type();
  if (llvm::any_of(shape, [&](const Size &size) {
        auto range = rangeOf(size, op);
        return !range || range->second > INT32_MAX;
      }))
    startType = builder.getI64Type();
  Value cache = kept;
  for (int64_t number = 0; number < updates; ++number) {
    UpdateBuilder update(build, op, kept, cache, startType);
    int64_t rest = number;
    for (Place place : llvm::reverse(fixed)) {
      bool along = place.kind == Place::Along;
      int64_t count = *(along ? shape : bounds)[place.number].known();
      if (along)
        update.fixAxis(place.number, rest % count);
      else
        update.fixBound(place.number, rest % count);
      rest /= count;
    }
    for (const Window &window : windows)
      update.open(window);
    cache = update.finish();
  }
  keepNames(op, cache);
  op.getResult().replaceAllUsesWith(cache);
  op.erase();
  return true;
}

struct NarrowMaskedWrites
    : linnet::impl::NarrowMaskedWritesBase<NarrowMaskedWrites> {
  using NarrowMaskedWritesBase::NarrowMaskedWritesBase;

  void runOnOperation() override {
    if (!hasKnownAxes(getOperation())) {
      getOperation()->emitError(
          "needs plain dimensions, which `linnet-bind` gives");
      return signalPassFailure();
    }
    SmallVector<SelectOp> all;
    getOperation()->walk([&](SelectOp op) { all.push_back(op); });
    for (SelectOp op : all) {
      Value result = op.getResult();
      if (rankOf(result) == 0 || llvm::is_contained(shapeOf(result), 0) ||
          op.getOnTrue() == op.getOnFalse())
        continue;
      if (!narrow(op, false, maxUpdates.getValue()))
        narrow(op, true, maxUpdates.getValue());
    }
  }
};

} // namespace
