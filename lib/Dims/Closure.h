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
  /// Whether there was more to say of the facts than the steps allowed.
  bool isCutShort = false;
};

/// What each question may cost at most. A million steps take 10 to 25 ms on a
/// machine of 2022, so that no claim takes more than 50 ms.
namespace steps {
constexpr uint64_t facts = 1'000'000;
constexpr uint64_t simplify = 500'000;
/// Of one claim: each way to an answer has its own, so that none starves.
constexpr uint64_t linear = 200'000;
constexpr uint64_t witness = 500'000;
constexpr uint64_t products = 500'000;
constexpr uint64_t suggest = 400'000;
} // namespace steps

/// Values that satisfy `facts` and make `claim` false, with all its divisors
/// positive, from a search of a bounded number of steps. Names that have no
/// part in the claim, not even through facts, are apart.
struct Witness {
  Assignment values, elsewhere;
};
std::optional<Witness> findWitness(llvm::ArrayRef<Constraint> facts,
                                   const Constraint &claim);

/// Whether the search finds values, at least 1 each, that satisfy all facts and
/// make the claim true.
bool isSatisfiable(const Facts &facts, const Constraint &claim);

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_CLOSURE_H
