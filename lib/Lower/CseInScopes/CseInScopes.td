//===- CseInScopes.td - the pass linnet-cse-in-scopes -----------*- tablegen -*-===//
#ifndef LINNET_LOWER_CSEINSCOPES_TD
#define LINNET_LOWER_CSEINSCOPES_TD

include "mlir/Pass/PassBase.td"

def CseInScopes : Pass<"linnet-cse-in-scopes"> {
  let summary = "merges equal ops, each scope for itself";
  let description = [{
    What MLIR's `cse` does, but the body of a `scope` shares no op with what stands
    around it, so that it stays a function of its operands and of members, and no two
    scopes become one.

    [[example: test/Lower/cse-in-scopes/example.mlir]]
  }];
}

#endif // LINNET_LOWER_CSEINSCOPES_TD
