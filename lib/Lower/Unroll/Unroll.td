//===- Unroll.td - the pass linnet-unroll -----------------------*- tablegen -*-===//
#ifndef LINNET_LOWER_UNROLL_UNROLL_TD
#define LINNET_LOWER_UNROLL_UNROLL_TD

include "mlir/Pass/PassBase.td"

def Unroll : Pass<"linnet-unroll", "mlir::ModuleOp"> {
  let summary = "expands static ranges and decides constant conditions";
  let description = [{
    Repeats the body of each `static_range` for each integer of its range, and keeps
    only the taken branch of an `if` whose condition follows from constants: integer
    arithmetic, comparisons and logic on scalars are evaluated for that, also across
    the border of a scope. Needs BOUND IR. Leaves every other op as it was.

    [[example: test/Lower/unroll/example.mlir]]
  }];
  let options = [
    Option<"maxIterations", "max-iterations", "int64_t", /*default=*/"65536",
           "iterations of all ranges of a function before the pass gives up">
  ];
}

#endif // LINNET_LOWER_UNROLL_UNROLL_TD
