// The pass linnet-thread-state.
#ifndef LINNET_LIB_LOWER_THREADSTATE_THREADSTATE_H
#define LINNET_LIB_LOWER_THREADSTATE_THREADSTATE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Lower/ThreadState/ThreadState.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Lower/ThreadState/ThreadState.h.inc"

} // namespace linnet

#endif // LINNET_LIB_LOWER_THREADSTATE_THREADSTATE_H
