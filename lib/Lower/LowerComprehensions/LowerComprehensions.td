// The pass `linnet-lower-comprehensions`.

include "mlir/Pass/PassBase.td"

def LowerComprehensions : Pass<"linnet-lower-comprehensions"> {
  let summary = "turns index notation into operations on whole tensors";
  let description = [{
    Replaces every `linnet.comprehension` (spec section 7) by structured ops: a direct access
    costs nothing, an operand that misses an index is broadcast, a reduction becomes
    `linnet.reduce`, an access at a computed position becomes `linnet.take`, a repeated index
    the strided view of the diagonal, and an element-wise choice a `linnet.select`. A loop whose
    values depend on an index runs for all positions at once: a counted one as often as it says,
    a `while` until the condition holds at no position; one that has ended keeps its values, and
    one in a branch begins only where the branch is taken.

    Needs BOUND IR: constant dimensions, no calls. Leaves everything outside of comprehensions,
    and the types of their results, as they were.

    [[example: test/Lower/lower-comprehensions/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
}
