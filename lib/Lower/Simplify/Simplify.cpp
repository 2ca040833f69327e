// Rewrites tensor ops to fewer ones of the same value.

#include "lib/Lower/Simplify/Simplify.h"
#include "dialect/LinnetDialect.h"
#include "lib/Lower/Simplify/Patterns.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace linnet {
#define GEN_PASS_DEF_SIMPLIFY
#include "lib/Lower/Simplify/Simplify.h.inc"
} // namespace linnet

using namespace mlir;

namespace {

/// Lets what takes the place of an op keep its names.
struct NameKeeper : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    linnet::keepNames(op, values);
  }
};

struct Simplify : linnet::impl::SimplifyBase<Simplify> {
  void runOnOperation() override {
    if (!linnet::hasKnownAxes(getOperation())) {
      getOperation()->emitError(
          "needs plain dimensions, which `linnet-bind` gives");
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    linnet::populateConstantPatterns(patterns);
    linnet::populateContractionPatterns(patterns);
    linnet::populateViewPatterns(patterns);
    NameKeeper names;
    GreedyRewriteConfig config;
    config.setListener(&names);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      getOperation()->emitError(
          "`linnet-simplify` did not reach a fixed point");
      signalPassFailure();
    }
  }
};

} // namespace
