// The pass `linnet-narrow-masked-writes`: selects over a cache to updates in
// place.

#ifndef LINNET_LOWER_NARROWMASKEDWRITES_H
#define LINNET_LOWER_NARROWMASKEDWRITES_H

#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Lower/NarrowMaskedWrites/NarrowMaskedWrites.h.inc"

} // namespace linnet

#endif // LINNET_LOWER_NARROWMASKEDWRITES_H
