// Turns index notation into operations on whole tensors.
//
// A scalar of a comprehension becomes a tensor with one axis for each index it
// depends on
// (`Lifted`); operands are brought to one list of indices only where they meet.
// So a direct access costs nothing, and the sum of a product is
// `reduce(mul(broadcast, broadcast))`, which `linnet-simplify` turns into one
// contraction.

#include "lib/Lower/LowerComprehensions/LowerComprehensions.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

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
  LogicalResult lowerElementwise(Operation &op);

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
  void enter(Block &block) {
    for (Value label : block.getArguments())
      order[label] = order.size();
  }
  static int64_t extentOf(Value label) {
    auto type = cast<linnet::IndexType>(label.getType());
    return *cast<DimAttr>(type.getExtents().front()).asInteger();
  }

  Lifted takePositions(Lifted base, SmallVector<Axis> &axes,
                       TensorBuilder &build);
  Lifted takeDiagonals(Lifted base, TensorBuilder &build);

  OpBuilder &builder;
  DenseMap<Value, Lifted> lifted;
  DenseMap<Value, size_t> order; // when an index came into scope
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

  SmallVector<int64_t> shape, axes;
  for (Value label : target)
    shape.push_back(extentOf(label));
  for (int64_t axis : ArrayRef<int64_t>(perm).take_front(indexed))
    axes.push_back(place(value.labels[axis]));
  for (int64_t size : ArrayRef<int64_t>(shapeOf(turned)).drop_front(indexed)) {
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

  // What depends on no index is computed once, before the comprehension.
  bool varies = llvm::any_of(op.getOperands(), [&](Value operand) {
    return !lift(operand).labels.empty();
  });
  if (!varies && op.getNumRegions() == 0) {
    Operation *copy = builder.clone(op);
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(lift(operand.get()).tensor);
    for (auto [old, fresh] : llvm::zip(op.getResults(), copy->getResults()))
      lifted[old] = {fresh, {}};
    return success();
  }
  if (isElementwise(&op))
    return lowerElementwise(op);
  return op.emitError("[capability] `")
         << op.getName().stripDialect()
         << "` of a value that depends on an index is not lowered yet";
}

LogicalResult ComprehensionLowering::lowerElementwise(Operation &op) {
  SmallVector<Lifted> inputs;
  for (Value operand : op.getOperands()) {
    inputs.push_back(lift(operand));
    if (rankOf(operand) != 0)
      return op.emitError("[capability] `")
             << op.getName().stripDialect()
             << "` of a whole tensor that depends on an index is not lowered "
                "yet";
  }
  TensorBuilder build(builder, op.getLoc());
  SmallVector<Value> labels = unite(inputs), operands;
  for (const Lifted &input : inputs)
    operands.push_back(align(input, labels, build));
  Type result =
      tensorType(shapeOf(operands.front()), elementOf(op.getResult(0)));
  lifted[op.getResult(0)] = {build.like(&op, operands, result), labels};
  return success();
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
  if (failed(lowerBlock(yes)) || failed(lowerBlock(no)))
    return failure();
  TensorBuilder build(builder, op.getLoc());
  Lifted condition = lift(op.getCondition());
  for (auto [result, left, right] :
       llvm::zip(op.getResults(), yes.getTerminator()->getOperands(),
                 no.getTerminator()->getOperands())) {
    if (rankOf(result) != 0)
      return op.emitError(
          "[capability] a choice between tensors that depends on an index is "
          "not lowered yet");
    SmallVector<Value> labels = unite({condition, lift(left), lift(right)});
    lifted[result] = {build.select(align(condition, labels, build),
                                   align(lift(left), labels, build),
                                   align(lift(right), labels, build)),
                      labels};
  }
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
    int64_t axis = axes.size(), size = shapeOf(base.tensor)[axis];
    std::optional<int64_t> known = constantInteger(at.tensor);
    if (at.labels.empty() && known && *known >= 0 && *known < size)
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

  SmallVector<int64_t> shape = shapeOf(base.tensor), merged, rest;
  for (auto [number, axis] : llvm::enumerate(axes))
    (axis.isDirect() && !llvm::is_contained(shared, axis.label) ? rest : merged)
        .push_back(number);

  int64_t total = 1;
  for (int64_t axis : merged)
    total *= shape[axis];
  Type type = total <= INT32_MAX ? builder.getI32Type() : builder.getI64Type();
  SmallVector<int64_t> extents;
  for (Value label : shared)
    extents.push_back(extentOf(label));
  Value linear;
  int64_t stride = total;
  for (int64_t axis : merged) {
    stride /= std::max<int64_t>(shape[axis], 1);
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
      at = build.binary<MulOp>(at, build.integer(stride, type, extents));
    linear = linear ? build.binary<AddOp>(linear, at) : at;
  }

  SmallVector<int64_t> perm = merged, flat = {total};
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
      int64_t size = shapeOf(base.tensor)[first];
      Value turned = build.transpose(base.tensor, perm);
      SmallVector<int64_t> flat = shapeOf(turned);
      flat.erase(flat.begin());
      flat[0] = size * size;
      base = {build.slice(build.reshape(turned, flat), 0, 0, size, size + 1),
              labels};
      return takeDiagonals(base, build);
    }
  }
  return base;
}

bool isConstant(Type type) {
  if (auto tensor = dyn_cast<linnet::TensorType>(type))
    return tensor.isStatic();
  if (auto index = dyn_cast<linnet::IndexType>(type))
    return index.getExtents().size() == 1 &&
           isa<DimAttr>(index.getExtents().front()) &&
           cast<DimAttr>(index.getExtents().front()).asInteger();
  return true;
}

/// Whether every size that `op` and what it holds use is a number.
bool hasConstantSizes(Operation *op) {
  return !op->walk([](Operation *inner) {
              for (Region &region : inner->getRegions())
                for (Block &block : region)
                  if (!llvm::all_of(block.getArgumentTypes(), isConstant))
                    return WalkResult::interrupt();
              return llvm::all_of(inner->getOperandTypes(), isConstant) &&
                             llvm::all_of(inner->getResultTypes(), isConstant)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

struct LowerComprehensions
    : linnet::impl::LowerComprehensionsBase<LowerComprehensions> {
  void runOnOperation() override {
    // Outermost first: what stands inside is lowered with it.
    SmallVector<ComprehensionOp> all;
    getOperation()->walk<WalkOrder::PreOrder>([&](ComprehensionOp op) {
      all.push_back(op);
      return WalkResult::skip();
    });
    OpBuilder builder(&getContext());
    for (ComprehensionOp op : all) {
      if (!hasConstantSizes(op)) {
        op.emitError("needs constant dimensions, which `linnet-bind` gives");
        return signalPassFailure();
      }
      if (failed(ComprehensionLowering(builder).lower(op)))
        return signalPassFailure();
    }
  }
};

} // namespace
