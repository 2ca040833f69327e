// Turns index notation into operations on whole tensors.
//
// A scalar of a comprehension becomes a tensor with one axis for each index it
// depends on (`Lifted`); operands are brought to one list of indices only where
// they meet.
// So a direct access costs nothing, and the sum of a product is
// `reduce(mul(broadcast, broadcast))`, which `linnet-simplify` turns into one
// contraction. All of it reads and writes one map of lifted values, which is
// why it is one class and one long file.
//
// A loop runs once for all positions of its indices: a counted one as it is, a
// `while` until no position goes on, with the values of those that ended kept.

#include "lib/Lower/LowerComprehensions/LowerComprehensions.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

namespace linnet {
#define GEN_PASS_DEF_LOWERCOMPREHENSIONS
#include "lib/Lower/LowerComprehensions/LowerComprehensions.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

namespace {

/// A value of index notation, for every position of its indices at once.
struct Lifted {
  /// The leading axes lie along `labels`; further axes are the value's own.
  Value tensor;
  /// Indices (block arguments of `!linnet.index` type), each at most once.
  SmallVector<Value> labels;
};

/// One axis of an accessed tensor: along an index, or at a computed position.
struct Axis {
  Value label; // set on a direct use
  Lifted at;   // set on a computed use
  bool isDirect() const { return static_cast<bool>(label); }
};

/// Whether `value` is defined inside of `op`.
bool isOwn(Operation &op, Value value) {
  return llvm::any_of(op.getRegions(), [&](Region &region) {
    return region.isAncestor(value.getParentRegion());
  });
}

/// Whether `op` is or holds a loop that may never end.
bool mayRunOn(Operation &op) {
  return op.walk([](WhileOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

class ComprehensionLowering {
public:
  explicit ComprehensionLowering(OpBuilder &builder) : builder(builder) {}

  /// Lowers `op`, which stands in ordinary code, and replaces it.
  LogicalResult lower(ComprehensionOp op);

private:
  LogicalResult lowerBlock(Block &block);
  LogicalResult lowerOp(Operation &op);
  LogicalResult lowerAccess(AccessOp op);
  LogicalResult lowerReduction(ReduceOverOp op);
  LogicalResult lowerNested(ComprehensionOp op);
  LogicalResult lowerChoice(IfOp op);
  LogicalResult lowerFor(ForOp op);
  LogicalResult lowerWhile(WhileOp op);
  LogicalResult lowerElementwise(Operation &op);
  LogicalResult lowerTensorOp(Operation &op);
  void lowerTake(TakeOp op, TensorBuilder &build);
  bool hoist(Operation &op);

  /// What `value` is for all positions; values from outside have no index.
  Lifted lift(Value value) {
    auto found = lifted.find(value);
    return found == lifted.end() ? Lifted{value, {}} : found->second;
  }
  /// The same value with exactly the indices `target`, in that order.
  Value align(const Lifted &value, ArrayRef<Value> target,
              TensorBuilder &build);
  /// The indices of all `values`, outermost first.
  SmallVector<Value> unite(ArrayRef<Lifted> values);
  /// The indices that what `op` reads from outside of it depends on, outermost
  /// first.
  SmallVector<Value> labelsAround(Operation &op);
  /// `value` with a mask over `labels`, where one is needed, broadcast to it.
  Value choose(Value mask, Value yes, Value no, TensorBuilder &build);
  void enter(Block &block) {
    for (Value label : block.getArguments())
      order[label] = entered++;
  }
  static Size extentOf(Value label) {
    auto type = cast<linnet::IndexType>(label.getType());
    return cast<DimAttr>(type.getExtents().front()).getValue();
  }

  Lifted takePositions(Lifted base, SmallVector<Axis> &axes,
                       TensorBuilder &build);
  Lifted takeDiagonals(Lifted base, TensorBuilder &build);

  OpBuilder &builder;
  /// Where the branches around are taken; none outside of all branches.
  std::optional<Lifted> taken;
  Block ownLabels; // holds indices for the axes of whole tensors
  DenseMap<Value, Lifted> lifted;
  DenseMap<Value, size_t> order; // when an index came into scope, the last time
  size_t entered = 0;
};

SmallVector<Value> ComprehensionLowering::unite(ArrayRef<Lifted> values) {
  SmallVector<Value> all;
  for (const Lifted &value : values)
    for (Value label : value.labels)
      if (!llvm::is_contained(all, label))
        all.push_back(label);
  llvm::sort(all, [&](Value a, Value b) { return order[a] < order[b]; });
  return all;
}

Value ComprehensionLowering::align(const Lifted &value, ArrayRef<Value> target,
                                   TensorBuilder &build) {
  auto place = [&](Value label) -> int64_t {
    return llvm::find(target, label) - target.begin();
  };
  int64_t rank = rankOf(value.tensor), indexed = value.labels.size();

  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::stable_sort(perm.begin(), perm.begin() + indexed,
                   [&](int64_t a, int64_t b) {
                     return place(value.labels[a]) < place(value.labels[b]);
                   });
  Value turned = build.transpose(value.tensor, perm);

  Sizes shape;
  SmallVector<int64_t> axes;
  for (Value label : target)
    shape.push_back(extentOf(label));
  for (int64_t axis : ArrayRef<int64_t>(perm).take_front(indexed))
    axes.push_back(place(value.labels[axis]));
  // Named, since a loop keeps no temporary of its range but the last.
  Sizes all = shapeOf(turned);
  for (const Size &size : ArrayRef<Size>(all).drop_front(indexed)) {
    axes.push_back(shape.size());
    shape.push_back(size);
  }
  return build.broadcast(turned, shape, axes);
}

LogicalResult ComprehensionLowering::lower(ComprehensionOp op) {
  builder.setInsertionPoint(op);
  Block &body = op.getBody().front();
  enter(body);
  if (failed(lowerBlock(body)))
    return failure();
  TensorBuilder build(builder, op.getLoc());
  SmallVector<Value> outputs(body.getArguments().begin(),
                             body.getArguments().end());
  Value result =
      align(lift(body.getTerminator()->getOperand(0)), outputs, build);
  keepNames(op, result);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult ComprehensionLowering::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(lowerOp(op)))
      return failure();
  return success();
}

LogicalResult ComprehensionLowering::lowerOp(Operation &op) {
  if (auto access = dyn_cast<AccessOp>(op))
    return lowerAccess(access);
  if (auto reduction = dyn_cast<ReduceOverOp>(op))
    return lowerReduction(reduction);
  if (auto nested = dyn_cast<ComprehensionOp>(op))
    return lowerNested(nested);
  if (auto choice = dyn_cast<IfOp>(op))
    return lowerChoice(choice);

  // A loop of a branch that is not taken need not end, so it is not moved out.
  if (!(taken && mayRunOn(op)) && hoist(op))
    return success();
  if (auto loop = dyn_cast<ForOp>(op))
    return lowerFor(loop);
  if (auto loop = dyn_cast<WhileOp>(op))
    return lowerWhile(loop);
  if (isElementwise(&op))
    return lowerElementwise(op);
  return lowerTensorOp(op);
}

// What depends on no index is computed once, before the comprehension.
bool ComprehensionLowering::hoist(Operation &op) {
  IRMapping outside;
  WalkResult walk = op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (isOwn(op, operand))
        continue;
      if (order.contains(operand)) // an index
        return WalkResult::interrupt();
      auto found = lifted.find(operand);
      if (found == lifted.end())
        continue;
      if (!found->second.labels.empty())
        return WalkResult::interrupt();
      outside.map(operand, found->second.tensor);
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return false;
  Operation *copy = builder.clone(op, outside);
  for (auto [old, fresh] : llvm::zip(op.getResults(), copy->getResults()))
    lifted[old] = {fresh, {}};
  return true;
}

LogicalResult ComprehensionLowering::lowerElementwise(Operation &op) {
  SmallVector<Lifted> inputs;
  for (Value operand : op.getOperands())
    inputs.push_back(lift(operand));
  TensorBuilder build(builder, op.getLoc());
  SmallVector<Value> labels = unite(inputs), operands;
  for (const Lifted &input : inputs)
    operands.push_back(align(input, labels, build));
  Type result =
      tensorType(shapeOf(operands.front()), elementOf(op.getResult(0)));
  lifted[op.getResult(0)] = {build.like(&op, operands, result), labels};
  return success();
}

// Ops on whole tensors stand inside where a call was bound. Each is done for
// all indices at once: they are further axes in front.
LogicalResult ComprehensionLowering::lowerTensorOp(Operation &op) {
  TensorBuilder build(builder, op.getLoc());
  if (auto take = dyn_cast<TakeOp>(op)) {
    lowerTake(take, build);
    return success();
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    SmallVector<Lifted> inputs;
    for (Value operand : op.getOperands())
      inputs.push_back(lift(operand));
    SmallVector<Value> labels = unite(inputs), operands;
    for (const Lifted &input : inputs)
      operands.push_back(align(input, labels, build));
    lifted[concat.getResult()] = {
        build.concat(operands, concat.getAxis() + labels.size()), labels};
    return success();
  }
  if (auto sums = dyn_cast<CumsumOp>(op)) {
    Lifted input = lift(sums.getInput());
    lifted[sums.getResult()] = {
        build.cumsum(input.tensor, sums.getAxis() + input.labels.size()),
        input.labels};
    return success();
  }
  if (!isa<SplatOp, ReshapeOp, TransposeOp, BroadcastOp, SliceOp>(op))
    return op.emitError("[capability] `")
           << op.getName().stripDialect()
           << "` of a value that depends on an index is not lowered yet";

  Lifted input = lift(op.getOperand(0));
  int64_t count = input.labels.size();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, count));
  Sizes shape = shapeOf(input.tensor);
  shape.truncate(count);
  llvm::append_range(shape, shapeOf(op.getResult(0)));
  Value result = input.tensor;
  if (isa<SplatOp>(op)) {
    result = build.broadcast(result, shape, axes);
  } else if (isa<ReshapeOp>(op)) {
    result = build.reshape(result, shape);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (int64_t axis : transpose.getPerm())
      axes.push_back(count + axis);
    result = build.transpose(result, axes);
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    ArrayRef<int64_t> along = *broadcast.getAxes();
    for (int64_t axis : along)
      axes.push_back(count + axis);
    result = build.broadcast(result, shape, axes);
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [axis, start, step] : llvm::enumerate(
             slice.getStarts().getAsRange<DimAttr>(), slice.getSteps()))
      result = build.slice(result, count + axis, start.getValue(),
                           shape[count + axis], step);
  }
  lifted[op.getResult(0)] = {result, input.labels};
  return success();
}

// take(x, i, k) is the access x[.., i[..], ..], with an index for each axis of
// the result.
void ComprehensionLowering::lowerTake(TakeOp op, TensorBuilder &build) {
  Lifted base = lift(op.getInput()), positions = lift(op.getIndices());
  SmallVector<Value> outer = unite({base, positions}), own;
  for (const Size &size : shapeOf(op.getResult())) {
    Attribute extent = size.attr(builder.getContext());
    own.push_back(ownLabels.addArgument(
        linnet::IndexType::get(builder.getContext(), extent), op.getLoc()));
    order[own.back()] = entered++;
  }
  size_t axis = op.getAxis(), count = rankOf(op.getIndices());
  positions.labels.append(own.begin() + axis, own.begin() + axis + count);
  SmallVector<Axis> axes;
  for (Value label : base.labels)
    axes.push_back({label, {}});
  for (Value label : ArrayRef<Value>(own).take_front(axis))
    axes.push_back({label, {}});
  axes.push_back({Value(), positions});
  for (Value label : ArrayRef<Value>(own).drop_front(axis + count))
    axes.push_back({label, {}});
  base.labels.clear();
  Lifted taken = takeDiagonals(takePositions(base, axes, build), build);
  SmallVector<Value> labels = outer;
  labels.append(own);
  lifted[op.getResult()] = {align(taken, labels, build), outer};
}

LogicalResult ComprehensionLowering::lowerReduction(ReduceOverOp op) {
  Block &body = op.getBody().front();
  enter(body);
  if (failed(lowerBlock(body)))
    return failure();
  TensorBuilder build(builder, op.getLoc());
  Lifted value = lift(body.getTerminator()->getOperand(0));
  SmallVector<Value> kept, labels;
  for (Value label : unite(value))
    if (!llvm::is_contained(body.getArguments(), label))
      kept.push_back(label);
  labels = kept;
  SmallVector<int64_t> axes;
  for (Value label : body.getArguments()) {
    axes.push_back(labels.size());
    labels.push_back(label);
  }
  Value whole = align(value, labels, build);
  lifted[op.getResult()] = {build.reduce(op.getKind(), whole, axes), kept};
  return success();
}

// A comprehension inside another one comes from a call that has scalars only.
LogicalResult ComprehensionLowering::lowerNested(ComprehensionOp op) {
  Block &body = op.getBody().front();
  enter(body);
  if (failed(lowerBlock(body)))
    return failure();
  TensorBuilder build(builder, op.getLoc());
  Lifted value = lift(body.getTerminator()->getOperand(0));
  SmallVector<Value> outer;
  for (Value label : unite(value))
    if (!llvm::is_contained(body.getArguments(), label))
      outer.push_back(label);
  SmallVector<Value> labels = outer;
  labels.append(body.getArguments().begin(), body.getArguments().end());
  lifted[op.getResult()] = {align(value, labels, build), outer};
  return success();
}

// Elements choose: both branches are pure here, so both are computed.
LogicalResult ComprehensionLowering::lowerChoice(IfOp op) {
  Block &yes = op.getThenRegion().front(), &no = op.getElseRegion().front();
  TensorBuilder build(builder, op.getLoc());
  Lifted condition = lift(op.getCondition());
  std::optional<Lifted> around = taken;
  auto lowerBranch = [&](Block &branch, bool side) {
    if (!llvm::any_of(branch, mayRunOn))
      return lowerBlock(branch);
    Lifted mask = condition;
    if (!side)
      mask.tensor = NotOp::create(builder, op.getLoc(), mask.tensor.getType(),
                                  mask.tensor);
    if (around) {
      SmallVector<Value> labels = unite({mask, *around});
      mask = {build.binary<AndOp>(align(mask, labels, build),
                                  align(*around, labels, build)),
              labels};
    }
    taken = mask;
    LogicalResult lowered = lowerBlock(branch);
    taken = around;
    return lowered;
  };
  if (failed(lowerBranch(yes, true)) || failed(lowerBranch(no, false)))
    return failure();
  for (auto [result, left, right] :
       llvm::zip(op.getResults(), yes.getTerminator()->getOperands(),
                 no.getTerminator()->getOperands())) {
    SmallVector<Value> labels = unite({condition, lift(left), lift(right)});
    Value onTrue = align(lift(left), labels, build);
    lifted[result] = {choose(align(condition, labels, build), onTrue,
                             align(lift(right), labels, build), build),
                      labels};
  }
  return success();
}

Value ComprehensionLowering::choose(Value mask, Value yes, Value no,
                                    TensorBuilder &build) {
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, rankOf(mask)));
  return build.select(build.broadcast(mask, shapeOf(yes), axes), yes, no);
}

