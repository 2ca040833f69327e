// Registration of everything that the dialect holds.
#include "dialect/LinnetDialect.h"

using namespace mlir;

#include "dialect/LinnetDialect.cpp.inc"
#include "dialect/LinnetEnums.cpp.inc"
#include "dialect/LinnetInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/LinnetOps.cpp.inc"

void linnet::LinnetDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialect/LinnetOps.cpp.inc"
      >();
}
