// Integers and masks that are known: folded, or not computed at all.
//
// Only integers and booleans: their arithmetic is exact, and wraps the same
// here as on every target.

#include "lib/Lower/Simplify/Patterns.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace linnet {
namespace {

/// The least and the greatest that an integer tensor can hold.
using Range = std::pair<int64_t, int64_t>;

// What a range follows through; deeper than masks of a cache ever are.
constexpr int maxDepth = 8;

bool hasElements(Value value) {
  return llvm::all_of(shapeOf(value), [&](const Size &size) {
    std::optional<Range> range =
        rangeOf(size, value.getParentRegion()->getParentOp());
    return range && range->first > 0;
  });
}

std::optional<Range> within(__int128 low, __int128 high, Range limits) {
  if (low < limits.first || high > limits.second)
    return limits; // it may wrap
  return Range(low, high);
}

/// The range of `value`; none where its elements are no integers that `int64_t`
/// holds.
std::optional<Range> boundsOf(Value value, int depth = 0) {
  Type element = elementOf(value);
  if (!isa<IntegerType>(element) || element.isInteger(1) ||
      (element.isUnsignedInteger() && element.getIntOrFloatBitWidth() == 64))
    return std::nullopt;
  if (std::optional<int64_t> known = constantInteger(value))
    return Range(*known, *known);
  Range limits = rangeOf(element);
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return limits;
  auto of = [&](unsigned operand) {
    return boundsOf(op->getOperand(operand), depth + 1);
  };

  if (auto iota = dyn_cast<IotaOp>(op)) {
    std::optional<Range> extent = rangeOf(shapeOf(value)[iota.getAxis()], op);
    return extent ? within(0, std::max<int64_t>(extent->second, 1) - 1, limits)
                  : limits;
  }
  if (auto size = dyn_cast<DimConstantOp>(op)) {
    std::optional<Range> range = rangeOf(size.getValue().getValue(), op);
    return range ? within(range->first, range->second, limits) : limits;
  }
  if (isa<SplatOp, BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(op))
    return of(0);
  if (isa<TakeOp>(op) && hasElements(op->getOperand(0)))
    return of(0);
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && hasElements(reduce.getInput()) &&
      (reduce.getKind() == ReduceKind::Max ||
       reduce.getKind() == ReduceKind::Min))
    return of(0);
  if (isa<CastOp>(op)) {
    std::optional<Range> input = of(0);
    return input ? within(input->first, input->second, limits) : limits;
  }
  if (isa<SelectOp>(op)) {
    Range a = *of(1), b = *of(2);
    return Range(std::min(a.first, b.first), std::max(a.second, b.second));
  }
  if (!isa<AddOp, SubOp, MulOp, MinOp, MaxOp>(op))
    return limits;
  Range a = *of(0), b = *of(1);
  if (isa<MinOp>(op))
    return Range(std::min(a.first, b.first), std::min(a.second, b.second));
  if (isa<MaxOp>(op))
    return Range(std::max(a.first, b.first), std::max(a.second, b.second));
  if (isa<AddOp>(op))
    return within(__int128(a.first) + b.first, __int128(a.second) + b.second,
                  limits);
  if (isa<SubOp>(op))
    return within(__int128(a.first) - b.second, __int128(a.second) - b.first,
                  limits);
  __int128 corners[] = {
      __int128(a.first) * b.first, __int128(a.first) * b.second,
      __int128(a.second) * b.first, __int128(a.second) * b.second};
  return within(*std::min_element(corners, corners + 4),
                *std::max_element(corners, corners + 4), limits);
}

Value boolean(bool value, ArrayRef<Size> shape, TensorBuilder &build) {
  Value scalar = ConstantOp::create(build.builder, build.loc,
                                    tensorType({}, build.builder.getI1Type()),
                                    build.builder.getBoolAttr(value));
  return build.constantLike(scalar.getDefiningOp<ConstantOp>(), shape);
}

