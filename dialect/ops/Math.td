//===- Math.td - constants and arithmetic -----------------------*- tablegen -*-===//
#ifndef LINNET_OPS_MATH_TD
#define LINNET_OPS_MATH_TD

include "dialect/ops/Structure.td"

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

def Linnet_ConstantOp : Linnet_Op<"constant", [Pure]> {
  let summary = "a literal";
  let description = [{
    The literal is rounded or wrapped to the element type where that is a builtin
    one [TYP-13]. A result of higher rank holds it everywhere (CORE).

    Constraints:
    - (C1) `literal` is a bool, a 64-bit integer or a 64-bit float.
    - (C2) A bool goes with boolean elements and a number with numbers; a float with
      floats only.
    - (C3) A result that is no scalar is static.

    Example:
    ```mlir
    %c = linnet.constant 0.5 : !linnet.tensor<[], T: Float>
    ```
  }];
  let arguments = (ins Linnet_LiteralAttr:$literal);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = "custom<Literal>($literal) attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Linnet_DimConstantOp : Linnet_Op<"dim_constant", [Pure]> {
  let summary = "a compile-time integer as a value";
  let description = [{
    Converted like a cast when the generics are bound [TYP-13].

    Constraints:
    - (C1) The result is a scalar of a numeric type.

    Example:
    ```mlir
    %d = linnet.dim_constant "H / Heads" : !linnet.tensor<[], f32>
    ```
  }];
  let arguments = (ins Linnet_DimAttr:$value);
  let results = (outs
    Linnet_ScalarOf<"::linnet::dtype::isNumeric($_dtype)", "scalar tensor of a number type">:$result);
  let assemblyFormat = "custom<Dim>($value) attr-dict `:` qualified(type($result))";
}

