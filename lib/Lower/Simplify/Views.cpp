// Views compose, move past casts, and disappear where they move nothing.

#include "lib/Lower/Simplify/Patterns.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace linnet {
namespace {

// A view whose result has its input's type and order => its input
template <typename Op> struct DropIdentity : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (op.getInput().getType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "the type changes");
    if constexpr (std::is_same_v<Op, TransposeOp>)
      if (!llvm::is_sorted(op.getPerm()))
        return rewriter.notifyMatchFailure(op, "axes move");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

// transpose(transpose(x, p), q) => transpose(x, p[q])
struct ComposeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "input is not a transpose");
    SmallVector<int64_t> perm;
    for (int64_t axis : op.getPerm())
      perm.push_back(inner.getPerm()[axis]);
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op, build.transpose(inner.getInput(), perm));
    return success();
  }
};

// transpose that moves axes of size one only => reshape, but in a call that is
// kept, which should read as it does at other sizes
struct ReshapeOfUnitMove : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getParentOfType<ScopeOp>())
      return rewriter.notifyMatchFailure(op, "is in a call that is kept");
    Sizes sizes = shapeOf(op.getInput());
    SmallVector<int64_t> moved;
    for (int64_t axis : op.getPerm())
      if (sizes[axis] != 1)
        moved.push_back(axis);
    if (!llvm::is_sorted(moved))
      return rewriter.notifyMatchFailure(op, "an axis with elements moves");
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op,
                       build.reshape(op.getInput(), shapeOf(op.getResult())));
    return success();
  }
};

// cast(transpose(x)) => transpose(cast(x)), so that the transpose meets its
// contraction
struct SinkTransposeBelowCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    auto transpose = op.getInput().getDefiningOp<TransposeOp>();
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "input is not a transpose");
    TensorBuilder build(rewriter, op.getLoc());
    Value cast = build.cast(transpose.getInput(), elementOf(op.getResult()));
    rewriter.replaceOp(op, build.transpose(cast, transpose.getPerm()));
    return success();
  }
};

// reshape(reshape(x)) => reshape(x)
struct ComposeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "input is not a reshape");
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, build.reshape(inner.getInput(), shapeOf(op.getResult())));
    return success();
  }
};

// broadcast(broadcast(x)) => broadcast(x)
struct ComposeBroadcasts : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<BroadcastOp>();
    if (!inner || !inner.getAxes() || !op.getAxes())
      return rewriter.notifyMatchFailure(
          op, "input is not a broadcast along named axes");
    ArrayRef<int64_t> first = *inner.getAxes(), second = *op.getAxes();
    SmallVector<int64_t> axes;
    for (int64_t axis : first)
      axes.push_back(second[axis]);
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, build.broadcast(inner.getInput(), shapeOf(op.getResult()), axes));
    return success();
  }
};

// broadcast(reshape(x)) that only added axes of size one => broadcast(x)
struct BroadcastBeforeUnitAxes : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !op.getAxes())
      return rewriter.notifyMatchFailure(op, "input is not a reshape");
    Sizes from = shapeOf(reshape.getInput()), to = shapeOf(op.getInput());
    SmallVector<int64_t> axes;
    size_t next = 0;
    for (auto [size, axis] : llvm::zip(to, *op.getAxes())) {
      if (next < from.size() && from[next] == size) {
        axes.push_back(axis);
        ++next;
      } else if (size != 1) {
        return rewriter.notifyMatchFailure(
            op, "the reshape does more than add axes");
      }
    }
    if (next != from.size())
      return rewriter.notifyMatchFailure(op, "the reshape drops axes");
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, build.broadcast(reshape.getInput(), shapeOf(op.getResult()), axes));
    return success();
  }
};

