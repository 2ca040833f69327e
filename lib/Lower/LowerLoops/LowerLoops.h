// The pass `linnet-lower-loops`: counted loops to `while` loops.

#ifndef LINNET_LOWER_LOWERLOOPS_H
#define LINNET_LOWER_LOWERLOOPS_H

#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Lower/LowerLoops/LowerLoops.h.inc"

} // namespace linnet

#endif // LINNET_LOWER_LOWERLOOPS_H
