//===- ThreadState.td - the pass linnet-thread-state ------------*- tablegen -*-===//
#ifndef LINNET_LOWER_THREADSTATE_THREADSTATE_TD
#define LINNET_LOWER_THREADSTATE_THREADSTATE_TD

include "mlir/Pass/PassBase.td"

def ThreadState : Pass<"linnet-thread-state", "mlir::ModuleOp"> {
  let summary = "turns state cells into values";
  let description = [{
    An argument that is a state cell becomes one that is the state's value, and its
    last value becomes a result, after all others and in the order of the arguments
    [LOW-3]. A read is the value current at its place [STA-2]. A choice, a loop
    or a scope gives the states that it writes as further results, whose paths a scope
    lists as its `states`. Where the condition of a
    `while` writes state, it is evaluated before the loop and at the end of the body,
    and its outcome is carried. Leaves functions without cells as they were.

    [[example: test/Lower/thread-state/example.mlir]]
  }];
}

#endif // LINNET_LOWER_THREADSTATE_THREADSTATE_TD
