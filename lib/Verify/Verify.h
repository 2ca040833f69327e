// The pass linnet-verify: obligations as errors.
#ifndef LINNET_LIB_VERIFY_VERIFY_H
#define LINNET_LIB_VERIFY_VERIFY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Verify/Verify.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Verify/Verify.h.inc"

} // namespace linnet

#endif // LINNET_LIB_VERIFY_VERIFY_H
