//===- LinnetOps.td - all of the dialect, for tablegen ----------*- tablegen -*-===//
#ifndef LINNET_OPS_TD
#define LINNET_OPS_TD

include "dialect/LinnetDialect.td"
include "dialect/LinnetAttrs.td"
include "dialect/LinnetTypes.td"
include "dialect/LinnetInterfaces.td"
include "dialect/ops/Structure.td"
include "dialect/ops/Control.td"
include "dialect/ops/Index.td"
include "dialect/ops/Math.td"
include "dialect/ops/Shape.td"

#endif // LINNET_OPS_TD
