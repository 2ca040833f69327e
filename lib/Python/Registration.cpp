// The extension `_linnet_registration`: the dialects and passes that every
// Context knows. It stands alone because MLIR's bindings load it while they
// start, when no class of theirs can be extended yet; `_linnet` does that.
#include "dialect/LinnetDialect.h"
#include "lib/Pipelines/RegisterPasses.h"

#include "mlir-c/Bindings/Python/Interop.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nb = nanobind;

NB_MODULE(_linnet_registration, module) {
  module.doc() = "The dialects and passes of Linnet.";
  linnet::registerPasses();
  module.def(
      "register_dialects",
      [](MlirDialectRegistry registry) {
        unwrap(registry)
            ->insert<linnet::LinnetDialect, mlir::arith::ArithDialect,
                     mlir::func::FuncDialect>();
      },
      nb::arg("registry"),
      "Adds the dialects that a Linnet program uses to `registry`.");
}