def Linnet_IotaOp : Linnet_Op<"iota", [Pure]> {
  let summary = "0, 1, ... along one axis [PRE-11]";
  let description = [{
    Constraints:
    - (C1) `axis` is an axis of the result.
    - (C2) The result has numeric elements.

    Example:
    ```mlir
    %i = linnet.iota axis = 0 : !linnet.tensor<[N], i64>
    ```
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Linnet_NumericTensor:$result);
  let assemblyFormat = "`axis` `=` $axis attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

def Linnet_CastOp : Linnet_Op<"cast", [Pure]> {
  let summary = "converts the elements [NUM-5]";
  let description = [{
    Constraints:
    - (C1) Operand and result have one shape.

    Example:
    ```mlir
    %y = linnet.cast %x : !linnet.tensor<[N], bf16> -> !linnet.tensor<[N], f32>
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

class Linnet_UnaryOp<string mnemonic, Type type, string what>
    : Linnet_Op<mnemonic, [Pure, SameOperandsAndResultType /*C2*/]> {
  let summary = what;
  let description = [{
    Constraints:
    - (C1) The elements are of the class that the operation needs.
    - (C2) Operand and result have one type.

    Example:
    ```mlir
    %y = linnet.}] # mnemonic # [{ %x : !linnet.tensor<[N], }]
      # !if(!eq(mnemonic, "not"), "i1", "f32") # [{>
    ```
  }];
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($result))";
}

def Linnet_NegOp : Linnet_UnaryOp<"neg", Linnet_NumericTensor, "minus; wraps on integers [NUM-3]">;
def Linnet_AbsOp : Linnet_UnaryOp<"abs", Linnet_NumericTensor, "the absolute value [PRE-3]">;
def Linnet_ExpOp : Linnet_UnaryOp<"exp", Linnet_FloatTensor, "the exponential [PRE-2]">;
def Linnet_LogOp : Linnet_UnaryOp<"log", Linnet_FloatTensor, "the natural logarithm [PRE-2]">;
def Linnet_SqrtOp : Linnet_UnaryOp<"sqrt", Linnet_FloatTensor, "the square root [PRE-2]">;
def Linnet_RsqrtOp : Linnet_UnaryOp<"rsqrt", Linnet_FloatTensor, "1 / sqrt(x) [NUM-4]">;
def Linnet_SinOp : Linnet_UnaryOp<"sin", Linnet_FloatTensor, "the sine [PRE-2]">;
def Linnet_CosOp : Linnet_UnaryOp<"cos", Linnet_FloatTensor, "the cosine [PRE-2]">;
def Linnet_TanhOp : Linnet_UnaryOp<"tanh", Linnet_FloatTensor, "the hyperbolic tangent [PRE-2]">;
def Linnet_NotOp : Linnet_UnaryOp<"not", Linnet_BitsTensor, "each bit, or the truth, inverted">;

class Linnet_BinaryOp<string mnemonic, Type type, string what, list<Trait> traits = []>
    : Linnet_Op<mnemonic, traits # [Pure, SameOperandsAndResultType /*C2*/]> {
  let summary = what;
  let description = [{
    Constraints:
    - (C1) The elements are of the class that the operation needs.
    - (C2) Operands and result have one type: nothing broadcasts by itself.

    Example:
    ```mlir
    %y = linnet.}] # mnemonic # [{ %a, %b : !linnet.tensor<[N], i32>
    ```
  }];
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($result))";
}

def Linnet_AddOp : Linnet_BinaryOp<"add", Linnet_NumericTensor, "the sum [EXP-1]", [Commutative]>;
def Linnet_SubOp : Linnet_BinaryOp<"sub", Linnet_NumericTensor, "the difference [EXP-1]">;
def Linnet_MulOp
    : Linnet_BinaryOp<"mul", Linnet_NumericTensor, "the product [EXP-1]", [Commutative]>;
def Linnet_DivOp : Linnet_BinaryOp<"div", Linnet_NumericTensor,
    "the quotient; truncates on integers [NUM-3]">;
def Linnet_RemOp : Linnet_BinaryOp<"rem", Linnet_NumericTensor,
    "a - trunc(a / b) * b [NUM-2] [NUM-3]">;
def Linnet_MinOp : Linnet_BinaryOp<"min", Linnet_NumericTensor,
    "the smaller; NaN if one is NaN [NUM-2]", [Commutative]>;
def Linnet_MaxOp : Linnet_BinaryOp<"max", Linnet_NumericTensor,
    "the larger; NaN if one is NaN [NUM-2]", [Commutative]>;
def Linnet_AndOp : Linnet_BinaryOp<"and", Linnet_BitsTensor, "bitwise and [EXP-3]", [Commutative]>;
def Linnet_OrOp : Linnet_BinaryOp<"or", Linnet_BitsTensor, "bitwise or [EXP-3]", [Commutative]>;
def Linnet_XorOp
    : Linnet_BinaryOp<"xor", Linnet_BitsTensor, "bitwise exclusive or [EXP-3]", [Commutative]>;
def Linnet_ShlOp : Linnet_BinaryOp<"shl", Linnet_IntegerTensor, "shifts to the left [PRE-5]">;
def Linnet_ShrOp : Linnet_BinaryOp<"shr", Linnet_IntegerTensor,
    "shifts to the right: arithmetic on signed integers [PRE-5]">;

def Linnet_CompareOp : Linnet_Op<"compare", [Pure, SameTypeOperands /*C1*/,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "compares elements [EXP-2]";
  let description = [{
    A comparison with NaN is false, except `ne` [NUM-2].

    Constraints:
    - (C1) Both operands have one type.
    - (C2) The result has their shape and boolean elements.
    - (C3) Booleans have no order: `lt`, `le`, `gt`, `ge` take numbers.

    Example:
    ```mlir
    %c = linnet.compare lt %a, %b : !linnet.tensor<[N], f32>
    ```
  }];
  let arguments = (ins Linnet_Predicate:$predicate, Linnet_Tensor:$lhs, Linnet_Tensor:$rhs);
  let results = (outs Linnet_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` qualified(type($lhs))";
  let hasVerifier = 1;
}

