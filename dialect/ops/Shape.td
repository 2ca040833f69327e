//===- Shape.td - ops that move elements ------------------------*- tablegen -*-===//
#ifndef LINNET_OPS_SHAPE_TD
#define LINNET_OPS_SHAPE_TD

include "dialect/LinnetDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Linnet_TransposeOp : Linnet_Op<"transpose",
    [Pure, SameOperandsAndResultElementType /*C3*/,
     AllRanksMatch<["input", "result"]> /*C2*/]> {
  let summary = "reorders the axes of a tensor";
  let description = [{
    Axis `i` of the result is axis `perm[i]` of `input`; no element changes.

    Constraints:
    - (C1) `perm` lists every axis of `input` once.
    - (C2) `size(result, i) = size(input, perm[i])` for every axis `i`.
    - (C3) `input` and `result` have the same element type.

    Example:
    ```mlir
    %y = linnet.transpose %x, [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, DenseI64ArrayAttr:$perm);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$input `,` $perm attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

#endif // LINNET_OPS_SHAPE_TD
