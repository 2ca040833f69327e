// The pass `linnet-simplify`: fewer and better structured ops of the same
// value.

#ifndef LINNET_LOWER_SIMPLIFY_H
#define LINNET_LOWER_SIMPLIFY_H

#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Lower/Simplify/Simplify.h.inc"

} // namespace linnet

#endif // LINNET_LOWER_SIMPLIFY_H
