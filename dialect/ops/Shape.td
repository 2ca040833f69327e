//===- Shape.td - ops that move elements ------------------------*- tablegen -*-===//
#ifndef LINNET_OPS_SHAPE_TD
#define LINNET_OPS_SHAPE_TD

include "dialect/ops/Structure.td"

def Linnet_SplatOp : Linnet_Op<"splat", [Pure]> {
  let summary = "one scalar everywhere [PRE-12]";
  let description = [{
    Constraints:
    - (C1) `value` is a scalar of the result's element type.

    Example:
    ```mlir
    %y = linnet.splat %s : !linnet.tensor<[], f32> -> !linnet.tensor<[A, B], f32>
    ```
  }];
  let arguments = (ins Linnet_Scalar:$value);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $value attr-dict `:` qualified(type($value)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Linnet_ReshapeOp : Linnet_Op<"reshape", [Pure, Linnet_Claims]> {
  let summary = "the same elements in another shape, row-major [PRE-7]";
  let description = [{
    Claims that both shapes have the same product [DIM-7]: E2203.

    Constraints:
    - (C1) Operand and result have one element type.
    - (C2) Constant products do not differ.

    Example:
    ```mlir
    %y = linnet.reshape %x : !linnet.tensor<[N * D], f32> -> !linnet.tensor<[N, D], f32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$input);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` qualified(type($input)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Linnet_TransposeOp : Linnet_Op<"transpose", [Pure]> {
  let summary = "reorders the axes of a tensor [PRE-9]";
  let description = [{
    Axis `i` of the result is axis `perm[i]` of `input`; no element changes.

    Constraints:
    - (C1) `perm` lists every axis of `input` once.
    - (C2) Axis `i` of the result has the size of axis `perm[i]` of `input`.
    - (C3) Operand and result have one element type.
    - (C4) The shape of `input` has no pack.

    Example:
    ```mlir
    %y = linnet.transpose %x, [1, 0] : !linnet.tensor<[A, B], f32> -> !linnet.tensor<[B, A], f32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$input, DenseI64ArrayAttr:$perm);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $perm attr-dict `:` qualified(type($input)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Linnet_BroadcastOp : Linnet_Op<"broadcast", [Pure, Linnet_Claims]> {
  let summary = "repeats elements along axes [PRE-8]";
  let description = [{
    Operand axis `k` lies along result axis `axes[k]`. Without `axes` (GENERIC) the
    shapes are aligned from the right, and a pack aligns with the same pack. Claims
    that each operand axis has the result's size or size 1 [DIM-8]: E2207.

    Constraints:
    - (C1) Operand and result have one element type.
    - (C2) `axes` has one entry for each operand axis, ascending and in range.
    - (C3) The operand has no more axes than the result; a pack lies along the same
      pack.
    - (C4) A constant operand axis is 1 or no different from a constant result axis.

    Example:
    ```mlir
    %y = linnet.broadcast %x axes = [1] : !linnet.tensor<[3], f32> -> !linnet.tensor<[2, 3], f32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$input, OptionalAttr<DenseI64ArrayAttr>:$axes);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $input (`axes` `=` $axes^)? attr-dict `:` qualified(type($input)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The result axis of operand axis `axis`, by `axes` or from the right.
    int64_t getResultAxis(int64_t axis);
  }];
}

def Linnet_SliceOp : Linnet_Op<"slice", [Pure]> {
  let summary = "a regular part of a tensor [EXP-10]";
  let description = [{
    Element `j` of a result axis is element `start + j * step` of the operand's. A
    pack is taken whole.

    Constraints:
    - (C1) Operand and result have one element type.
    - (C2) `starts`, `steps` and both shapes have the same length.
    - (C3) A step is positive.
    - (C4) A pack has start 0, step 1 and stays in its place.
    - (C5) With constants, the last element lies inside the axis.

    Example:
    ```mlir
    %y = linnet.slice %x starts [0, "2 * H"] steps [1, 1] : !linnet.tensor<[S, 3 * H], f32> -> !linnet.tensor<[S, H], f32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$input, Linnet_DimArrayAttr:$starts,
                       DenseI64ArrayAttr:$steps);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $input `starts` custom<Dims>($starts) `steps` $steps attr-dict
    `:` qualified(type($input)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Linnet_ConcatOp : Linnet_Op<"concat", [Pure, Linnet_Claims]> {
  let summary = "joins tensors along an axis [PRE-10]";
  let description = [{
    `axis` counts the elements of the shape. Claims that the other axes of each
    operand have the result's sizes [DIM-14]: E2202.

    Constraints:
    - (C1) There is an operand, and all have the result's element type.
    - (C2) All shapes have one length, the same packs in the same places, and `axis`
      is a dim of it.
    - (C3) The joined axis of the result is the sum.
    - (C4) Constant sizes of the other axes do not differ from the result's.

    Example:
    ```mlir
    %y = linnet.concat %a, %b axis = 0 : !linnet.tensor<[A], f32>, !linnet.tensor<[B], f32> -> !linnet.tensor<[A + B], f32>
    ```
  }];
  let arguments = (ins Variadic<Linnet_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis attr-dict `:` qualified(type($inputs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Linnet_TakeOp : Linnet_Op<"take", [Pure]> {
  let summary = "gathers along one axis [EXP-11]";
  let description = [{
    Indices outside the axis clamp to it. `axis` counts the elements of the shape.

    Constraints:
    - (C1) Operand and result have one element type.
    - (C2) `axis` is a dim of the operand.
    - (C3) The result's shape is the operand's with the shape of `indices` in place
      of `axis`.

    Example:
    ```mlir
    %y = linnet.take %x, %i axis = 0 : !linnet.tensor<[V, H], f32>, !linnet.tensor<[S], i32> -> !linnet.tensor<[S, H], f32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$input, Linnet_IntegerTensor:$indices, I64Attr:$axis);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `axis` `=` $axis attr-dict
    `:` qualified(type($input)) `,` qualified(type($indices)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Linnet_UpdateSliceOp : Linnet_Op<"update_slice",
    [Pure, AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "a tensor with a part replaced at a run-time position (CORE)";
  let description = [{
    Starts clamp so that `update` lies inside `input`.

    Constraints:
    - (C1) The result has the operand's type.
    - (C2) `update` has the operand's element type and rank, and no constant size
      above the operand's.
    - (C3) There is one start for each axis, and all have one type.

    Example:
    ```mlir
    %y = linnet.update_slice %x, %v at [%i, %j] : !linnet.tensor<[4, 8], f32>, !linnet.tensor<[1, 8], f32>, !linnet.tensor<[], i32>
    ```
  }];
  let arguments = (ins Linnet_Tensor:$input, Linnet_Tensor:$update,
                       Variadic<Linnet_IntegerScalar>:$starts);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $update `at` ` ` `[` $starts `]` attr-dict
    `:` qualified(type($input)) `,` qualified(type($update)) `` custom<StartType>(type($starts), ref($starts))
  }];
  let hasVerifier = 1;
}

#endif // LINNET_OPS_SHAPE_TD
