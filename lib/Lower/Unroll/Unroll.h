// The pass linnet-unroll.
#ifndef LINNET_LIB_LOWER_UNROLL_UNROLL_H
#define LINNET_LIB_LOWER_UNROLL_UNROLL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Lower/Unroll/Unroll.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Lower/Unroll/Unroll.h.inc"

} // namespace linnet

#endif // LINNET_LIB_LOWER_UNROLL_UNROLL_H
