// The extension `_linnet`: what linnet.mlir adds to MLIR's own bindings.
#include "lib/Python/Dims.h"
#include "lib/Python/Types.h"
#include "lib/Python/Verify.h"

NB_MODULE(_linnet, module) {
  module.doc() = "Types, attributes, dimensions and the prover of Linnet.";
  linnet::python::populateDims(module);
  linnet::python::populateTypes(module);
  linnet::python::populateAttributes(module);
  linnet::python::populateVerify(module);
}
