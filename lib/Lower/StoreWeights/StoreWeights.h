// The pass linnet-store-weights.
#ifndef LINNET_LIB_LOWER_STOREWEIGHTS_STOREWEIGHTS_H
#define LINNET_LIB_LOWER_STOREWEIGHTS_STOREWEIGHTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Lower/StoreWeights/StoreWeights.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Lower/StoreWeights/StoreWeights.h.inc"

} // namespace linnet

#endif // LINNET_LIB_LOWER_STOREWEIGHTS_STOREWEIGHTS_H
