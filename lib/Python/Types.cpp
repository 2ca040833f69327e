// The dialect's types for Python. The signatures below end up in the
// extension's stub, so they say what a caller may rely on.
#include "lib/Python/Types.h"

namespace nb = nanobind;

namespace linnet::python {

using mlir::python::nanobind_adaptors::mlir_type_subclass;

dims::Expr toExpr(const DimOrInt &value) {
  if (const auto *expr = std::get_if<dims::Expr>(&value))
    return *expr;
  return dims::constant(nb::cast<int64_t>(std::get<nb::int_>(value)));
}

mlir::MLIRContext *load(mlir::MLIRContext *context) {
  context->getOrLoadDialect<LinnetDialect>();
  return context;
}

mlir::MLIRContext *load(MlirContext context) { return load(unwrap(context)); }

llvm::SmallVector<mlir::Attribute> toShape(mlir::MLIRContext *context,
                                           const ShapeInput &shape) {
  llvm::SmallVector<mlir::Attribute> elements;
  for (const auto &element : shape) {
    if (const auto *pack = std::get_if<Pack>(&element))
      elements.push_back(PackAttr::get(context, pack->name));
    else if (const auto *expr = std::get_if<dims::Expr>(&element))
      elements.push_back(DimAttr::get(context, *expr));
    else
      elements.push_back(
          DimAttr::get(context, toExpr(std::get<nb::int_>(element))));
  }
  return elements;
}

ShapeOutput fromShape(llvm::ArrayRef<mlir::Attribute> shape) {
  ShapeOutput elements;
  for (mlir::Attribute element : shape) {
    if (auto pack = llvm::dyn_cast<PackAttr>(element))
      elements.emplace_back(Pack{pack.getName().str()});
    else
      elements.emplace_back(llvm::cast<DimAttr>(element).getValue());
  }
  return elements;
}

template <typename T>
static mlir_type_subclass addType(nb::module_ &module, const char *name) {
  return mlir_type_subclass(
      module, name, [](MlirType type) { return llvm::isa<T>(unwrap(type)); },
      [] { return wrap(T::getTypeID()); });
}

template <typename T> static T get(MlirType type) {
  return llvm::cast<T>(unwrap(type));
}

static void populateTensor(nb::module_ &module) {
  mlir_type_subclass type = addType<TensorType>(module, "TensorType");
  type.def_staticmethod(
      "get",
      [](const ShapeInput &shape, MlirType elementType) {
        mlir::Type element = unwrap(elementType);
        mlir::MLIRContext *context = load(element.getContext());
        return wrap(mlir::Type(getChecked<TensorType>(
            context, llvm::ArrayRef<mlir::Attribute>(toShape(context, shape)),
            element)));
      },
      nb::arg("shape"), nb::arg("element_type"),
      nb::sig("def get(shape: collections.abc.Sequence[Dim | Pack | int], "
              "element_type: linnet.mlir.ir.Type) -> TensorType"),
      "A tensor of this shape; the element is a builtin type or a "
      "`DtypeType`.\n\nRaises `ValueError` for a negative constant dimension "
      "or another element.");
  type.def_property_readonly(
      "shape",
      [](MlirType self) { return fromShape(get<TensorType>(self).getShape()); },
      nb::sig("def shape(self) -> list[Dim | Pack]"));
  type.def_property_readonly(
      "static_shape",
      [](MlirType self) -> std::optional<std::vector<int64_t>> {
        TensorType type = get<TensorType>(self);
        if (!type.isStatic())
          return std::nullopt;
        llvm::SmallVector<int64_t> sizes = type.getStaticShape();
        return std::vector<int64_t>(sizes.begin(), sizes.end());
      },
      nb::sig("def static_shape(self) -> list[int] | None"),
      "The sizes if all are constants, else None.");
  type.def_property_readonly(
      "element_type",
      [](MlirType self) {
        return wrap(get<TensorType>(self).getElementType());
      },
      nb::sig("def element_type(self) -> linnet.mlir.ir.Type"));
  type.def_property_readonly(
      "rank", [](MlirType self) { return get<TensorType>(self).getRank(); },
      nb::sig("def rank(self) -> int"), "How many dims and packs there are.");
  type.def_property_readonly(
      "is_scalar",
      [](MlirType self) { return get<TensorType>(self).isScalar(); },
      nb::sig("def is_scalar(self) -> bool"));
  type.def_property_readonly(
      "is_static",
      [](MlirType self) { return get<TensorType>(self).isStatic(); },
      nb::sig("def is_static(self) -> bool"));
  type.def_property_readonly(
      "has_packs",
      [](MlirType self) { return get<TensorType>(self).hasPacks(); },
      nb::sig("def has_packs(self) -> bool"));
}

static void populateWrappers(nb::module_ &module) {
  mlir_type_subclass optional = addType<OptionalType>(module, "OptionalType");
  optional.def_staticmethod(
      "get",
      [](MlirType value) {
        mlir::Type inner = unwrap(value);
        return wrap(mlir::Type(
            getChecked<OptionalType>(load(inner.getContext()), inner)));
      },
      nb::arg("value_type"),
      nb::sig("def get(value_type: linnet.mlir.ir.Type) -> OptionalType"));
  optional.def_property_readonly(
      "value_type",
      [](MlirType self) {
        return wrap(get<OptionalType>(self).getValueType());
      },
      nb::sig("def value_type(self) -> linnet.mlir.ir.Type"));

  mlir_type_subclass ref = addType<RefType>(module, "RefType");
  ref.def_staticmethod(
      "get",
      [](MlirType tensor) {
        auto type = llvm::dyn_cast<TensorType>(unwrap(tensor));
        if (!type)
          throw nb::value_error("a state cell holds a TensorType");
        return wrap(mlir::Type(RefType::get(type)));
      },
      nb::arg("tensor"), nb::sig("def get(tensor: TensorType) -> RefType"));
  ref.def_property_readonly(
      "tensor",
      [](MlirType self) {
        return wrap(mlir::Type(get<RefType>(self).getTensor()));
      },
      nb::sig("def tensor(self) -> TensorType"));

  mlir_type_subclass index = addType<IndexType>(module, "IndexType");
  index.def_staticmethod(
      "get",
      [](const ShapeInput &extents, MlirContext context) {
        return wrap(mlir::Type(getChecked<IndexType>(
            load(context),
            llvm::ArrayRef<mlir::Attribute>(toShape(load(context), extents)))));
      },
      nb::arg("extents"), nb::arg("context") = nb::none(),
      nb::sig("def get(extents: collections.abc.Sequence[Dim | Pack | int], "
              "context: linnet.mlir.ir.Context | None = None) -> IndexType"),
      "An index over these axes: one dim for a plain index.");
  index.def_property_readonly(
      "extents",
      [](MlirType self) {
        return fromShape(get<IndexType>(self).getExtents());
      },
      nb::sig("def extents(self) -> list[Dim | Pack]"));
}

static void populateNamed(nb::module_ &module) {
  mlir_type_subclass variable = addType<DtypeType>(module, "DtypeType");
  variable.def_staticmethod(
      "get",
      [](const std::string &name, const std::string &className,
         MlirContext context) {
        std::optional<DtypeClass> dtypeClass = symbolizeDtypeClass(className);
        if (!dtypeClass)
          throw nb::value_error("a class is DType, Numeric, Integer or Float");
        return wrap(
            mlir::Type(DtypeType::get(load(context), name, *dtypeClass)));
      },
      nb::arg("name"), nb::arg("dtype_class"), nb::arg("context") = nb::none(),
      nb::sig("def get(name: str, dtype_class: str, context: "
              "linnet.mlir.ir.Context | None = None) -> DtypeType"),
      "The dtype variable `name` of class DType, Numeric, Integer or Float.");
  variable.def_property_readonly(
      "name",
      [](MlirType self) { return get<DtypeType>(self).getName().str(); },
      nb::sig("def name(self) -> str"));
  variable.def_property_readonly(
      "dtype_class",
      [](MlirType self) {
        return stringifyDtypeClass(get<DtypeType>(self).getDtypeClass()).str();
      },
      nb::sig("def dtype_class(self) -> str"));

  mlir_type_subclass enumType = addType<EnumType>(module, "EnumType");
  enumType.def_staticmethod(
      "get",
      [](const std::string &symbol, MlirContext context) {
        return wrap(mlir::Type(EnumType::get(
            load(context),
            mlir::FlatSymbolRefAttr::get(load(context), symbol))));
      },
      nb::arg("symbol"), nb::arg("context") = nb::none(),
      nb::sig("def get(symbol: str, context: linnet.mlir.ir.Context | None = "
              "None) -> EnumType"));
  enumType.def_property_readonly(
      "symbol",
      [](MlirType self) {
        return get<EnumType>(self).getSymbol().getValue().str();
      },
      nb::sig("def symbol(self) -> str"));

  mlir_type_subclass instance = addType<InstanceType>(module, "InstanceType");
  instance.def_staticmethod(
      "get",
      [](const std::string &block, const std::vector<MlirAttribute> &arguments,
         MlirContext context) {
        llvm::SmallVector<mlir::Attribute> attributes;
        for (MlirAttribute argument : arguments)
          attributes.push_back(unwrap(argument));
        return wrap(mlir::Type(getChecked<InstanceType>(
            load(context), mlir::FlatSymbolRefAttr::get(load(context), block),
            llvm::ArrayRef<mlir::Attribute>(attributes))));
      },
      nb::arg("block"), nb::arg("arguments") = std::vector<MlirAttribute>(),
      nb::arg("context") = nb::none(),
      nb::sig("def get(block: str, arguments: "
              "collections.abc.Sequence[linnet.mlir.ir.Attribute] = (), "
              "context: linnet.mlir.ir.Context | None = None) -> InstanceType"),
      "An instance of the block; the arguments are `DimAttr`, `ShapeAttr` and "
      "`TypeAttr`.");
  instance.def_property_readonly(
      "block",
      [](MlirType self) {
        return get<InstanceType>(self).getBlock().getValue().str();
      },
      nb::sig("def block(self) -> str"));
  instance.def_property_readonly(
      "arguments",
      [](MlirType self) {
        std::vector<MlirAttribute> arguments;
        for (mlir::Attribute argument : get<InstanceType>(self).getArguments())
          arguments.push_back(wrap(argument));
        return arguments;
      },
      nb::sig("def arguments(self) -> list[linnet.mlir.ir.Attribute]"));

  mlir_type_subclass array = addType<ArrayType>(module, "ArrayType");
  array.def_staticmethod(
      "get",
      [](MlirType instance, const DimOrInt &size) {
        auto type = llvm::dyn_cast<InstanceType>(unwrap(instance));
        if (!type)
          throw nb::value_error("a structural array holds an InstanceType");
        return wrap(mlir::Type(ArrayType::get(
            type, DimAttr::get(type.getContext(), toExpr(size)))));
      },
      nb::arg("instance"), nb::arg("size"),
      nb::sig("def get(instance: InstanceType, size: Dim | int) -> ArrayType"));
  array.def_property_readonly(
      "instance",
      [](MlirType self) {
        return wrap(mlir::Type(get<ArrayType>(self).getInstance()));
      },
      nb::sig("def instance(self) -> InstanceType"));
  array.def_property_readonly(
      "size",
      [](MlirType self) { return get<ArrayType>(self).getSize().getValue(); },
      nb::sig("def size(self) -> Dim"));
}

void populateTypes(nb::module_ &module) {
  nb::class_<Pack>(module, "Pack", "A pack in a shape, `*S`.")
      .def(nb::init<std::string>(), nb::arg("name"))
      .def_ro("name", &Pack::name, "The name, without its star.")
      .def(
          "__eq__",
          [](const Pack &self, nb::handle other) {
            Pack pack;
            return nb::try_cast(other, pack) && pack.name == self.name;
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "__hash__",
          [](const Pack &self) { return nb::hash(nb::str(self.name.c_str())); })
      .def("__str__", [](const Pack &self) { return "*" + self.name; })
      .def("__repr__",
           [](const Pack &self) { return "Pack('" + self.name + "')"; });
  populateTensor(module);
  populateWrappers(module);
  populateNamed(module);
}

} // namespace linnet::python
