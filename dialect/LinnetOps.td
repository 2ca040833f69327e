//===- LinnetOps.td - all of the dialect, for tablegen ----------*- tablegen -*-===//
#ifndef LINNET_OPS_TD
#define LINNET_OPS_TD

include "dialect/LinnetDialect.td"
include "dialect/ops/Shape.td"

#endif // LINNET_OPS_TD
