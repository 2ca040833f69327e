//===- InlineScopes.td - the pass linnet-inline-scopes ----------*- tablegen -*-===//
#ifndef LINNET_LOWER_INLINESCOPES_TD
#define LINNET_LOWER_INLINESCOPES_TD

include "mlir/Pass/PassBase.td"

def InlineScopes : Pass<"linnet-inline-scopes"> {
  let summary = "takes the scopes away and leaves their bodies";
  let description = [{
    Puts the body of each `scope` in place of it, operands in place of its arguments:
    what `linnet-bind` gives without `keep`. Leaves every other op as it was.

    [[example: test/Lower/inline-scopes/example.mlir]]
  }];
}

#endif // LINNET_LOWER_INLINESCOPES_TD