SmallVector<Value> ComprehensionLowering::labelsAround(Operation &op) {
  SmallVector<Lifted> read;
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (isOwn(op, operand))
        continue;
      if (order.contains(operand))
        read.push_back({Value(), {operand}});
      else if (auto found = lifted.find(operand); found != lifted.end())
        read.push_back(found->second);
    }
  });
  if (taken && isa<WhileOp>(op))
    read.push_back(*taken);
  return unite(read);
}

// for i = lo to hi (x = x0) stack (S) { y(i, x), e(i, x) }
//   =>  the same for all positions at once: what is carried, and each element,
//       has the indices as further axes in front
LogicalResult ComprehensionLowering::lowerFor(ForOp op) {
  TensorBuilder build(builder, op.getLoc());
  SmallVector<Value> labels = labelsAround(*op), inits;
  Sizes extents;
  for (Value label : labels)
    extents.push_back(extentOf(label));
  for (Value init : op.getInits())
    inits.push_back(align(lift(init), labels, build));
  SmallVector<Type> types(ValueRange(inits).getTypes());
  for (Value stack : op.getStacks()) {
    Sizes own = shapeOf(stack), shape{own.front()};
    llvm::append_range(shape, extents);
    shape.append(own.begin() + 1, own.end());
    types.push_back(tensorType(shape, elementOf(stack)));
  }
  OperationState state(op.getLoc(), ForOp::getOperationName(), inits, types);
  state.addRegion();
  state.addAttributes(op->getAttrs());
  auto loop = cast<ForOp>(builder.create(state));

  Block &from = op.getBody().front();
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> arguments{from.getArgument(0).getType()};
    llvm::append_range(arguments, ValueRange(inits).getTypes());
    SmallVector<Location> locs(arguments.size(), op.getLoc());
    Block *body = builder.createBlock(&loop.getBody(), {}, arguments, locs);
    lifted[from.getArgument(0)] = {body->getArgument(0), {}};
    for (auto [old, fresh] : llvm::zip_equal(from.getArguments().drop_front(),
                                             body->getArguments().drop_front()))
      lifted[old] = {fresh, labels};
    if (failed(lowerBlock(from)))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : from.getTerminator()->getOperands())
      yielded.push_back(align(lift(value), labels, build));
    YieldOp::create(builder, op.getLoc(), yielded);
  }
  for (auto [old, fresh] : llvm::zip_equal(op.getCarried(), loop.getCarried()))
    lifted[old] = {fresh, labels};
  for (auto [old, fresh] : llvm::zip_equal(op.getStacks(), loop.getStacks())) {
    // The axis of the stack goes behind those of the indices.
    SmallVector<int64_t> perm;
    for (size_t i = 0; i < labels.size(); ++i)
      perm.push_back(i + 1);
    perm.push_back(0);
    for (int64_t axis = perm.size(); axis < rankOf(fresh); ++axis)
      perm.push_back(axis);
    lifted[old] = {build.transpose(fresh, perm), labels};
  }
  return success();
}

