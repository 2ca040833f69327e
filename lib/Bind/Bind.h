// The pass linnet-bind: from GENERIC to BOUND.
#ifndef LINNET_LIB_BIND_BIND_H
#define LINNET_LIB_BIND_BIND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Bind/Bind.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Bind/Bind.h.inc"

} // namespace linnet

#endif // LINNET_LIB_BIND_BIND_H
