//===- LinnetOps.td - entry point of the Python op bindings -----*- tablegen -*-===//
#ifndef LINNET_PYTHON_OPS_TD
#define LINNET_PYTHON_OPS_TD

include "dialect/LinnetOps.td"

#endif // LINNET_PYTHON_OPS_TD
