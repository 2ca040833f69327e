// The pass `linnet-lower-comprehensions`: index notation to structured tensor
// ops.

#ifndef LINNET_LOWER_LOWERCOMPREHENSIONS_H
#define LINNET_LOWER_LOWERCOMPREHENSIONS_H

#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Lower/LowerComprehensions/LowerComprehensions.h.inc"

} // namespace linnet

#endif // LINNET_LOWER_LOWERCOMPREHENSIONS_H
