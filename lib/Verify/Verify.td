//===- Verify.td - the pass linnet-verify -----------------------*- tablegen -*-===//
#ifndef LINNET_VERIFY_VERIFY_TD
#define LINNET_VERIFY_VERIFY_TD

include "mlir/Pass/PassBase.td"

def Verify : Pass<"linnet-verify", "mlir::ModuleOp"> {
  let summary = "proves every claim about sizes";
  let description = [{
    Proves the claims of all ops (language 5.3) from the facts of the function and
    block that they stand in [DIM-4]. A claim that is false for some sizes, or that
    cannot be derived, is an error with its code; notes give a witness and the
    constraint that would settle it. Changes nothing.

    [[example: test/Verify/verify/example.mlir]]
  }];
  let statistics = [
    Statistic<"claims", "claims", "claims of all ops">,
    Statistic<"proofs", "proofs",
              "claims that no other one under the same facts had settled">
  ];
}

#endif // LINNET_VERIFY_VERIFY_TD
