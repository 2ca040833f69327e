// The pass linnet-cse-in-scopes.
#ifndef LINNET_LIB_LOWER_CSEINSCOPES_CSEINSCOPES_H
#define LINNET_LIB_LOWER_CSEINSCOPES_CSEINSCOPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Lower/CseInScopes/CseInScopes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Lower/CseInScopes/CseInScopes.h.inc"

} // namespace linnet

#endif // LINNET_LIB_LOWER_CSEINSCOPES_CSEINSCOPES_H
