// The extension `_linnet`: what linnet.mlir adds to MLIR's own bindings.
#include "dialect/LinnetDialect.h"
#include "lib/Pipelines/RegisterPasses.h"
#include "lib/Python/Dims.h"
#include "lib/Python/Verify.h"

#include "mlir-c/Bindings/Python/Interop.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nb = nanobind;

NB_MODULE(_linnet, module) {
  module.doc() = "Types, attributes, dimensions and the prover of Linnet.";
  linnet::registerPasses();
  linnet::python::populateDims(module);
  module.def(
      "register_dialects",
      [](MlirDialectRegistry registry) {
        unwrap(registry)
            ->insert<linnet::LinnetDialect, mlir::arith::ArithDialect,
                     mlir::func::FuncDialect>();
      },
      nb::arg("registry"),
      "Adds the dialects that a Linnet program uses to `registry`.");
  linnet::python::populateVerify(module);
}