// while (x = x0) { c(x) } do { y(x) }
//   =>  while (x = x0, m = c(x0)) { any(m) }
//       do { z = select(m, y(x), x);  z, m and c(z) }
// for all positions at once; one that has ended keeps its values.
LogicalResult ComprehensionLowering::lowerWhile(WhileOp op) {
  TensorBuilder build(builder, op.getLoc());
  SmallVector<Value> labels = labelsAround(*op), inits;
  for (Value init : op.getInits())
    inits.push_back(align(lift(init), labels, build));
  // The condition is evaluated anew at each place where `carried` holds.
  auto evaluate = [&](ValueRange carried) -> FailureOr<Value> {
    Block &before = op.getBefore().front();
    for (auto [old, fresh] : llvm::zip_equal(before.getArguments(), carried))
      lifted[old] = {fresh, labels};
    if (failed(lowerBlock(before)))
      return failure();
    return align(lift(before.getTerminator()->getOperand(0)), labels, build);
  };
  FailureOr<Value> first = evaluate(inits);
  if (failed(first))
    return failure();
  if (taken)
    first = build.binary<AndOp>(*first, align(*taken, labels, build));
  inits.push_back(*first);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  OperationState state(op.getLoc(), WhileOp::getOperationName(), inits, types);
  state.addRegion();
  state.addRegion();
  auto loop = cast<WhileOp>(builder.create(state));

  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locs(types.size(), op.getLoc());
    Block *before = builder.createBlock(&loop.getBefore(), {}, types, locs);
    Value active = before->getArguments().back();
    ConditionOp::create(
        builder, op.getLoc(),
        build.reduce(ReduceKind::Any, active,
                     llvm::to_vector(llvm::seq<int64_t>(0, rankOf(active)))));

    Block *body = builder.createBlock(&loop.getBody(), {}, types, locs);
    Block &from = op.getBody().front();
    ValueRange carried = ValueRange(body->getArguments()).drop_back();
    for (auto [old, fresh] : llvm::zip_equal(from.getArguments(), carried))
      lifted[old] = {fresh, labels};
    if (failed(lowerBlock(from)))
      return failure();
    SmallVector<Value> next;
    active = body->getArguments().back();
    for (auto [value, kept] :
         llvm::zip_equal(from.getTerminator()->getOperands(), carried))
      next.push_back(
          choose(active, align(lift(value), labels, build), kept, build));
    FailureOr<Value> again = evaluate(next);
    if (failed(again))
      return failure();
    next.push_back(build.binary<AndOp>(active, *again));
    YieldOp::create(builder, op.getLoc(), next);
  }
  for (auto [old, fresh] :
       llvm::zip_equal(op->getResults(), loop->getResults().drop_back()))
    lifted[old] = {fresh, labels};
  return success();
}

