// Registration of everything that the dialect holds.
#include "dialect/LinnetDialect.h"

using namespace mlir;

#include "dialect/LinnetDialect.cpp.inc"
#include "dialect/LinnetInterfaces.cpp.inc"

void linnet::LinnetDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialect/LinnetOps.cpp.inc"
      >();
}
