//===- Structure.td - blocks, functions, members, calls ---------*- tablegen -*-===//
#ifndef LINNET_OPS_STRUCTURE_TD
#define LINNET_OPS_STRUCTURE_TD

include "dialect/LinnetTypes.td"
include "dialect/LinnetInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// The state members of the block instances.
def Linnet_StateResource : Resource<"::linnet::StateResource">;
// Writing it keeps an op that only makes a claim.
def Linnet_ClaimResource : Resource<"::linnet::ClaimResource">;

def Linnet_Claims : DeclareOpInterfaceMethods<DimObligationOpInterface>;
def Linnet_UsesSymbols : DeclareOpInterfaceMethods<SymbolUserOpInterface>;

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

def Linnet_BlockOp : Linnet_Op<"block",
    [IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, Symbol,
     SymbolTable, HasParent<"::mlir::ModuleOp"> /*C1*/]> {
  let summary = "a namespace of members and methods with generics [BLK-1]";
  let description = [{
    Holds members, `linnet.require` for claims of its own, and methods.

    Constraints:
    - (C1) It stands in a module.
    - (C2) It holds `param`, `buffer`, `state`, `sub_block`, `enum`, `require` and `func` only.
    - (C3) No two generics share a name.
    - (C4) `where` and the member types mention only generics of the block.

    Example:
    ```mlir
    linnet.block @"m::Linear"<In: Dim, Out: Dim, T: Float = f32> where ["In > 0"] {
      linnet.param @weight : !linnet.tensor<[Out, In], T: Float>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DefaultValuedAttr<Linnet_GenericArrayAttr, "{}">:$generics,
                       DefaultValuedAttr<Linnet_WhereAttr, "{}">:$where);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `` custom<Generics>($generics) `` custom<Where>($where)
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

class Linnet_Member<string mnemonic, Type type, list<Trait> traits = []>
    : Linnet_Op<mnemonic, traits # [Symbol, HasParent<"::linnet::BlockOp"> /*C1*/]> {
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<type>:$type);
  let assemblyFormat = "$sym_name attr-dict `:` $type";
}

def Linnet_ParamOp : Linnet_Member<"param", AnyTypeOf<[Linnet_Tensor, Linnet_Optional]>> {
  let summary = "a weight that comes from a file";
  let description = [{
    Constraints:
    - (C1) It stands in a block.
    - (C2) Its type is a tensor or an optional tensor.

    Example:
    ```mlir
    linnet.param @bias : !linnet.optional<!linnet.tensor<[Out], f32>>
    ```
  }];
  let hasVerifier = 1;
}

def Linnet_BufferOp : Linnet_Member<"buffer", Linnet_Tensor /*C2*/> {
  let summary = "a tensor that is loaded like a weight and is none";
  let description = [{
    Constraints:
    - (C1) It stands in a block.
    - (C2) Its type is a tensor.

    Example:
    ```mlir
    linnet.buffer @mean : !linnet.tensor<[C], f32>
    ```
  }];
}

def Linnet_StateOp : Linnet_Member<"state", Linnet_Tensor /*C2*/> {
  let summary = "a tensor that keeps its value between entry calls [STA-1]";
  let description = [{
    Constraints:
    - (C1) It stands in a block.
    - (C2) Its type is a tensor.

    Example:
    ```mlir
    linnet.state @cache : !linnet.tensor<[Batch, MaxSeq], f32>
    ```
  }];
}

def Linnet_SubBlockOp : Linnet_Member<"sub_block",
    AnyTypeOf<[Linnet_Instance, Linnet_Array, Linnet_Optional]>,
    [Linnet_Claims, Linnet_UsesSymbols]> {
  let summary = "an instance of another block";
  let description = [{
    Claims the block's `where` with the instance's arguments [DIM-9]: E2206.

    Constraints:
    - (C1) It stands in a block.
    - (C2) Its type is an instance, an array of instances or an optional instance.
    - (C3) The module has the block, and the arguments fit its generics.

    Example:
    ```mlir
    linnet.sub_block @layers : !linnet.array<!linnet.instance<@"m::Block"<H>>, Layers>
    ```
  }];
  let hasVerifier = 1;
}

def Linnet_EnumOp : Linnet_Op<"enum", [Symbol]> {
  let summary = "a closed list of names [TYP-5]";
  let description = [{
    Constraints:
    - (C1) No two variants share a name.

    Example:
    ```mlir
    linnet.enum @"m::Mode" ["Fast", "Slow"]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$variants);
  let assemblyFormat = "$sym_name $variants attr-dict";
  let hasVerifier = 1;
}

def Linnet_FuncOp : Linnet_Op<"func",
    [FunctionOpInterface, IsolatedFromAbove, AffineScope,
     ParentOneOf<["::mlir::ModuleOp", "::linnet::BlockOp"]> /*C1*/]> {
  let summary = "a function, op or entry [FUN-1]";
  let description = [{
    A free function stands in the module, a method in its block. Arguments carry
    `linnet.name`, and in BOUND `linnet.kind` and `linnet.path`.

    Constraints:
    - (C1) It stands in a module or a block.
    - (C2) It has a body, of one block.
    - (C3) No two generics share a name, nor one of the block's.
    - (C4) `where` and the types of the signature mention only generics of the
      function and its block.
    - (C5) An argument or result is a tensor, optional, tuple, enum value or, for
      an argument, a state cell.

    Example:
    ```mlir
    linnet.func fn public @"m::twice"<*S: Shape>(%x: !linnet.tensor<[*S], f32>)
        -> !linnet.tensor<[*S], f32> {
      %y = linnet.add %x, %x : !linnet.tensor<[*S], f32>
      linnet.return %y : !linnet.tensor<[*S], f32>
    }
    ```
  }];
  let arguments = (ins Linnet_FuncKind:$kind,
                       SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       DefaultValuedAttr<Linnet_GenericArrayAttr, "{}">:$generics,
                       DefaultValuedAttr<Linnet_WhereAttr, "{}">:$where,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    /// The block that this is a method of, or null.
    BlockOp getBlock();
  }];
}

