// Makes half bytes floating, as `dequantize_int4_groups` of std.quant does: the
// backends know that form.

#include "lib/Lower/StoreWeights/Groups.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace linnet {

constexpr int64_t leastGroup = 16;

int64_t groupOf(int64_t extent, int64_t wanted) {
  while (wanted >= leastGroup && extent % wanted != 0)
    wanted /= 2;
  return wanted >= leastGroup ? wanted : 0;
}

static bool isWholeAlong(SliceOp op, int64_t axis, int64_t extent) {
  auto start = dyn_cast<DimAttr>(op.getStarts()[axis]);
  return start && start.getValue().isZero() && op.getSteps()[axis] == 1 &&
         shapeOf(op.getResult())[axis] == extent;
}

bool isAlongGroups(OpOperand &use, int64_t axis, int64_t extent) {
  Operation *op = use.getOwner();
  if (auto take = dyn_cast<TakeOp>(op))
    return static_cast<int64_t>(take.getAxis()) == axis;
  if (auto slice = dyn_cast<SliceOp>(op))
    return isWholeAlong(slice, 1 - axis, extent);
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return false;
  bool isLeft = use.getOperandNumber() == 0;
  ArrayRef<int64_t> contracted =
      isLeft ? contract.getLhsContract() : contract.getRhsContract();
  return contracted.size() == 1 && contracted.front() != axis;
}

/// `(q - zero) * scale` in f32, the groups of each row side by side: [..., k]
/// from [..., groups, half a group] and two of [..., groups].
static Value dequantised(TensorBuilder &build, Value packed, Value scale,
                         Value zero) {
  Type byte = elementOf(packed), f32 = build.builder.getF32Type();
  Sizes shape = shapeOf(packed);
  Value four = build.integer(4, byte, shape);
  Sizes one(shape);
  one.push_back(1);
  auto shifted = [&](Value input) {
    return build.reshape(build.binary<ShrOp>(input, four), one);
  };
  Value low = shifted(build.binary<ShlOp>(packed, four));
  Value both = build.concat({low, shifted(packed)}, shape.size());
  shape.back() = shape.back() * Size(2);
  Value numbers = build.cast(build.reshape(both, shape), f32);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, shape.size() - 1));
  auto along = [&](Value each) { return build.broadcast(each, shape, axes); };
  numbers = build.binary<SubOp>(numbers, along(zero));
  numbers = build.binary<MulOp>(numbers, along(scale));
  Sizes rows(shape.begin(), std::prev(shape.end()));
  rows.back() = rows.back() * shape.back();
  return build.reshape(numbers, rows);
}

static void replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

void GroupReader::rewrite(OpOperand &use) {
  Operation *op = use.getOwner();
  OpBuilder builder(op);
  TensorBuilder build(builder, op->getLoc());
  // The argument itself has the narrow type already.
  Type element = use.get() == values ? wide : elementOf(use.get());
  SmallVector<int64_t> held =
      cast<linnet::TensorType>(values.getType()).getStaticShape();
  bool isGood = isAlongGroups(use, axis, 2 * held[1] * held[2]);

  if (auto take = dyn_cast<TakeOp>(op); take && isGood) {
    Value indices = take.getIndices();
    auto taken = [&](Value each) { return build.take(each, indices, 0); };
    Value rows = dequantised(build, taken(values), taken(scale), taken(zero));
    rows = build.cast(rows, element);
    if (axis == 1) { // what the program takes lies in columns
      int64_t count = rankOf(indices);
      SmallVector<int64_t> perm{count};
      llvm::append_range(perm, llvm::seq<int64_t>(0, count));
      rows = build.transpose(rows, perm);
    }
    return replace(op, rows);
  }

  auto transposed = [&](Value rows) {
    return axis == 1 ? build.transpose(rows, {1, 0}) : rows;
  };
  if (auto slice = dyn_cast<SliceOp>(op); slice && isGood) {
    Size start(cast<DimAttr>(slice.getStarts()[axis]).getValue());
    auto part = [&](Value each) {
      return build.slice(each, 0, start, shapeOf(slice.getResult())[axis],
                         slice.getSteps()[axis]);
    };
    Value rows = dequantised(build, part(values), part(scale), part(zero));
    return replace(op, transposed(build.cast(rows, element)));
  }

  Value rows = build.cast(dequantised(build, values, scale, zero), element);
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || !isGood)
    return use.set(transposed(rows));
  // The rows hold what is summed, whichever way the program has the matrix.
  bool isLeft = use.getOperandNumber() == 0;
  SmallVector<int64_t> left(contract.getLhsContract()),
      right(contract.getRhsContract());
  (isLeft ? left : right) = {1};
  Value product = ContractOp::create(builder, op->getLoc(), contract.getType(),
                                     isLeft ? rows : contract.getLhs(),
                                     isLeft ? contract.getRhs() : rows,
                                     contract.getLhsBatch(),
                                     contract.getRhsBatch(), left, right)
                      .getResult();
  replace(op, product);
}

} // namespace linnet