// min(a, b) => a    max(a, b) => b    where a <= b everywhere
template <typename Op> struct DropClamp : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<Range> lhs = boundsOf(op.getLhs()),
                         rhs = boundsOf(op.getRhs());
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "the ranges are not known");
    constexpr bool isMin = std::is_same_v<Op, MinOp>;
    if (lhs->second <= rhs->first)
      rewriter.replaceOp(op, isMin ? op.getLhs() : op.getRhs());
    else if (rhs->second <= lhs->first)
      rewriter.replaceOp(op, isMin ? op.getRhs() : op.getLhs());
    else
      return rewriter.notifyMatchFailure(op, "the ranges overlap");
    return success();
  }
};

// a < b => true, or false, where the ranges leave nothing else; so the others
struct FoldCompare : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;

  static std::optional<bool> decide(Predicate predicate, Range a, Range b) {
    switch (predicate) {
    case Predicate::Lt:
      return a.second < b.first    ? std::optional(true)
             : a.first >= b.second ? std::optional(false)
                                   : std::nullopt;
    case Predicate::Le:
      return a.second <= b.first  ? std::optional(true)
             : a.first > b.second ? std::optional(false)
                                  : std::nullopt;
    case Predicate::Gt:
      return decide(Predicate::Lt, b, a);
    case Predicate::Ge:
      return decide(Predicate::Le, b, a);
    case Predicate::Eq:
      if (a.first == a.second && a == b)
        return true;
      if (a.second < b.first || b.second < a.first)
        return false;
      return std::nullopt;
    case Predicate::Ne:
      if (std::optional<bool> equal = decide(Predicate::Eq, a, b))
        return !*equal;
      return std::nullopt;
    }
    llvm_unreachable("all predicates are listed");
  }

  LogicalResult matchAndRewrite(CompareOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Range> lhs = boundsOf(op.getLhs()),
                         rhs = boundsOf(op.getRhs());
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "the ranges are not known");
    std::optional<bool> known = decide(op.getPredicate(), *lhs, *rhs);
    if (!known)
      return rewriter.notifyMatchFailure(op, "the ranges leave both");
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op, boolean(*known, shapeOf(op.getResult()), build));
    return success();
  }
};

// select(true, a, b) => a    select(false, a, b) => b
struct FoldSelect : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<bool> known = constantBool(op.getCondition());
    if (!known)
      return rewriter.notifyMatchFailure(op, "the mask is not constant");
    rewriter.replaceOp(op, *known ? op.getOnTrue() : op.getOnFalse());
    return success();
  }
};

// and(x, true) => x    and(x, false) => false    or(x, false) => x ...
template <typename Op> struct FoldLogic : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    for (auto [constant, other] : {std::pair(op.getLhs(), op.getRhs()),
                                   std::pair(op.getRhs(), op.getLhs())}) {
      std::optional<bool> known = constantBool(constant);
      if (!known)
        continue;
      rewriter.replaceOp(op, *known == std::is_same_v<Op, AndOp> ? other
                                                                 : constant);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is a constant mask");
  }
};

// not(true) => false    any(true), all(true) => true    so for false
template <typename Op> struct FoldMask : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value input = op->getOperand(0);
    std::optional<bool> known = constantBool(input);
    if (!known)
      return rewriter.notifyMatchFailure(op, "the mask is not constant");
    if (!hasElements(input))
      return rewriter.notifyMatchFailure(op, "nothing is reduced");
    TensorBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op, boolean(*known != std::is_same_v<Op, NotOp>,
                                   shapeOf(op.getResult()), build));
    return success();
  }
};

