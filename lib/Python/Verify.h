// What Verify.cpp adds to the extension.
#ifndef LINNET_LIB_PYTHON_VERIFY_H
#define LINNET_LIB_PYTHON_VERIFY_H

#include "mlir/Bindings/Python/Nanobind.h"

namespace linnet::python {

/// Adds `Failure` and `verify_obligations`.
void populateVerify(nanobind::module_ &module);

} // namespace linnet::python

#endif // LINNET_LIB_PYTHON_VERIFY_H
