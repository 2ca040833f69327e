// The pass linnet-inline-scopes.
#ifndef LINNET_LIB_LOWER_INLINESCOPES_INLINESCOPES_H
#define LINNET_LIB_LOWER_INLINESCOPES_INLINESCOPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace linnet {

#define GEN_PASS_DECL
#include "lib/Lower/InlineScopes/InlineScopes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Lower/InlineScopes/InlineScopes.h.inc"

} // namespace linnet

#endif // LINNET_LIB_LOWER_INLINESCOPES_INLINESCOPES_H