LogicalResult ComprehensionLowering::lowerAccess(AccessOp op) {
  TensorBuilder build(builder, op.getLoc());
  Lifted base = lift(op.getBase());
  SmallVector<Axis> axes;
  for (Value label : base.labels)
    axes.push_back({label, {}});
  for (Value part : op.getParts()) {
    if (isa<linnet::IndexType>(part.getType())) {
      axes.push_back({part, {}});
      continue;
    }
    // A position known here is a view of the base.
    Lifted at = lift(part);
    int64_t axis = axes.size();
    std::optional<int64_t> size = shapeOf(base.tensor)[axis].known();
    std::optional<int64_t> known = constantInteger(at.tensor);
    if (at.labels.empty() && known && *known >= 0 && size && *known < *size)
      base.tensor = build.pick(base.tensor, axis, *known);
    else
      axes.push_back({Value(), at});
  }
  base.labels.clear();
  lifted[op.getResult()] =
      takeDiagonals(takePositions(base, axes, build), build);
  return success();
}

// x[i, e(j), k] => take(x, e, axis = 1) along (i, j, k). With several computed
// positions, or one that uses an index which also stands directly, these axes
// are merged into one and read at their row-major position.
Lifted ComprehensionLowering::takePositions(Lifted base,
                                            SmallVector<Axis> &axes,
                                            TensorBuilder &build) {
  SmallVector<Lifted> positions;
  for (const Axis &axis : axes)
    if (!axis.isDirect())
      positions.push_back(axis.at);
  auto directLabels = [&](auto range) {
    SmallVector<Value> labels;
    for (const Axis &axis : range)
      labels.push_back(axis.label);
    return labels;
  };
  if (positions.empty())
    return {base.tensor, directLabels(axes)};

  SmallVector<Value> shared = unite(positions);
  bool overlaps = llvm::any_of(axes, [&](const Axis &axis) {
    return axis.isDirect() && llvm::is_contained(shared, axis.label);
  });
  if (positions.size() == 1 && !overlaps) {
    int64_t at =
        llvm::find_if(axes, [](const Axis &axis) { return !axis.isDirect(); }) -
        axes.begin();
    SmallVector<Value> labels =
        directLabels(ArrayRef<Axis>(axes).take_front(at));
    labels.append(shared);
    labels.append(directLabels(ArrayRef<Axis>(axes).drop_front(at + 1)));
    return {build.take(base.tensor, align(positions[0], shared, build), at),
            labels};
  }

  Sizes shape = shapeOf(base.tensor);
  SmallVector<int64_t> merged, rest;
  for (auto [number, axis] : llvm::enumerate(axes))
    (axis.isDirect() && !llvm::is_contained(shared, axis.label) ? rest : merged)
        .push_back(number);

  // The distance of neighbours along each merged axis, the last one's first.
  Sizes strides{1};
  for (int64_t axis : llvm::reverse(merged))
    strides.push_back(strides.back() * shape[axis]);
  Size total = strides.pop_back_val();
  auto range = rangeOf(total, builder.getBlock()->getParentOp());
  Type type = range && range->second <= INT32_MAX ? builder.getI32Type()
                                                  : builder.getI64Type();
  Sizes extents;
  for (Value label : shared)
    extents.push_back(extentOf(label));
  Value linear;
  for (int64_t axis : merged) {
    Size stride = strides.pop_back_val();
    Value at;
    if (axes[axis].isDirect()) {
      int64_t place = llvm::find(shared, axes[axis].label) - shared.begin();
      at = build.iota(extents, place, type);
    } else {
      Value position = build.clamp(axes[axis].at.tensor, 0, shape[axis] - 1);
      at = align({build.cast(position, type), axes[axis].at.labels}, shared,
                 build);
    }
    if (stride != 1)
      at = build.binary<MulOp>(at, build.size(stride, type, extents));
    linear = linear ? build.binary<AddOp>(linear, at) : at;
  }

  SmallVector<int64_t> perm = merged;
  Sizes flat = {total};
  perm.append(rest);
  SmallVector<Value> labels = shared;
  for (int64_t axis : rest) {
    flat.push_back(shape[axis]);
    labels.push_back(axes[axis].label);
  }
  Value table = build.reshape(build.transpose(base.tensor, perm), flat);
  return {build.take(table, linear, 0), labels};
}

