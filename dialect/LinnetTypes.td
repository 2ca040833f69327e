//===- LinnetTypes.td - types and type constraints --------------*- tablegen -*-===//
#ifndef LINNET_TYPES_TD
#define LINNET_TYPES_TD

include "dialect/LinnetAttrs.td"

class Linnet_Type<string name, string typeMnemonic> : TypeDef<Linnet_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Linnet_TensorType : Linnet_Type<"Tensor", "tensor"> {
  let summary = "a tensor whose shape is known as expressions";
  let description = [{
    `!linnet.tensor<[B, *S, 3 * H], f32>`: the shape is a list of dimensions and
    packs, the element a builtin type or a dtype variable: `T: Float`. A scalar has
    rank 0: `!linnet.tensor<[], f32>`. Signed integers are signless types (`i32`),
    unsigned ones `ui32`, booleans `i1`.

    Constraints:
    - (C1) Each element of the shape is a `#linnet.dim` or a `#linnet.pack`.
    - (C2) The element type is i1, i8 to i64, ui8 to ui64, f16, bf16, f32, f64 or
      `!linnet.dtype`.
    - (C3) No dimension is a negative constant.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::Attribute", "dims and packs">:$shape,
    "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$sizes,
                                        "::mlir::Type":$elementType), [{
      auto *context = elementType.getContext();
      ::llvm::SmallVector<::mlir::Attribute> shape;
      for (int64_t size : sizes)
        shape.push_back(DimAttr::get(context, size));
      return $_get(context, shape, elementType);
    }]>,
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<::mlir::Attribute>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType);
    }]>
  ];
  let extraClassDeclaration = [{
    /// How many dims and packs the shape lists.
    int64_t getRank() const { return getShape().size(); }
    bool isScalar() const { return getShape().empty(); }
    bool hasPacks() const;
    /// Whether each dim is a constant.
    bool isStatic() const;
    /// The sizes of a static tensor.
    ::llvm::SmallVector<int64_t> getStaticShape() const;
    int64_t getStaticSize(int64_t axis) const;
    int64_t getNumElements() const;
    /// The dim at `axis`, which is no pack.
    ::linnet::dims::Expr getDim(int64_t axis) const;
    /// The product of all dims; packs are opaque factors [P10].
    ::linnet::dims::Expr getProduct() const;
    TensorType clone(::llvm::ArrayRef<::mlir::Attribute> shape) const;
    TensorType clone(::llvm::ArrayRef<int64_t> sizes) const;
    TensorType clone(::mlir::Type elementType) const;
  }];
}

def Linnet_DtypeType : Linnet_Type<"Dtype", "dtype"> {
  let summary = "a dtype variable";
  let description = [{
    `!linnet.dtype<T: Float>`: a generic of a dtype kind where a type stands. As the
    element of a tensor it is written `T: Float`.
  }];
  let parameters = (ins StringRefParameter<"">:$name,
                        EnumParameter<Linnet_DtypeClass>:$dtypeClass);
  let hasCustomAssemblyFormat = 1;
}

def Linnet_OptionalType : Linnet_Type<"Optional", "optional"> {
  let summary = "a value that may be absent";
  let description = "`!linnet.optional<X>`, where X is no optional itself (C1).";
  let parameters = (ins "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $valueType `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$valueType), [{
      return $_get(valueType.getContext(), valueType);
    }]>
  ];
}

def Linnet_EnumType : Linnet_Type<"Enum", "enum"> {
  let summary = "a value of an enum";
  let description = "`!linnet.enum<@\"m::Mode\">` names a `linnet.enum` of the module.";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$symbol);
  let assemblyFormat = "`<` $symbol `>`";
}

def Linnet_InstanceType : Linnet_Type<"Instance", "instance"> {
  let summary = "an instance of a block";
  let description = [{
    `!linnet.instance<@"m::Block"<H, 3 * H, T: Float>>` names a block of the module
    and gives its generics, in order. The second list is left out if it is empty.

    Constraints:
    - (C1) Each argument is a `#linnet.dim`, a `#linnet.shape` or a dtype.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$block,
                        ArrayRefParameter<"::mlir::Attribute", "">:$arguments);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::FlatSymbolRefAttr":$block,
                                        "::llvm::ArrayRef<::mlir::Attribute>":$arguments), [{
      return $_get(block.getContext(), block, arguments);
    }]>
  ];
}

