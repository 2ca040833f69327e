// The pass `linnet-lower-cumsum`.

include "mlir/Pass/PassBase.td"

def LowerCumsum : Pass<"linnet-lower-cumsum"> {
  let summary = "turns running sums into additions of slices";
  let description = [{
    A `linnet.cumsum` along an axis of `N` elements becomes about `log2(N)` additions: after the
    step of width `w` each element is the sum of the `2 * w` elements that end with it. An element
    is added only to elements, never to a zero that stands for nothing, so that `-0.0` keeps its
    sign. Sums are formed in the element type [NUM-1], in an order that [NUM-6] leaves open.

    Needs constant sizes. Leaves every other op as it was.

    [[example: test/Lower/lower-cumsum/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
}
