// The prover: what is known of the dimensions in scope, and what follows.
//
// Pure and deterministic: an answer depends on the facts and the claim alone,
// and every search is bounded by a step count, never by a clock.
#ifndef LINNET_LIB_DIMS_FACTS_H
#define LINNET_LIB_DIMS_FACTS_H

#include "lib/Dims/Constraint.h"

namespace linnet::dims {

struct Closure;

/// The facts of a scope [DIM-4]: its constraints, and that every symbol and
/// every pack product is an integer >= 0 (declared here or not).
///
/// A cheap value to copy; preparing the constraints happens once, on creation.
class Facts {
public:
  Facts();
  explicit Facts(llvm::ArrayRef<Constraint> constraints);

  llvm::ArrayRef<Constraint> getConstraints() const;
  /// The same facts and one more.
  Facts with(const Constraint &constraint) const;
  const Closure &getClosure() const { return *closure; }

private:
  std::shared_ptr<const Closure> closure;
};

enum class Status : uint8_t { Proven, Refuted, Unknown };

struct Answer {
  Status status;
  /// For a refuted claim: values that satisfy the facts, give every divisor of
  /// the claim a positive value, and make the claim false. Evaluated again
  /// before it is returned. Holds the names of the claim, and those that facts
  /// connect with them.
  Assignment witness;
  /// Values of all other names, which satisfy the facts that are left.
  Assignment elsewhere;
  /// For an unknown claim, where one was found: the first of the constraints
  /// that `suggest` gives. A claim with a divisor that is not provably positive
  /// misses `divisor > 0`.
  std::optional<Constraint> missing;
  /// For an unknown claim: whether the steps ran out before all was tried. The
  /// claim, or what the facts say, is too large to decide.
  bool isCutShort = false;
  /// The work that the answer took, see `Budget`.
  uint64_t steps = 0;

  bool isProven() const { return status == Status::Proven; }
};

/// Whether `claim` holds for every assignment that satisfies `facts`.
///
/// Sound [DIM-16]: proven means true wherever all facts hold, with every
/// divisor of the claim positive. A claim that reads like a fact is proven by
/// it.
Answer prove(const Facts &facts, const Constraint &claim);

/// `prove` without the search for a witness or a missing fact.
bool isProvable(const Facts &facts, const Constraint &claim);

/// Whether no assignment satisfies the facts, as far as can be derived.
bool isContradictory(const Facts &facts);

/// The `where` lines, over names of the claim only, that together settle the
/// claim. All of it was tried: with them the claim is provable, and values of
/// at least 1 satisfy them, the facts and the claim. Mostly one line; empty
/// where none was found. Positivity of divisors comes first: `N > 0` and then
/// `H % N == 0`.
llvm::SmallVector<Constraint> suggest(const Facts &facts,
                                      const Constraint &claim);

/// Up to `limit` different answers of that kind, the most telling first.
std::vector<llvm::SmallVector<Constraint>>
suggestAll(const Facts &facts, const Constraint &claim, size_t limit);

/// An expression of equal value wherever `facts` hold, with minima, maxima,
/// quotients and remainders resolved as far as the facts decide them.
Expr simplify(const Facts &facts, const Expr &expr);

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_FACTS_H
