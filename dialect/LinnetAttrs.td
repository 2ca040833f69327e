//===- LinnetAttrs.td - attributes and enumerations -------------*- tablegen -*-===//
#ifndef LINNET_ATTRS_TD
#define LINNET_ATTRS_TD

include "dialect/LinnetDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Linnet_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::linnet";
}

def Linnet_FuncKind : Linnet_Enum<"FuncKind", "what a function is for [FUN-1]", [
  I32EnumAttrCase<"Fn", 0, "fn">,
  I32EnumAttrCase<"Op", 1, "op">,
  I32EnumAttrCase<"Entry", 2, "entry">
]>;

def Linnet_GenericKind : Linnet_Enum<"GenericKind", "kind of a generic [TYP-16]", [
  I32EnumAttrCase<"Dim", 0>,
  I32EnumAttrCase<"Shape", 1>,
  I32EnumAttrCase<"DType", 2>,
  I32EnumAttrCase<"Numeric", 3>,
  I32EnumAttrCase<"Integer", 4>,
  I32EnumAttrCase<"Float", 5>
]>;

def Linnet_DtypeClass : Linnet_Enum<"DtypeClass", "class of a dtype variable [TYP-2]", [
  I32EnumAttrCase<"DType", 0>,
  I32EnumAttrCase<"Numeric", 1>,
  I32EnumAttrCase<"Integer", 2>,
  I32EnumAttrCase<"Float", 3>
]>;

def Linnet_Predicate : Linnet_Enum<"Predicate", "comparison of two values", [
  I32EnumAttrCase<"Eq", 0, "eq">,
  I32EnumAttrCase<"Ne", 1, "ne">,
  I32EnumAttrCase<"Lt", 2, "lt">,
  I32EnumAttrCase<"Le", 3, "le">,
  I32EnumAttrCase<"Gt", 4, "gt">,
  I32EnumAttrCase<"Ge", 5, "ge">
]>;

def Linnet_ReduceKind : Linnet_Enum<"ReduceKind", "how a reduction combines [IDX-10]", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Any", 4, "any">,
  I32EnumAttrCase<"All", 5, "all">
]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Linnet_Attr<string name, string attrMnemonic>
    : AttrDef<Linnet_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

def Linnet_DimAttr : Linnet_Attr<"Dim", "dim"> {
  let summary = "a dimension expression";
  let description = [{
    `#linnet.dim<3 * H>`: an integer expression over the generics in scope, kept in
    the canonical form of `linnet::dims`.
  }];
  let parameters = (ins AttrParameter<"::linnet::dims::Expr", "the expression">:$value);
  let builders = [
    AttrBuilder<(ins "int64_t":$constant), [{
      return $_get($_ctxt, ::linnet::dims::constant(constant));
    }]>
  ];
  let extraClassDeclaration = [{
    /// The value, if it is a constant that fits an `int64_t`.
    std::optional<int64_t> asInteger() const;
  }];
}

def Linnet_PackAttr : Linnet_Attr<"Pack", "pack"> {
  let summary = "a pack in a shape";
  let description = "`#linnet.pack<*S>`: zero or more dimensions; stands in shapes only.";
  let parameters = (ins StringRefParameter<"the name, without its star">:$name);
}

def Linnet_ShapeAttr : Linnet_Attr<"Shape", "shape"> {
  let summary = "a list of dimensions and packs";
  let description = [{
    `#linnet.shape<[A, *S, 3]>`: the generic argument of a pack.

    Constraints:
    - (C1) Each element is a `#linnet.dim` or a `#linnet.pack`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute", "the elements">:$elements);
  let genVerifyDecl = 1;
}

def Linnet_ConstraintAttr : Linnet_Attr<"Constraint", "constraint"> {
  let summary = "a comparison of two dimension expressions";
  let description = [{
    `#linnet.constraint<"H % Heads == 0">`. The quotes are there because MLIR takes
    `<` and `>` for brackets.
  }];
  let parameters = (ins AttrParameter<"::linnet::dims::Constraint", "the constraint">:$value);
}

def Linnet_GenericAttr : Linnet_Attr<"Generic", "generic"> {
  let summary = "a generic parameter of a block or function";
  let description = [{
    `#linnet.generic<H: Dim>`, `#linnet.generic<*S: Shape>`,
    `#linnet.generic<T: Float = f32>`. A default is a dim, a shape or a dtype.

    Constraints:
    - (C1) The default is of the generic's kind: a `#linnet.dim`, a
      `#linnet.shape`, or a type attribute holding a dtype.
    - (C2) A default dtype is in the generic's class.
  }];
  let parameters = (ins
    StringRefParameter<"the name, without a star">:$name,
    EnumParameter<Linnet_GenericKind>:$kind,
    OptionalParameter<"::mlir::Attribute">:$defaultValue);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isDim() const { return getKind() == GenericKind::Dim; }
    bool isPack() const { return getKind() == GenericKind::Shape; }
    bool isDtype() const { return !isDim() && !isPack(); }
    /// The class of a dtype generic.
    DtypeClass getDtypeClass() const;
  }];
}

def Linnet_GenericArrayAttr : TypedArrayAttrBase<Linnet_GenericAttr, "array of generics">;
def Linnet_WhereAttr : TypedArrayAttrBase<Linnet_ConstraintAttr, "array of constraints">;
def Linnet_DimArrayAttr : TypedArrayAttrBase<Linnet_DimAttr, "array of dims">;

def Linnet_GenericArgAttr : Attr<
    CPred<"::linnet::isGenericArgument($_self)">, "dim, shape or dtype"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
}
def Linnet_GenericArgsAttr
    : TypedArrayAttrBase<Linnet_GenericArgAttr, "array of generic arguments">;

// The value of a literal [TYP-10]: an i64 integer, an f64 float or a bool.
def Linnet_LiteralAttr : Attr<CPred<"::linnet::isLiteral($_self)">,
                              "bool, 64-bit integer or 64-bit float"> {
  let storageType = "::mlir::TypedAttr";
  let returnType = "::mlir::TypedAttr";
  let convertFromStorage = "$_self";
}

#endif // LINNET_ATTRS_TD
