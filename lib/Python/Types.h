// Python's view of the dialect's types and attributes.
#ifndef LINNET_LIB_PYTHON_TYPES_H
#define LINNET_LIB_PYTHON_TYPES_H

#include "dialect/LinnetDialect.h"

#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <variant>

namespace linnet::python {

/// A pack in a shape, `*S`.
struct Pack {
  std::string name;
};

/// What Python passes and gets as an element of a shape.
using DimOrInt = std::variant<dims::Expr, nanobind::int_>;
using ShapeInput = std::vector<std::variant<dims::Expr, Pack, nanobind::int_>>;
using ShapeOutput = std::vector<std::variant<dims::Expr, Pack>>;

dims::Expr toExpr(const DimOrInt &value);
/// The context, with the dialect loaded: its types exist only then.
mlir::MLIRContext *load(MlirContext context);
mlir::MLIRContext *load(mlir::MLIRContext *context);
llvm::SmallVector<mlir::Attribute> toShape(mlir::MLIRContext *context,
                                           const ShapeInput &shape);
ShapeOutput fromShape(llvm::ArrayRef<mlir::Attribute> shape);

/// Builds a type or attribute; what its verifier says becomes a `ValueError`.
template <typename T, typename... Args>
T getChecked(mlir::MLIRContext *context, Args &&...args) {
  std::string message;
  T result;
  {
    mlir::ScopedDiagnosticHandler handler(context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            message = diagnostic.str();
                                            return mlir::success();
                                          });
    result = T::getChecked(
        [&] { return mlir::emitError(mlir::UnknownLoc::get(context)); },
        context, std::forward<Args>(args)...);
  }
  if (!result)
    throw nanobind::value_error(message.c_str());
  return result;
}

/// Adds `Pack` and the classes of the dialect's types and attributes.
void populateTypes(nanobind::module_ &module);
void populateAttributes(nanobind::module_ &module);

} // namespace linnet::python

#endif // LINNET_LIB_PYTHON_TYPES_H