// add, sub, mul of constant integers => their value; x + 0, x - 0, x * 1 => x
template <typename Op> struct FoldArithmetic : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  static uint64_t combine(uint64_t lhs, uint64_t rhs) {
    if constexpr (std::is_same_v<Op, AddOp>)
      return lhs + rhs;
    if constexpr (std::is_same_v<Op, SubOp>)
      return lhs - rhs;
    return lhs * rhs;
  }

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> lhs = constantInteger(op.getLhs()),
                           rhs = constantInteger(op.getRhs());
    Type element = elementOf(op.getResult());
    if (lhs && rhs) {
      std::optional<int64_t> value = wrapTo(combine(*lhs, *rhs), element);
      if (!value)
        return rewriter.notifyMatchFailure(op, "the value has no literal");
      TensorBuilder build(rewriter, op.getLoc());
      rewriter.replaceOp(
          op, build.integer(*value, element, shapeOf(op.getResult())));
      return success();
    }
    int64_t neutral = std::is_same_v<Op, MulOp> ? 1 : 0;
    if (rhs == neutral)
      rewriter.replaceOp(op, op.getLhs());
    else if (lhs == neutral && !std::is_same_v<Op, SubOp>)
      rewriter.replaceOp(op, op.getRhs());
    else
      return rewriter.notifyMatchFailure(op, "no operand is neutral");
    return success();
  }
};

// cast(c) => c in the other integer type
// cast<T>(size as a U) => size as a T    where U holds the size
// cast<T>(cast<U>(x)) => x    where x has type T and every T is a U
// cast<T>(iota<U>) => iota<T>    where U holds all of the positions
struct FoldCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    Type to = elementOf(op.getResult());
    Sizes shape = shapeOf(op.getResult());
    TensorBuilder build(rewriter, op.getLoc());
    if (std::optional<int64_t> known = constantInteger(op.getResult())) {
      rewriter.replaceOp(op, build.integer(*known, to, shape));
      return success();
    }
    Operation *def = op.getInput().getDefiningOp();
    if (auto size = dyn_cast_or_null<DimConstantOp>(def)) {
      Type from = elementOf(size.getResult());
      std::optional<Range> range = rangeOf(size.getValue().getValue(), size);
      if (!isa<IntegerType>(from) || !isa<IntegerType>(to) || to.isInteger(1) ||
          !range || range->first < rangeOf(from).first ||
          range->second > rangeOf(from).second)
        return rewriter.notifyMatchFailure(op, "the size may have wrapped");
      rewriter.replaceOpWithNewOp<DimConstantOp>(op, op.getType(),
                                                 size.getValueAttr());
      return success();
    }
    if (auto inner = dyn_cast_or_null<CastOp>(def)) {
      Type from = elementOf(inner.getInput()),
           middle = elementOf(inner.getResult());
      bool isKept =
          isa<IntegerType>(from) && isa<IntegerType>(middle) &&
          !from.isInteger(1) && !middle.isInteger(1) &&
          from.getIntOrFloatBitWidth() <= middle.getIntOrFloatBitWidth();
      if (from != to || !isKept)
        return rewriter.notifyMatchFailure(op, "the casts do not cancel");
      rewriter.replaceOp(op, inner.getInput());
      return success();
    }
    if (auto iota = dyn_cast_or_null<IotaOp>(def)) {
      Type from = elementOf(iota.getResult());
      std::optional<Range> extent = rangeOf(shape[iota.getAxis()], iota);
      if (!isa<IntegerType>(from) || !isa<IntegerType>(to) || to.isInteger(1) ||
          !extent || extent->second - 1 > rangeOf(from).second)
        return rewriter.notifyMatchFailure(op, "the positions wrapped");
      rewriter.replaceOp(op, build.iota(shape, iota.getAxis(), to));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "the input is computed");
  }
};

} // namespace

void populateConstantPatterns(RewritePatternSet &patterns) {
  patterns.add<DropClamp<MinOp>, DropClamp<MaxOp>, FoldCompare, FoldSelect,
               FoldLogic<AndOp>, FoldLogic<OrOp>, FoldMask<NotOp>,
               FoldMask<ReduceOp>, FoldArithmetic<AddOp>, FoldArithmetic<SubOp>,
               FoldArithmetic<MulOp>, FoldCast>(patterns.getContext());
}

} // namespace linnet
