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

/// Wherever the mask is true, `start <= position < start + size` along `axis`.
struct Window {
  int64_t axis;
  int64_t size;
  Affine start;
};

/// The windows that the conditions give, at most one an axis.
SmallVector<Window> findWindows(ArrayRef<Condition> conditions,
                                ArrayRef<int64_t> shape) {
  SmallVector<Window> windows;
  for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
    Place here{Place::Along, axis};
    std::optional<Affine> low, high; // low <= position <= high
    std::optional<Window> found;
    for (const Condition &condition : conditions) {
      int64_t coefficient = condition.difference.coefficientOf(here);
      if (coefficient != 1 && coefficient != -1)
        continue;
      // position + rest >= 0, or rest - position >= 0, or either == 0
      Affine bound;
      bound.add(condition.difference, -coefficient);
      bound.places.erase(llvm::find_if(
          bound.places, [&](const auto &term) { return term.first == here; }));
      if (condition.isEquality) {
        found = Window{axis, 1, bound};
        break;
      }
      if (coefficient == 1)
        low = bound;
      else
        high = bound;
      if (!low || !high)
        continue;
      Affine extent = *high;
      extent.add(*low, -1);
      if (extent.isConstant() && extent.constant >= 0) {
        found = Window{axis, extent.constant + 1, *low};
        break;
      }
    }
    if (found && found->size < shape[axis])
      windows.push_back(*found);
  }
  return windows;
}

/// One update: the places that its windows' starts depend on are fixed.
class UpdateBuilder {
public:
  UpdateBuilder(TensorBuilder &build, SelectOp op, Value cache)
      : build(build), op(op), cache(cache), shape(shapeOf(op.getResult())),
        starts(shape.size()), sizes(shape) {}

  void fixAxis(int64_t axis, int64_t position) {
    axisValues[axis] = position;
    starts[axis] = build.integer(position, build.builder.getI64Type());
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

  TensorBuilder &build;
  SelectOp op;
  Value cache;
  SmallVector<int64_t> shape;
  SmallVector<Value> starts; // null: the whole axis
  SmallVector<int64_t> sizes;
  DenseMap<int64_t, int64_t> axisValues, boundValues;
};

/// A rank-0 i64 tensor with the affine expression's value.
Value UpdateBuilder::materialize(const Affine &affine) {
  Type i64 = build.builder.getI64Type();
  int64_t constant = affine.constant;
  for (const auto &[place, coefficient] : affine.places)
    constant += coefficient * (place.kind == Place::Along
                                   ? axisValues.lookup(place.number)
                                   : boundValues.lookup(place.number));
  Value sum;
  for (const auto &[cell, coefficient] : affine.cells) {
    Value value = cell.tensor;
    for (int64_t axis = cell.places.size() - 1; axis >= 0; --axis) {
      Place place = cell.places[axis];
      int64_t position = place.kind == Place::Constant ? place.number
                         : place.kind == Place::Along
                             ? axisValues.lookup(place.number)
                             : boundValues.lookup(place.number);
      value = build.pick(value, axis, position);
    }
    value = build.cast(value, i64);
    if (coefficient != 1)
      value = build.binary<MulOp>(value, build.integer(coefficient, i64));
    sum = sum ? build.binary<AddOp>(sum, value) : value;
  }
  if (!sum)
    return build.integer(constant, i64);
  return constant == 0 ? sum
                       : build.binary<AddOp>(sum, build.integer(constant, i64));
}

/// `value` at the window alone. Axis `k` of `value` lies along axis `axes[k]`
/// of the select, or along none (-1).
Value UpdateBuilder::restrict(Value value, ArrayRef<int64_t> axes) {
  auto narrowed = [&](int64_t axis) { return axis >= 0 && starts[axis]; };
  if (llvm::none_of(axes, narrowed))
    return value;
  SmallVector<int64_t> target = shapeOf(value);
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
    Value counted = build.iota(target, iota.getAxis(), elementOf(value));
    int64_t axis = axes[iota.getAxis()];
    if (!narrowed(axis))
      return counted;
    Value start = build.cast(starts[axis], elementOf(value));
    return build.binary<AddOp>(counted, build.broadcast(start, target, {}));
  }
  if (auto transpose = dyn_cast_or_null<TransposeOp>(def)) {
    SmallVector<int64_t> inner(axes.size());
    for (auto [axis, source] : llvm::enumerate(transpose.getPerm()))
      inner[source] = axes[axis];
    return build.transpose(restrict(transpose.getInput(), inner),
                           transpose.getPerm());
  }
  if (auto constant = dyn_cast_or_null<ConstantOp>(def))
    return build.like(def, {}, tensorType(target, elementOf(value)));
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

  // Anything else is computed in full, and the window read from it.
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (!narrowed(axis))
      continue;
    if (std::optional<int64_t> known = constantInteger(starts[axis])) {
      value = build.slice(value, number, *known, sizes[axis]);
      continue;
    }
    SmallVector<int64_t> wanted = shapeOf(value);
    wanted[number] = sizes[axis];
    Value positions = starts[axis];
    if (sizes[axis] != 1) {
      Type i64 = build.builder.getI64Type();
      positions =
          build.binary<AddOp>(build.iota({sizes[axis]}, 0, i64),
                              build.broadcast(positions, {sizes[axis]}, {}));
    }
    value = build.reshape(build.take(value, positions, number), wanted);
  }
  return value;
}

Value UpdateBuilder::finish() {
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  Value block =
      build.select(restrict(op.getCondition(), axes),
                   restrict(op.getOnTrue(), axes), restrict(cache, axes));
  for (Value &start : starts)
    if (!start)
      start = build.integer(0, build.builder.getI64Type());
  return UpdateSliceOp::create(build.builder, build.loc, cache.getType(), cache,
                               block, starts)
      .getResult();
}

/// Replaces `op` if its mask is true only in a window; says whether it did.
bool narrow(SelectOp op, int64_t maxUpdates) {
  Value result = op.getResult();
  if (!isStaticTensor(result) || rankOf(result) == 0)
    return false;
  SmallVector<int64_t> shape = shapeOf(result);
  if (llvm::is_contained(shape, 0))
    return false;

  SmallVector<Place> places;
  for (int64_t axis = 0; axis < rankOf(result); ++axis)
    places.push_back({Place::Along, axis});
  SmallVector<Condition> conditions;
  SmallVector<int64_t> bounds;
  conditionsOf(op.getCondition(), places, conditions, bounds);
  SmallVector<Window> windows = findWindows(conditions, shape);
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
    updates *=
        place.kind == Place::Along ? shape[place.number] : bounds[place.number];
    if (updates > maxUpdates)
      return false;
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
  Value cache = op.getOnFalse();
  for (int64_t number = 0; number < updates; ++number) {
    UpdateBuilder update(build, op, cache);
    int64_t rest = number;
    for (Place place : llvm::reverse(fixed)) {
      bool along = place.kind == Place::Along;
      int64_t count = along ? shape[place.number] : bounds[place.number];
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
  op.getResult().replaceAllUsesWith(cache);
  op.erase();
  return true;
}

struct NarrowMaskedWrites
    : linnet::impl::NarrowMaskedWritesBase<NarrowMaskedWrites> {
  using NarrowMaskedWritesBase::NarrowMaskedWritesBase;

  void runOnOperation() override {
    SmallVector<SelectOp> all;
    getOperation()->walk([&](SelectOp op) { all.push_back(op); });
    for (SelectOp op : all)
      narrow(op, maxUpdates.getValue());
  }
};

} // namespace
