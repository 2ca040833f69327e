// The dialect's attributes for Python. The signatures below end up in the
// extension's stub, so they say what a caller may rely on.
#include "lib/Python/Types.h"

namespace nb = nanobind;

namespace linnet::python {

using mlir::python::nanobind_adaptors::mlir_attribute_subclass;

template <typename T>
static mlir_attribute_subclass addAttribute(nb::module_ &module,
                                            const char *name) {
  return mlir_attribute_subclass(
      module, name,
      [](MlirAttribute attr) { return llvm::isa<T>(unwrap(attr)); },
      [] { return wrap(T::getTypeID()); });
}

template <typename T> static T get(MlirAttribute attr) {
  return llvm::cast<T>(unwrap(attr));
}

static void populateDims(nb::module_ &module) {
  mlir_attribute_subclass dim = addAttribute<DimAttr>(module, "DimAttr");
  dim.def_staticmethod(
      "get",
      [](const DimOrInt &value, MlirContext context) {
        return wrap(
            mlir::Attribute(DimAttr::get(load(context), toExpr(value))));
      },
      nb::arg("value"), nb::arg("context") = nb::none(),
      nb::sig("def get(value: Dim | int, context: linnet.mlir.ir.Context | "
              "None = None) -> DimAttr"));
  dim.def_property_readonly(
      "value", [](MlirAttribute self) { return get<DimAttr>(self).getValue(); },
      nb::sig("def value(self) -> Dim"));

  mlir_attribute_subclass pack = addAttribute<PackAttr>(module, "PackAttr");
  pack.def_property_readonly(
      "name",
      [](MlirAttribute self) { return get<PackAttr>(self).getName().str(); },
      nb::sig("def name(self) -> str"));

  mlir_attribute_subclass shape = addAttribute<ShapeAttr>(module, "ShapeAttr");
  shape.def_staticmethod(
      "get",
      [](const ShapeInput &elements, MlirContext context) {
        return wrap(mlir::Attribute(
            ShapeAttr::get(load(context), toShape(load(context), elements))));
      },
      nb::arg("elements"), nb::arg("context") = nb::none(),
      nb::sig("def get(elements: collections.abc.Sequence[Dim | Pack | int], "
              "context: linnet.mlir.ir.Context | None = None) -> ShapeAttr"));
  shape.def_property_readonly(
      "elements",
      [](MlirAttribute self) {
        return fromShape(get<ShapeAttr>(self).getElements());
      },
      nb::sig("def elements(self) -> list[Dim | Pack]"));

  mlir_attribute_subclass constraint =
      addAttribute<ConstraintAttr>(module, "ConstraintAttr");
  constraint.def_staticmethod(
      "get",
      [](const dims::Constraint &value, MlirContext context) {
        return wrap(mlir::Attribute(ConstraintAttr::get(load(context), value)));
      },
      nb::arg("value"), nb::arg("context") = nb::none(),
      nb::sig("def get(value: Constraint, context: linnet.mlir.ir.Context | "
              "None = None) -> ConstraintAttr"));
  constraint.def_property_readonly(
      "value",
      [](MlirAttribute self) { return get<ConstraintAttr>(self).getValue(); },
      nb::sig("def value(self) -> Constraint"));
}

static void populateGeneric(nb::module_ &module) {
  mlir_attribute_subclass generic =
      addAttribute<GenericAttr>(module, "GenericAttr");
  generic.def_staticmethod(
      "get",
      [](const std::string &name, const std::string &kindName,
         std::optional<MlirAttribute> defaultValue, MlirContext context) {
        std::optional<GenericKind> kind = symbolizeGenericKind(kindName);
        if (!kind)
          throw nb::value_error("a kind is Dim, Shape, DType, Numeric, Integer "
                                "or Float");
        mlir::Attribute value;
        if (defaultValue)
          value = unwrap(*defaultValue);
        return wrap(mlir::Attribute(getChecked<GenericAttr>(
            load(context), llvm::StringRef(name), *kind, value)));
      },
      nb::arg("name"), nb::arg("kind"), nb::arg("default") = nb::none(),
      nb::arg("context") = nb::none(),
      nb::sig("def get(name: str, kind: str, default: linnet.mlir.ir.Attribute "
              "| None = None, context: linnet.mlir.ir.Context | None = None) "
              "-> GenericAttr"),
      "The generic `name` (without a star) of kind Dim, Shape, DType, Numeric, "
      "Integer or\nFloat; a default is a `DimAttr`, `ShapeAttr` or "
      "`TypeAttr`.");
  generic.def_property_readonly(
      "name",
      [](MlirAttribute self) { return get<GenericAttr>(self).getName().str(); },
      nb::sig("def name(self) -> str"));
  generic.def_property_readonly(
      "kind",
      [](MlirAttribute self) {
        return stringifyGenericKind(get<GenericAttr>(self).getKind()).str();
      },
      nb::sig("def kind(self) -> str"));
  generic.def_property_readonly(
      "default",
      [](MlirAttribute self) -> std::optional<MlirAttribute> {
        mlir::Attribute value = get<GenericAttr>(self).getDefaultValue();
        if (!value)
          return std::nullopt;
        return wrap(value);
      },
      nb::sig("def default(self) -> linnet.mlir.ir.Attribute | None"));
}

void populateAttributes(nb::module_ &module) {
  populateDims(module);
  populateGeneric(module);
}

} // namespace linnet::python
