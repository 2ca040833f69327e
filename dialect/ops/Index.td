//===- Index.td - index notation --------------------------------*- tablegen -*-===//
#ifndef LINNET_OPS_INDEX_TD
#define LINNET_OPS_INDEX_TD

include "dialect/ops/Structure.td"

def Linnet_ComprehensionOp : Linnet_Op<"comprehension", [RecursiveMemoryEffects]> {
  let summary = "defines a tensor element by element [IDX-1]";
  let description = [{
    The region takes the output indices in order and gives the element at them.
    Values from outside that mention no index may be used inside. Ops on whole tensors
    stand inside only where a call was bound.

    Constraints:
    - (C1) Each argument of the region is an index.
    - (C2) The shape of the result is the extents of the indices, joined.
    - (C3) The region ends in a `linnet.yield` of one scalar of the result's element
      type.
    - (C4) Nothing inside has an effect. A method that is called has none on state, which
      shows once `linnet-bind` has put its body in place of the call.

    Example:
    ```mlir
    %y = linnet.comprehension -> !linnet.tensor<[N, M], f32> {
    ^bb0(%i: !linnet.index<[N]>, %j: !linnet.index<[M]>):
      %a = linnet.access %x[%j, %i] : !linnet.tensor<[M, N], f32>, (!linnet.index<[M]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
      linnet.yield %a : !linnet.tensor<[], f32>
    }
    ```
  }];
  let results = (outs Linnet_Tensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict `->` qualified(type($result)) $body";
  let hasRegionVerifier = 1;
}

def Linnet_ReduceOverOp : Linnet_Op<"reduce_over", [RecursiveMemoryEffects]> {
  let summary = "combines the values of an element expression over indices [IDX-10]";
  let description = [{
    The region takes the reduction indices. The result has the element type of what
    the region gives, which is the accumulator.

    Constraints:
    - (C1) It stands in index notation.
    - (C2) Each argument of the region is an index over dims, none over a pack.
    - (C3) The region ends in a `linnet.yield` of one scalar of the result's type.
    - (C4) `any` and `all` combine booleans, the others numbers.

    Example:
    ```mlir
    %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[K]>):
      %a = linnet.access %x[%k] : !linnet.tensor<[K], f32>, (!linnet.index<[K]>) -> !linnet.tensor<[], f32>
      linnet.yield %a : !linnet.tensor<[], f32>
    }
    ```
  }];
  let arguments = (ins Linnet_ReduceKind:$kind);
  let results = (outs Linnet_Scalar:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$kind attr-dict `:` qualified(type($result)) $body";
  let hasRegionVerifier = 1;
}

def Linnet_AccessOp : Linnet_Op<"access", [Pure, Linnet_Claims]> {
  let summary = "one element of a tensor [IDX-4]";
  let description = [{
    A part is an index (a direct use, which covers as many axes as it has extents) or
    an integer (a computed use; outside the axis it clamps [EXP-11]). Claims that
    each axis covered by an index has the index's extent [DIM-11]: E2201.

    Constraints:
    - (C1) The parts cover every axis of `base` once.
    - (C2) A pack of `base` is covered by the same pack.
    - (C3) No constant axis differs from the constant extent of its index.
    - (C4) The result is a scalar of the element type of `base`.

    Example:
    ```mlir
    %a = linnet.access %x[%i, %n] : !linnet.tensor<[N, 4], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i64>) -> !linnet.tensor<[], f32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$base, Variadic<Linnet_AccessPart>:$parts);
  let results = (outs Linnet_Scalar:$result);
  let assemblyFormat = [{
    $base `[` $parts `]` attr-dict `:` qualified(type($base)) `,`
    functional-type($parts, results)
  }];
  let hasVerifier = 1;
}

#endif // LINNET_OPS_INDEX_TD
