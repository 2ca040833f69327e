// linnet-inline-scopes: the bodies of scopes in their places.
#include "lib/Lower/InlineScopes/InlineScopes.h"

#include "dialect/LinnetDialect.h"

namespace linnet {
#define GEN_PASS_DEF_INLINESCOPES
#include "lib/Lower/InlineScopes/InlineScopes.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

namespace {

struct InlineScopes : linnet::impl::InlineScopesBase<InlineScopes> {
  void runOnOperation() override {
    SmallVector<ScopeOp> scopes;
    getOperation()->walk([&](ScopeOp scope) { scopes.push_back(scope); });
    for (ScopeOp scope : scopes)
      scope.inlineBody();
  }
};

} // namespace
