// linnet-opt: reads IR, runs passes, prints IR. Registration only.
#include "dialect/LinnetDialect.h"
#include "lib/Pipelines/RegisterPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<linnet::LinnetDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect>();
  linnet::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Linnet's driver for hand-written IR\n", registry));
}