def Linnet_SelectOp : Linnet_Op<"select",
    [Pure, AllTypesMatch<["on_true", "on_false", "result"]> /*C1*/]> {
  let summary = "chooses element by element [PRE-6]";
  let description = [{
    Constraints:
    - (C1) Both choices and the result have one type.
    - (C2) The condition has their shape and boolean elements.

    Example:
    ```mlir
    %y = linnet.select %c, %a, %b : !linnet.tensor<[N], i1>, !linnet.tensor<[N], f32>
    ```
  }];
  let arguments = (ins Linnet_BoolTensor:$condition, Linnet_Tensor:$on_true,
                       Linnet_Tensor:$on_false);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false attr-dict
    `:` qualified(type($condition)) `,` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Linnet_CumsumOp : Linnet_Op<"cumsum",
    [Pure, AllTypesMatch<["input", "result"]> /*C1*/]> {
  let summary = "running sums along one axis [LAT-12]";
  let description = [{
    Element `k` along the axis is the sum of the operand's elements `0` to `k`. `axis` counts
    the elements of the shape. Accumulates in the element type; integers wrap.

    Constraints:
    - (C1) The result has the operand's type.
    - (C2) `axis` is a dim of the operand.
    - (C3) The elements are numbers.

    Example:
    ```mlir
    %y = linnet.cumsum %x axis = 1 : !linnet.tensor<[*S, N], T: Numeric>
    ```
  }];
  let arguments = (ins Linnet_NumericTensor:$input /*C3*/, I64Attr:$axis);
  let results = (outs Linnet_NumericTensor:$result);
  let assemblyFormat = "$input `axis` `=` $axis attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// CORE
//===----------------------------------------------------------------------===//

def Linnet_ContractOp : Linnet_Op<"contract", [Pure]> {
  let summary = "sums products over shared axes";
  let description = [{
    The result's axes are the batch axes, then the free axes of `lhs`, then those of
    `rhs`. Products are formed and summed in the result's element type, which may be
    wider than the operands'.

    Constraints:
    - (C1) The operands have one numeric element type and the result a numeric one.
    - (C2) `lhs_batch` and `rhs_batch` are as long as each other, and so are
      `lhs_contract` and `rhs_contract`.
    - (C3) The axes of one operand are in range and distinct.
    - (C4) No paired axes have different constant sizes.
    - (C5) The result's shape is that of the batch axes and the free axes.

    Example:
    ```mlir
    %y = linnet.contract %a, %b batch [0] x [0] contract [2] x [1] : !linnet.tensor<[2, 3, 4], f32>, !linnet.tensor<[2, 4, 5], f32> -> !linnet.tensor<[2, 3, 5], f32>
    ```
  }];
  let arguments = (ins Linnet_NumericTensor:$lhs, Linnet_NumericTensor:$rhs,
                       DenseI64ArrayAttr:$lhs_batch, DenseI64ArrayAttr:$rhs_batch,
                       DenseI64ArrayAttr:$lhs_contract, DenseI64ArrayAttr:$rhs_contract);
  let results = (outs Linnet_NumericTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `batch` $lhs_batch `x` $rhs_batch `contract` $lhs_contract `x` $rhs_contract
    attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Linnet_ReduceOp : Linnet_Op<"reduce", [Pure]> {
  let summary = "combines the elements along axes [IDX-10]";
  let description = [{
    Accumulates in the element type. Over nothing it gives 0, 1, the lowest and the
    highest value, false and true.

    Constraints:
    - (C1) `axes` are in range and ascending.
    - (C2) The result has the operand's element type and the axes that are left.
    - (C3) `any` and `all` combine booleans, the others numbers.

    Example:
    ```mlir
    %y = linnet.reduce sum %x axes [1] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2], f32>
    ```
  }];
  let arguments = (ins Linnet_ReduceKind:$kind, Linnet_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = [{
    $kind $input `axes` $axes attr-dict `:` qualified(type($input)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // LINNET_OPS_MATH_TD