/// `c` where element `j` of `positions`, of rank one, is `j + c`.
std::optional<int64_t> offsetOfCount(Value positions) {
  Operation *op = positions.getDefiningOp();
  if (auto iota = dyn_cast_or_null<IotaOp>(op)) {
    auto extent = rangeOf(shapeOf(positions)[0], op);
    if (!extent || extent->second - 1 > rangeOf(elementOf(positions)).second)
      return std::nullopt; // it wraps
    return 0;
  }
  if (!isa_and_nonnull<AddOp, SubOp>(op))
    return std::nullopt;
  std::optional<int64_t> counted = offsetOfCount(op->getOperand(0)),
                         shift = constantInteger(op->getOperand(1));
  if (isa<AddOp>(op) && !counted) {
    counted = offsetOfCount(op->getOperand(1));
    shift = constantInteger(op->getOperand(0));
  }
  // What is far from zero might wrap.
  auto isSmall = [](int64_t value) {
    return value >= INT32_MIN && value <= INT32_MAX;
  };
  if (!counted || !shift || !isSmall(*shift) || !isSmall(*counted))
    return std::nullopt;
  int64_t offset = isa<AddOp>(op) ? *counted + *shift : *counted - *shift;
  auto extent = rangeOf(shapeOf(positions)[0], op);
  auto [least, most] = rangeOf(elementOf(positions));
  return offset >= least && extent && extent->second <= INT32_MAX &&
                 offset + extent->second - 1 <= most
             ? std::optional(offset)
             : std::nullopt;
}

// take(x, c) => x[c]    take(x, iota + c) => x[c:c + n]
// where every position lies on the axis, so that nothing clamps.
struct SliceOfKnownTake : OpRewritePattern<TakeOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Whether the value is that of its expression, and a position on an axis of
  /// this size.
  static bool isWithin(DimConstantOp position, const Size &size) {
    Size at = position.getValue().getValue();
    auto range = rangeOf(at, position), rest = rangeOf(size - at - 1, position);
    Type element = elementOf(position.getResult());
    return isa<IntegerType>(element) && range && rest && range->first >= 0 &&
           range->second <= rangeOf(element).second && rest->first >= 0;
  }

  LogicalResult matchAndRewrite(TakeOp op,
                                PatternRewriter &rewriter) const override {
    int64_t axis = op.getAxis();
    Size size = shapeOf(op.getInput())[axis];
    auto range = rangeOf(size, op);
    if (!range)
      return rewriter.notifyMatchFailure(op, "nothing is known of the size");
    TensorBuilder build(rewriter, op.getLoc());
    if (rankOf(op.getIndices()) == 0) {
      std::optional<int64_t> known = constantInteger(op.getIndices());
      if (known && size.known() && size != 0) {
        int64_t position = std::clamp<int64_t>(*known, 0, *size.known() - 1);
        rewriter.replaceOp(op, build.pick(op.getInput(), axis, position));
        return success();
      }
      // A size minus a number, such as the last position.
      auto position = op.getIndices().getDefiningOp<DimConstantOp>();
      if (known && *known >= 0 && *known < range->first)
        rewriter.replaceOp(op, build.pick(op.getInput(), axis, *known));
      else if (position && isWithin(position, size))
        rewriter.replaceOp(op, build.pick(op.getInput(), axis,
                                          position.getValue().getValue()));
      else
        return rewriter.notifyMatchFailure(op, "the position is not known");
      return success();
    }
    if (rankOf(op.getIndices()) != 1)
      return rewriter.notifyMatchFailure(op, "the positions have several axes");
    std::optional<int64_t> start = offsetOfCount(op.getIndices());
    if (!start)
      return rewriter.notifyMatchFailure(op,
                                         "the positions are not consecutive");
    Size count = shapeOf(op.getIndices())[0];
    auto rest = rangeOf(size - count - *start, op);
    if (*start < 0 || !rest || rest->first < 0)
      return rewriter.notifyMatchFailure(op, "some positions lie outside");
    rewriter.replaceOp(op, build.slice(op.getInput(), axis, *start, count));
    return success();
  }
};

// reduce over axes of size one => reshape
struct ReshapeOfUnitReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    Sizes sizes = shapeOf(op.getInput());
    if (llvm::any_of(op.getAxes(),
                     [&](int64_t axis) { return sizes[axis] != 1; }))
      return rewriter.notifyMatchFailure(op,
                                         "an axis has more than one element");
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op,
                       build.reshape(op.getInput(), shapeOf(op.getResult())));
    return success();
  }
};

} // namespace

void populateViewPatterns(RewritePatternSet &patterns) {
  patterns.add<DropIdentity<TransposeOp>, DropIdentity<ReshapeOp>,
               DropIdentity<BroadcastOp>, DropIdentity<CastOp>,
               DropIdentity<SliceOp>, ComposeTransposes, ReshapeOfUnitMove,
               SinkTransposeBelowCast, ComposeReshapes, ComposeBroadcasts,
               BroadcastBeforeUnitAxes, SliceOfKnownTake, ReshapeOfUnitReduce>(
      patterns.getContext());
}

} // namespace linnet