// x[i, i] => the view of x, its two axes merged, that steps by N + 1.
Lifted ComprehensionLowering::takeDiagonals(Lifted base, TensorBuilder &build) {
  for (size_t first = 0; first < base.labels.size(); ++first) {
    for (size_t second = first + 1; second < base.labels.size(); ++second) {
      if (base.labels[first] != base.labels[second])
        continue;
      SmallVector<int64_t> perm = {static_cast<int64_t>(first),
                                   static_cast<int64_t>(second)};
      SmallVector<Value> labels = {base.labels[first]};
      for (auto [axis, label] : llvm::enumerate(base.labels)) {
        if (axis == first || axis == second)
          continue;
        perm.push_back(axis);
        labels.push_back(label);
      }
      Size size = shapeOf(base.tensor)[first];
      Value turned = build.transpose(base.tensor, perm);
      Sizes flat = shapeOf(turned);
      flat.erase(flat.begin());
      flat[0] = size * size;
      Value merged = build.reshape(turned, flat);
      if (std::optional<int64_t> known = size.known()) {
        base = {build.slice(merged, 0, 0, size, *known + 1), labels};
      } else { // A view steps by numbers only.
        Type type = build.builder.getI64Type();
        Value step = build.size(size + 1, type, {size});
        Value places = build.binary<MulOp>(build.iota({size}, 0, type), step);
        base = {build.take(merged, places, 0), labels};
      }
      return takeDiagonals(base, build);
    }
  }
  return base;
}

struct LowerComprehensions
    : linnet::impl::LowerComprehensionsBase<LowerComprehensions> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    while (true) {
      // Outermost first: what stands inside is lowered with it. A loop that is
      // moved out of one brings its own along.
      SmallVector<ComprehensionOp> all;
      getOperation()->walk<WalkOrder::PreOrder>([&](ComprehensionOp op) {
        all.push_back(op);
        return WalkResult::skip();
      });
      if (all.empty())
        return;
      for (ComprehensionOp op : all) {
        if (!hasKnownAxes(op)) {
          op.emitError("needs plain dimensions, which `linnet-bind` gives");
          return signalPassFailure();
        }
        if (failed(ComprehensionLowering(builder).lower(op)))
          return signalPassFailure();
      }
    }
  }
};

} // namespace
