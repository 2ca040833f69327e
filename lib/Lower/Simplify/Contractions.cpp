// Sums of products become contractions, and contractions take views and casts
// in.

#include "lib/Lower/Simplify/Patterns.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace linnet {
namespace {

/// A factor of a product: axis `k` of `value` lies along axis `axes[k]` of the
/// product.
struct Factor {
  Value value;
  SmallVector<int64_t> axes;
  bool spans(int64_t axis) const { return llvm::is_contained(axes, axis); }
  int64_t placeOf(int64_t axis) const {
    return llvm::find(axes, axis) - axes.begin();
  }
};

Factor factorOf(Value value, TensorBuilder &build) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast || !broadcast.getAxes())
    return {value, llvm::to_vector(llvm::seq<int64_t>(0, rankOf(value)))};
  // An axis of size one that is stretched is no axis of the factor.
  Sizes wide = shapeOf(value), shape;
  SmallVector<int64_t> axes;
  for (auto [size, axis] :
       llvm::zip(shapeOf(broadcast.getInput()), *broadcast.getAxes())) {
    if (size == 1 && wide[axis] != 1)
      continue;
    shape.push_back(size);
    axes.push_back(axis);
  }
  return {build.reshape(broadcast.getInput(), shape), axes};
}

// reduce sum (broadcast(a) * broadcast(b)) over R => transpose(contract(a, b))
// where both a and b have every axis of R, and one of them an axis of its own.
struct ContractSumOfProduct : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != ReduceKind::Sum)
      return rewriter.notifyMatchFailure(op, "not a sum");
    auto product = op.getInput().getDefiningOp<MulOp>();
    if (!product)
      return rewriter.notifyMatchFailure(op, "the body is not a product");
    Sizes shape = shapeOf(op.getInput());

    // Looks before it builds: a factor's axes need no new op.
    auto spans = [&](Value value, int64_t axis) {
      auto broadcast = value.getDefiningOp<BroadcastOp>();
      if (!broadcast)
        return true;
      if (!broadcast.getAxes())
        return false;
      Sizes sizes = shapeOf(broadcast.getInput());
      for (auto [size, along] : llvm::zip(sizes, *broadcast.getAxes()))
        if (along == axis)
          return size == shape[axis];
      return false;
    };
    bool free = false;
    for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
      bool left = spans(product.getLhs(), axis),
           right = spans(product.getRhs(), axis);
      if (llvm::is_contained(op.getAxes(), axis)) {
        if (!left || !right)
          return rewriter.notifyMatchFailure(op,
                                             "a factor lacks a summed axis");
      } else if (left != right) {
        free = true;
      } else if (!left) {
        return rewriter.notifyMatchFailure(
            op, "neither factor has one of the axes");
      }
    }
    if (!free)
      return rewriter.notifyMatchFailure(op,
                                         "no factor has an axis of its own");

    TensorBuilder build(rewriter, op.getLoc());
    Factor lhs = factorOf(product.getLhs(), build),
           rhs = factorOf(product.getRhs(), build);
    SmallVector<int64_t> batch, lhsFree, rhsFree;
    SmallVector<int64_t> lhsBatch, rhsBatch, lhsContracting, rhsContracting;
    for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
      if (llvm::is_contained(op.getAxes(), axis)) {
        lhsContracting.push_back(lhs.placeOf(axis));
        rhsContracting.push_back(rhs.placeOf(axis));
      } else if (lhs.spans(axis) && rhs.spans(axis)) {
        batch.push_back(axis);
        lhsBatch.push_back(lhs.placeOf(axis));
        rhsBatch.push_back(rhs.placeOf(axis));
      }
    }
    for (int64_t axis : lhs.axes)
      if (!rhs.spans(axis))
        lhsFree.push_back(axis);
    for (int64_t axis : rhs.axes)
      if (!lhs.spans(axis))
        rhsFree.push_back(axis);

    SmallVector<int64_t> order = batch;
    Sizes sizes;
    order.append(lhsFree);
    order.append(rhsFree);
    for (int64_t axis : order)
      sizes.push_back(shape[axis]);
    Value contraction =
        ContractOp::create(rewriter, op.getLoc(),
                           tensorType(sizes, elementOf(op.getResult())),
                           lhs.value, rhs.value, lhsBatch, rhsBatch,
                           lhsContracting, rhsContracting)
            .getResult();
    // The result's axes in the order of the product's.
    SmallVector<int64_t> perm =
        llvm::to_vector(llvm::seq<int64_t>(0, order.size()));
    llvm::sort(perm, [&](int64_t a, int64_t b) { return order[a] < order[b]; });
    rewriter.replaceOp(op, build.transpose(contraction, perm));
    return success();
  }
};

