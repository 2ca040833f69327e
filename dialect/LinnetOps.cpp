// The generated definitions of all ops.
#include "dialect/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialect/LinnetOps.cpp.inc"
