// Python's view of the dimension algebra and the prover.
#ifndef LINNET_LIB_PYTHON_DIMS_H
#define LINNET_LIB_PYTHON_DIMS_H

#include "mlir/Bindings/Python/Nanobind.h"

namespace linnet::python {

/// Adds `Dim`, `Constraint`, `Facts` and `Proof` to the module.
void populateDims(nanobind::module_ &module);

} // namespace linnet::python

#endif // LINNET_LIB_PYTHON_DIMS_H