def Linnet_ReturnOp : Linnet_Op<"return",
    [Pure, ReturnLike, Terminator, HasParent<"::linnet::FuncOp"> /*C1*/]> {
  let summary = "ends a function";
  let description = [{
    Constraints:
    - (C1) It stands in a function.
    - (C2) Its operands have the types of the function's results.

    Example:
    ```mlir
    linnet.return %y : !linnet.tensor<[N], f32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` qualified(type($values)))?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

def Linnet_RequireOp : Linnet_Op<"require", [Linnet_Claims, MemoryEffects<[
    MemWrite<Linnet_ClaimResource>]>]> {
  let summary = "claims a constraint";
  let description = [{
    A claim that no other op makes: a positive divisor [DIM-6], an index or slice
    bound [DIM-12] [DIM-13], a range.

    Example:
    ```mlir
    linnet.require "N > 0" code "E2205"
    ```
  }];
  let arguments = (ins Linnet_ConstraintAttr:$constraint, StrAttr:$code);
  let assemblyFormat = "custom<Constraint>($constraint) `code` $code attr-dict";
}

def Linnet_AscribeOp : Linnet_Op<"ascribe", [Pure, Linnet_Claims]> {
  let summary = "gives a value the type that its place requires [DIM-10]";
  let description = [{
    Claims that each dim of `input` equals the one of `result` in its place. Tuples
    and optionals are compared inside.

    Constraints:
    - (C1) Both types have one form: tensors of one element type with as many dims,
      the same packs in the same places; optionals or tuples of such.
    - (C2) No two constant dims differ.

    Example:
    ```mlir
    %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[A + B], f32> -> !linnet.tensor<[B + A], f32>
    ```
  }];
  let arguments = (ins Linnet_Value:$input, StrAttr:$code);
  let results = (outs Linnet_Value:$result);
  let assemblyFormat = [{
    $input `code` $code attr-dict `:` qualified(type($input)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

def Linnet_SelfOp : Linnet_Op<"self", [Pure, Linnet_UsesSymbols]> {
  let summary = "the instance that a method runs on";
  let description = [{
    Constraints:
    - (C1) It stands in a method, and its type is the method's block with the
      block's own generics as arguments.

    Example:
    ```mlir
    %i = linnet.self : !linnet.instance<@"m::Linear"<In, Out, T: Float>>
    ```
  }];
  let results = (outs Linnet_Instance:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Linnet_MemberOp : Linnet_Op<"member",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, Linnet_UsesSymbols]> {
  let summary = "reads a member of an instance";
  let description = [{
    A read of a `state` is an effect: it gives the current value. Params, buffers
    and subs never change.

    Constraints:
    - (C1) The instance's block has the member.
    - (C2) The result is the member's type with the instance's arguments in place
      of the block's generics.

    Example:
    ```mlir
    %w = linnet.member %i, @weight : !linnet.instance<@"m::Linear"<4, 8, f32>> -> !linnet.tensor<[8, 4], f32>
    ```
  }];
  let arguments = (ins Linnet_Instance:$instance, FlatSymbolRefAttr:$member);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $instance `,` $member attr-dict `:` qualified(type($instance)) `->` qualified(type($result))
  }];
}

def Linnet_AssignStateOp : Linnet_Op<"assign_state",
    [MemoryEffects<[MemWrite<Linnet_StateResource>]>, Linnet_UsesSymbols]> {
  let summary = "replaces the value of an own state member";
  let description = [{
    Constraints:
    - (C1) It stands in a method, and the method's block has the state.
    - (C2) The value has the state's type.

    Example:
    ```mlir
    linnet.assign_state @cache, %v : !linnet.tensor<[Batch, MaxSeq], f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$member, Linnet_Tensor:$value);
  let assemblyFormat = "$member `,` $value attr-dict `:` qualified(type($value))";
}

def Linnet_ReadStateOp : Linnet_Op<"read_state", [
    TypesMatchWith<"the result is the tensor of the cell" /*C1*/, "cell", "result",
                   "::llvm::cast<::linnet::RefType>($_self).getTensor()">]> {
  let summary = "the current value of a state cell";
  let description = [{
    Constraints:
    - (C1) The result is the tensor of the cell.

    Example:
    ```mlir
    %v = linnet.read_state %cell : !linnet.ref<!linnet.tensor<[4], f32>>
    ```
  }];
  let arguments = (ins Arg<Linnet_Ref, "", [MemRead<Linnet_StateResource>]>:$cell);
  let results = (outs Linnet_Tensor:$result);
  let assemblyFormat = "$cell attr-dict `:` qualified(type($cell))";
}

def Linnet_WriteStateOp : Linnet_Op<"write_state", [
    TypesMatchWith<"the value is the tensor of the cell" /*C1*/, "cell", "value",
                   "::llvm::cast<::linnet::RefType>($_self).getTensor()">]> {
  let summary = "replaces the value of a state cell";
  let description = [{
    Constraints:
    - (C1) The value is the tensor of the cell.

    Example:
    ```mlir
    linnet.write_state %cell, %v : !linnet.ref<!linnet.tensor<[4], f32>>
    ```
  }];
  let arguments = (ins Arg<Linnet_Ref, "", [MemWrite<Linnet_StateResource>]>:$cell,
                       Linnet_Tensor:$value);
  let assemblyFormat = "$cell `,` $value attr-dict `:` qualified(type($cell))";
}

def Linnet_ElementOp : Linnet_Op<"element", [Pure, Linnet_Claims]> {
  let summary = "an element of a structural array";
  let description = [{
    Claims `0 <= position` and `position < size` [DIM-12]: E2209.

    Constraints:
    - (C1) The result is the array's instance.
    - (C2) A constant position lies inside an array of constant size.

    Example:
    ```mlir
    %b = linnet.element %layers[2] : !linnet.array<!linnet.instance<@"m::Block">, 12> -> !linnet.instance<@"m::Block">
    ```
  }];
  let arguments = (ins Linnet_Array:$array, Linnet_DimAttr:$position);
  let results = (outs Linnet_Instance:$result);
  let assemblyFormat = [{
    $array `[` custom<Dim>($position) `]` attr-dict `:` qualified(type($array)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Linnet_CallOp : Linnet_Op<"call", [Pure, Linnet_Claims, Linnet_UsesSymbols]> {
  let summary = "calls a free function";
  let description = [{
    Claims the callee's `where` with the generic arguments in place [DIM-9]: E2206.

    Constraints:
    - (C1) The module has the function, and the generic arguments fit its generics.
    - (C2) Operands and result have the callee's types with the generic arguments
      in place.

    Example:
    ```mlir
    %y = linnet.call @"m::scale"<[B, S], "3 * H", T: Float>(%x)
        : (!linnet.tensor<[B, S, 3 * H], T: Float>) -> !linnet.tensor<[B, S, 3 * H], T: Float>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       DefaultValuedAttr<Linnet_GenericArgsAttr, "{}">:$generic_args,
                       Variadic<Linnet_Value>:$inputs);
  let results = (outs Optional<Linnet_Value>:$result);
  let assemblyFormat = [{
    $callee `` custom<GenericArgs>($generic_args) `` `(` $inputs `)` attr-dict
    `:` functional-type($inputs, results)
  }];
}

def Linnet_CallMethodOp : Linnet_Op<"call_method",
    [Linnet_Claims, Linnet_UsesSymbols, MemoryEffects<[
      MemRead<Linnet_StateResource>, MemWrite<Linnet_StateResource>]>]> {
  let summary = "calls a method of an instance";
  let description = [{
    The generic arguments are those of the method; the instance's type gives the
    block's. Claims the method's `where` with both in place [DIM-9]: E2206.

    Constraints:
    - (C1) The instance's block has the method, and the generic arguments fit the
      method's generics.
    - (C2) Operands and result have the method's types with the arguments in place.

    Example:
    ```mlir
    %y = linnet.call_method %i, @forward<[B, S]>(%x) : !linnet.instance<@"m::Norm"<H>>,
        (!linnet.tensor<[B, S, H], f32>) -> !linnet.tensor<[B, S, H], f32>
    ```
  }];
  let arguments = (ins Linnet_Instance:$instance,
                       FlatSymbolRefAttr:$method,
                       DefaultValuedAttr<Linnet_GenericArgsAttr, "{}">:$generic_args,
                       Variadic<Linnet_Value>:$inputs);
  let results = (outs Optional<Linnet_Value>:$result);
  let assemblyFormat = [{
    $instance `,` $method `` custom<GenericArgs>($generic_args) `` `(` $inputs `)` attr-dict
    `:` qualified(type($instance)) `,` functional-type($inputs, results)
  }];
}

#endif // LINNET_OPS_STRUCTURE_TD
