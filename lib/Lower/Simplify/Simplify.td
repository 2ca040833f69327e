// The pass `linnet-simplify`.

include "mlir/Pass/PassBase.td"

def Simplify : Pass<"linnet-simplify"> {
  let summary = "rewrites tensor ops to fewer ones of the same value";
  let description = [{
    - `reduce sum (a * b)` becomes one `linnet.contract` where the factors have free axes;
      a factor widened by a cast is contracted in its own type, with the wider accumulator.
    - A transposed operand of a contraction becomes dimension numbers: no weight is ever moved.
    - `take` at a constant or at consecutive known positions becomes a slice.
    - Integers and masks that are known are folded: arithmetic of constants, clamps that cut
      nothing off, comparisons that the ranges of both sides decide, selects by them.
    - Transposes, reshapes and broadcasts compose, move past casts and disappear where they
      move nothing.

    Needs lowered comprehensions. Changes no value except for the rounding of products that a
    contraction does not round (spec [NUM-6]).

    [[example: test/Lower/simplify/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
}
