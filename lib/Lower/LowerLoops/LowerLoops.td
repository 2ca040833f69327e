// The pass `linnet-lower-loops`.

include "mlir/Pass/PassBase.td"

def LowerLoops : Pass<"linnet-lower-loops"> {
  let summary = "turns counted loops into `while` loops that fill their stacks";
  let description = [{
    A `linnet.for` (spec section 21.3) becomes a `linnet.while` that carries the position, the
    loop's own values, and each stack: it begins as zeros, and every pass writes its element
    with `linnet.update_slice`. The loop stays a loop, however often it runs, so that a program
    does not grow with the number. One that never runs gives its first values and empty stacks;
    one that runs once becomes its body.

    IREE copies in every pass what a loop carries. Where that would be more than `max-copied`
    bytes for the stacks, the loop becomes two: the inner one fills a block of about `sqrt(N)`
    rows, the outer one writes the blocks.

    Needs BOUND IR with lowered index notation: constant bounds and sizes, no state cells.
    Leaves every other op as it was.

    [[example: test/Lower/lower-loops/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
  let options = [
    Option<"maxCopied", "max-copied", "int64_t", /*default=*/"4194304",
           "bytes of stacks times passes, up to which a loop fills its stacks row by row">
  ];
}
