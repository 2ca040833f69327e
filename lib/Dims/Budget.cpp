// Budgets of steps, a stack of them per thread.
#include "lib/Dims/Budget.h"

#include <algorithm>

namespace linnet::dims {

static thread_local Budget *innermost = nullptr;

Budget::Budget(uint64_t steps) : limit(steps), outer(innermost) {
  if (outer)
    limit =
        std::min(limit, outer->limit - std::min(outer->limit, outer->spent));
  innermost = this;
}

Budget::~Budget() {
  innermost = outer;
  if (outer)
    outer->spent += spent;
}

bool Budget::spend(uint64_t steps) {
  if (!innermost)
    return true;
  innermost->spent += steps;
  return !isUsedUp();
}

void Budget::giveUp() {
  if (innermost)
    innermost->exhausted = true;
}

void Budget::exhaust() {
  if (!isUsedUp() && innermost)
    innermost->spent = innermost->limit + 1;
}

bool Budget::isUsedUp() {
  if (!innermost || innermost->spent <= innermost->limit)
    return false;
  innermost->exhausted = true;
  return true;
}

} // namespace linnet::dims