def Linnet_ArrayType : Linnet_Type<"Array", "array"> {
  let summary = "a structural array of block instances";
  let description = "`!linnet.array<!linnet.instance<@\"m::Block\"<H>>, Layers>`.";
  let parameters = (ins "::linnet::InstanceType":$instance, "::linnet::DimAttr":$size);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::linnet::InstanceType":$instance,
                                        "::linnet::DimAttr":$size), [{
      return $_get(instance.getContext(), instance, size);
    }]>
  ];
}

def Linnet_IndexType : Linnet_Type<"Index", "index"> {
  let summary = "an index of index notation";
  let description = [{
    `!linnet.index<[N]>` runs over one axis, `!linnet.index<[*S, 2]>` (a pack index)
    over a sequence of them.

    Constraints:
    - (C1) Each extent is a `#linnet.dim` or a `#linnet.pack`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute", "dims and packs">:$extents);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Linnet_RefType : Linnet_Type<"Ref", "ref"> {
  let summary = "a state cell";
  let description = "`!linnet.ref<!linnet.tensor<[4], f32>>` (BOUND only).";
  let parameters = (ins "::linnet::TensorType":$tensor);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::linnet::TensorType":$tensor), [{
      return $_get(tensor.getContext(), tensor);
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// Constraints on operands
//===----------------------------------------------------------------------===//

class Linnet_TensorOf<string test, string what> : Type<
    And<[CPred<"::llvm::isa<::linnet::TensorType>($_self)">,
         SubstLeaves<"$_dtype", "::llvm::cast<::linnet::TensorType>($_self).getElementType()",
                     CPred<test>>]>,
    what, "::linnet::TensorType">;

class Linnet_ScalarOf<string test, string what> : Type<
    And<[CPred<"::llvm::isa<::linnet::TensorType>($_self)">,
         CPred<"::llvm::cast<::linnet::TensorType>($_self).isScalar()">,
         SubstLeaves<"$_dtype", "::llvm::cast<::linnet::TensorType>($_self).getElementType()",
                     CPred<test>>]>,
    what, "::linnet::TensorType">;

def Linnet_Tensor : Linnet_TensorOf<"true", "tensor">;
def Linnet_NumericTensor
    : Linnet_TensorOf<"::linnet::dtype::isNumeric($_dtype)", "tensor of numbers">;
def Linnet_IntegerTensor
    : Linnet_TensorOf<"::linnet::dtype::isInteger($_dtype)", "tensor of integers">;
def Linnet_FloatTensor
    : Linnet_TensorOf<"::linnet::dtype::isFloat($_dtype)", "tensor of floats">;
def Linnet_BoolTensor
    : Linnet_TensorOf<"::linnet::dtype::isBool($_dtype)", "tensor of booleans">;
def Linnet_BitsTensor
    : Linnet_TensorOf<"::linnet::dtype::isBool($_dtype) || ::linnet::dtype::isInteger($_dtype)",
                      "tensor of integers or booleans">;

def Linnet_Scalar : Linnet_ScalarOf<"true", "scalar tensor">;
def Linnet_IntegerScalar
    : Linnet_ScalarOf<"::linnet::dtype::isInteger($_dtype)", "scalar tensor of an integer type">;
def Linnet_BoolScalar
    : Linnet_ScalarOf<"::linnet::dtype::isBool($_dtype)", "scalar boolean tensor">,
      BuildableType<"::linnet::TensorType::get(::llvm::ArrayRef<::mlir::Attribute>(), "
                    "$_builder.getI1Type())">;

class Linnet_Is<string cppClass, string what> : Type<
    CPred<"::llvm::isa<::linnet::" # cppClass # ">($_self)">, what, "::linnet::" # cppClass>;
def Linnet_Optional : Linnet_Is<"OptionalType", "optional">;
def Linnet_Enumerated : Linnet_Is<"EnumType", "enum value">;
def Linnet_Instance : Linnet_Is<"InstanceType", "block instance">;
def Linnet_Array : Linnet_Is<"ArrayType", "array of block instances">;
def Linnet_Ref : Linnet_Is<"RefType", "state cell">;
def Linnet_IndexValue : Linnet_Is<"IndexType", "index">;
// A value of the language: what a function may take or give [FUN-4].
def Linnet_Value : Type<CPred<"::linnet::isValueType($_self)">,
                        "tensor, optional, tuple or enum value">;
def Linnet_AccessPart : AnyTypeOf<[Linnet_IndexValue, Linnet_IntegerScalar],
                                  "index or scalar tensor of an integer type">;

#endif // LINNET_TYPES_TD
