// The pass `linnet-lower-cumsum`: running sums to additions of slices.

#ifndef LINNET_LOWER_LOWERCUMSUM_H
#define LINNET_LOWER_LOWERCUMSUM_H

#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Lower/LowerCumsum/LowerCumsum.h.inc"

} // namespace linnet

#endif // LINNET_LOWER_LOWERCUMSUM_H
