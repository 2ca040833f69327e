// Verifiers of the ops that move elements.
#include "dialect/LinnetDialect.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace linnet;

/// An axis length as the user would write it; an unknown one is `?`.
static std::string showSize(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

LogicalResult TransposeOp::verify() {
  RankedTensorType from = getInput().getType(), to = getType();
  ArrayRef<int64_t> perm = getPerm();

  if (static_cast<int64_t>(perm.size()) != from.getRank() ||
      !isPermutationVector(perm)) // C1
    return emitOpError("perm must list each of the ")
           << from.getRank() << " input axes once, got [" << perm << "]";

  for (auto [axis, source] : llvm::enumerate(perm)) {
    int64_t got = to.getDimSize(axis), want = from.getDimSize(source);
    if (got == want)
      continue;
    auto error = emitOpError("result axis ") << axis; // C2
    error << " has size " << showSize(got) << ", expected " << showSize(want);
    error.attachNote(getInput().getLoc())
        << "axis " << source << " of this value has size " << showSize(want);
    return error;
  }
  return success();
}
