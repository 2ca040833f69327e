// The dialect, its types, attributes and ops.
#ifndef LINNET_DIALECT_LINNETDIALECT_H
#define LINNET_DIALECT_LINNETDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/LinnetDialect.h.inc"
#include "dialect/LinnetEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/LinnetAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/LinnetTypes.h.inc"

#include "dialect/LinnetInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/LinnetOps.h.inc"

#endif // LINNET_DIALECT_LINNETDIALECT_H
