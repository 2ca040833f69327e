// linnet-unroll: static ranges become copies of their bodies.
#include "lib/Lower/Unroll/Unroll.h"
#include "lib/Lower/Unroll/ScalarValues.h"

#include "mlir/IR/IRMapping.h"

namespace linnet {
#define GEN_PASS_DEF_UNROLL
#include "lib/Lower/Unroll/Unroll.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

namespace {

/// Expands one function. Goes through its ops in order of execution, so that
/// what an expansion leaves is visited next.
class Unroller {
public:
  explicit Unroller(int64_t iterationsLeft) : iterationsLeft(iterationsLeft) {}

  LogicalResult run(Block &block) {
    for (Operation *op = &block.front(); op;) {
      FailureOr<Operation *> next = visit(op);
      if (failed(next))
        return failure();
      op = *next;
    }
    return success();
  }

private:
  /// Handles `op` and gives the op to go on with.
  FailureOr<Operation *> visit(Operation *op) {
    if (auto range = dyn_cast<StaticRangeOp>(op))
      return expand(range);
    if (auto branch = dyn_cast<IfOp>(op))
      if (std::optional<llvm::APInt> condition =
              values.find(branch.getCondition()))
        return decide(branch, !condition->isZero());
    if (auto scope = dyn_cast<ScopeOp>(op))
      for (auto [argument, input] :
           llvm::zip_equal(scope.getBody().getArguments(), scope.getInputs()))
        values.alias(argument, input);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(run(block)))
          return failure();
    if (auto scope = dyn_cast<ScopeOp>(op))
      for (auto [result, value] : llvm::zip_equal(
               scope.getResults(),
               scope.getBody().front().getTerminator()->getOperands()))
        values.alias(result, value);
    values.visit(*op);
    return op->getNextNode();
  }

  // static_range lo to hi iter (x = x0) { body }  =>  body(lo, x0), body(lo +
  // 1, ...)
  FailureOr<Operation *> expand(StaticRangeOp range) {
    std::optional<int64_t> lower = range.getLower().asInteger();
    std::optional<int64_t> upper = range.getUpper().asInteger();
    if (!lower || !upper)
      return range.emitError(
          "[capability] a range with open bounds cannot be unrolled");
    // Counted in unsigned numbers: the difference of bounds may not fit.
    uint64_t count = *lower < *upper ? uint64_t(*upper) - uint64_t(*lower) : 0;
    if (count > uint64_t(iterationsLeft))
      return range.emitError("[capability] the static ranges of this function "
                             "have too many iterations to unroll: ")
             << count << " here, " << iterationsLeft << " left";
    iterationsLeft -= count;

    OpBuilder builder(range);
    Block &body = range.getBody().front();
    SmallVector<Value> carried(range.getInits());
    Operation *last = range->getPrevNode();
    Block *home = range->getBlock();
    for (uint64_t i = 0; i < count; ++i) {
      IRMapping mapping;
      mapping.map(body.getArgument(0),
                  ConstantOp::create(builder, range.getLoc(),
                                     body.getArgument(0).getType(),
                                     builder.getI64IntegerAttr(*lower + i)));
      for (auto [argument, value] :
           llvm::zip_equal(body.getArguments().drop_front(), carried))
        mapping.map(argument, value);
      for (Operation &op : body.without_terminator())
        builder.clone(op, mapping);
      for (auto [value, yielded] :
           llvm::zip_equal(carried, body.getTerminator()->getOperands()))
        value = mapping.lookupOrDefault(yielded);
    }
    range->replaceAllUsesWith(carried);
    range->erase();
    return last ? last->getNextNode() : &home->front();
  }

  // if true { a } else { b }  =>  a
  FailureOr<Operation *> decide(IfOp branch, bool condition) {
    Block &taken = branch->getRegion(condition ? 0 : 1).front();
    Operation *terminator = taken.getTerminator();
    branch->replaceAllUsesWith(terminator->getOperands());
    terminator->erase();
    Operation *last = branch->getPrevNode();
    Block *home = branch->getBlock();
    home->getOperations().splice(branch->getIterator(), taken.getOperations());
    branch->erase();
    return last ? last->getNextNode() : &home->front();
  }

  int64_t iterationsLeft;
  unroll::ScalarValues values;
};

struct Unroll : linnet::impl::UnrollBase<Unroll> {
  using UnrollBase::UnrollBase;

  void runOnOperation() override {
    for (FuncOp function : getOperation().getOps<FuncOp>())
      if (failed(Unroller(maxIterations.getValue())
                     .run(function.getBody().front())))
        return signalPassFailure();
  }
};

} // namespace
