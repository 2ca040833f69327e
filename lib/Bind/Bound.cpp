// Structure of bound values.
#include "lib/Bind/Instance.h"

using namespace mlir;
using namespace linnet::bind;

void Bound::flatten(SmallVectorImpl<Value> &values) const {
  if (kind == Runtime)
    values.push_back(value);
  for (const Bound &part : parts)
    part.flatten(values);
}

Bound Bound::rebuild(ValueRange &values) const {
  Bound built = *this;
  if (kind == Runtime) {
    built.value = values.front();
    values = values.drop_front();
  }
  for (Bound &part : built.parts)
    part = part.rebuild(values);
  return built;
}

bool Bound::isLike(const Bound &other) const {
  if (kind != other.kind || variant != other.variant ||
      object != other.object || array != other.array ||
      parts.size() != other.parts.size())
    return false;
  for (auto [mine, theirs] : llvm::zip_equal(parts, other.parts))
    if (!mine.isLike(theirs))
      return false;
  return true;
}