/// The axes of an operand that are neither batch nor contracted.
SmallVector<int64_t> freeAxes(int64_t rank, ArrayRef<int64_t> batch,
                              ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> free;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(batch, axis) &&
        !llvm::is_contained(contracting, axis))
      free.push_back(axis);
  return free;
}

// contract(transpose(a, p), b) => contract(a, b), the dimension numbers taken
// through p where a's free axes keep their order.
struct ContractUntransposed : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool absorb(Value &operand, SmallVector<int64_t> &batch,
                     SmallVector<int64_t> &contracting) {
    auto transpose = operand.getDefiningOp<TransposeOp>();
    if (!transpose)
      return false;
    ArrayRef<int64_t> perm = transpose.getPerm();
    SmallVector<int64_t> free;
    for (int64_t axis : freeAxes(perm.size(), batch, contracting))
      free.push_back(perm[axis]);
    if (!llvm::is_sorted(free))
      return false;
    for (int64_t &axis : batch)
      axis = perm[axis];
    for (int64_t &axis : contracting)
      axis = perm[axis];
    operand = transpose.getInput();
    return true;
  }

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    SmallVector<int64_t> lhsBatch(op.getLhsBatch()), rhsBatch(op.getRhsBatch());
    SmallVector<int64_t> lhsContracting(op.getLhsContract()),
        rhsContracting(op.getRhsContract());
    bool left = absorb(lhs, lhsBatch, lhsContracting);
    bool right = absorb(rhs, rhsBatch, rhsContracting);
    if (!left && !right)
      return rewriter.notifyMatchFailure(op,
                                         "no operand is a transpose that fits");
    rewriter.replaceOpWithNewOp<ContractOp>(op, op.getType(), lhs, rhs,
                                            lhsBatch, rhsBatch, lhsContracting,
                                            rhsContracting);
    return success();
  }
};

/// Whether every value of float type `narrow` is exact in float type `wide`.
bool widens(Type narrow, Type wide) {
  auto from = dyn_cast<FloatType>(narrow), to = dyn_cast<FloatType>(wide);
  if (!from || !to || from == to)
    return false;
  const llvm::fltSemantics &a = from.getFloatSemantics(),
                           &b = to.getFloatSemantics();
  return llvm::APFloat::semanticsPrecision(a) <=
             llvm::APFloat::semanticsPrecision(b) &&
         llvm::APFloat::semanticsMaxExponent(a) <=
             llvm::APFloat::semanticsMaxExponent(b) &&
         llvm::APFloat::semanticsMinExponent(a) >=
             llvm::APFloat::semanticsMinExponent(b);
}

// contract(cast<wide>(a), cast<wide>(b)) => contract(a, b) with a wide
// accumulator where both come from one narrower float type, so that each
// product is exact either way.
struct ContractInNarrowType : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<CastOp>(),
         rhs = op.getRhs().getDefiningOp<CastOp>();
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "an operand is not a cast");
    Type narrow = elementOf(lhs.getInput());
    if (narrow != elementOf(rhs.getInput()))
      return rewriter.notifyMatchFailure(op, "the operands were of two types");
    if (!widens(narrow, elementOf(op.getLhs())))
      return rewriter.notifyMatchFailure(op, "the cast loses values");
    rewriter.replaceOpWithNewOp<ContractOp>(
        op, op.getType(), lhs.getInput(), rhs.getInput(), op.getLhsBatch(),
        op.getRhsBatch(), op.getLhsContract(), op.getRhsContract());
    return success();
  }
};

// transpose(contract(a, b)) that moves b's free axes before a's => contract(b,
// a)
struct SwapContracted : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto contract = op.getInput().getDefiningOp<ContractOp>();
    if (!contract || !contract->hasOneUse())
      return rewriter.notifyMatchFailure(
          op, "input is not a contraction of its own");
    int64_t batch = contract.getLhsBatch().size();
    int64_t left =
        rankOf(contract.getLhs()) - batch - contract.getLhsContract().size();
    SmallVector<int64_t> swapped =
        llvm::to_vector(llvm::seq<int64_t>(0, batch));
    llvm::append_range(swapped,
                       llvm::seq<int64_t>(batch + left, op.getPerm().size()));
    llvm::append_range(swapped, llvm::seq<int64_t>(batch, batch + left));
    if (llvm::ArrayRef<int64_t>(swapped) != op.getPerm())
      return rewriter.notifyMatchFailure(op, "the order is another");
    rewriter.replaceOpWithNewOp<ContractOp>(
        op, op.getType(), contract.getRhs(), contract.getLhs(),
        contract.getRhsBatch(), contract.getLhsBatch(),
        contract.getRhsContract(), contract.getLhsContract());
    return success();
  }
};

} // namespace

void populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<ContractSumOfProduct, ContractUntransposed, ContractInNarrowType,
               SwapContracted>(patterns.getContext());
}

} // namespace linnet
