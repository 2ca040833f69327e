// linnet-cse-in-scopes: MLIR's cse, with a wall around each scope.
#include "lib/Lower/CseInScopes/CseInScopes.h"

#include "dialect/LinnetDialect.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

namespace linnet {
#define GEN_PASS_DEF_CSEINSCOPES
#include "lib/Lower/CseInScopes/CseInScopes.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

/// Puts the body of `scope` into an op that cse takes for isolated and for
/// having effects, so that nothing from around is used inside and the scope
/// itself stays. Nothing else looks at it in between.
static void wall(ScopeOp scope) {
  OperationState state(scope.getLoc(), FuncOp::getOperationName());
  state.addRegion()->takeBody(scope.getBody());
  scope.getBody().emplaceBlock().push_back(Operation::create(state));
}

static void unwall(ScopeOp scope) {
  Region body;
  body.takeBody(scope.getBody().front().front().getRegion(0));
  scope.getBody().takeBody(body);
}

namespace {

struct CseInScopes : linnet::impl::CseInScopesBase<CseInScopes> {
  void runOnOperation() override {
    SmallVector<ScopeOp> scopes;
    getOperation()->walk([&](ScopeOp scope) { scopes.push_back(scope); });
    for (ScopeOp scope : scopes)
      wall(scope);
    {
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    }
    for (ScopeOp scope : scopes)
      unwall(scope);
  }
};

} // namespace
