// What a `Facts` value holds: its constraints, and the system made of them.
#ifndef LINNET_LIB_DIMS_CLOSURE_H
#define LINNET_LIB_DIMS_CLOSURE_H

#include "lib/Dims/Facts.h"
#include "lib/Dims/System.h"

namespace linnet::dims {

struct Closure {
  std::vector<Constraint> constraints;
  System system;
  bool isContradictory = false;
};

/// Values that satisfy `facts` and make `claim` false, with all its divisors
/// positive, from a search of a bounded number of steps.
std::optional<Assignment> findWitness(llvm::ArrayRef<Constraint> facts,
                                      const Constraint &claim);

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_CLOSURE_H
