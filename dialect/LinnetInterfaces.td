//===- LinnetInterfaces.td - interfaces of the ops --------------*- tablegen -*-===//
#ifndef LINNET_INTERFACES_TD
#define LINNET_INTERFACES_TD

include "mlir/IR/OpBase.td"

#endif // LINNET_INTERFACES_TD
