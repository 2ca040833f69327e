// Proving a claim from facts.
#include "lib/Dims/Budget.h"
#include "lib/Dims/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

//===--- Facts ------------------------------------------------------------===//

static bool hasDivision(const Constraint &constraint) {
  bool found = false;
  for (const Expr *side : {&constraint.lhs, &constraint.rhs})
    walkAtoms(*side, [&](const Atom &atom) { found |= atom.isDivision(); });
  return found;
}

Facts::Facts() : Facts(ArrayRef<Constraint>()) {}

Facts::Facts(ArrayRef<Constraint> constraints) {
  auto result = std::make_shared<Closure>();
  result->constraints.assign(constraints.begin(), constraints.end());
  Budget budget(steps::facts);
  // Divisors are easier to prove positive once the plain facts are there.
  for (bool wantsDivision : {false, true})
    for (const Constraint &constraint : constraints)
      if (hasDivision(constraint) == wantsDivision)
        result->system.assume(constraint);
  result->system.settle();
  result->isContradictory =
      !constraints.empty() && result->system.isContradictory(Effort::Products);
  result->isCutShort = budget.isExhausted();
  closure = std::move(result);
}

ArrayRef<Constraint> Facts::getConstraints() const {
  return closure->constraints;
}

Facts Facts::with(const Constraint &constraint) const {
  std::vector<Constraint> constraints = closure->constraints;
  constraints.push_back(constraint);
  return Facts(constraints);
}

bool isContradictory(const Facts &facts) {
  return facts.getClosure().isContradictory;
}

//===--- Proving ----------------------------------------------------------===//

namespace {
/// One claim on top of the prepared facts.
class Proof {
public:
  Proof(const Facts &facts, const Constraint &claim)
      : system(facts.getClosure().system), claim(claim) {
    proveDivisors();
    if (!missing)
      difference = system.purify(claim.lhs) - system.purify(claim.rhs);
    system.settle(facts.getClosure().system.getDivisionCount());
  }

  /// The first divisor of the claim without proof that it is positive.
  const std::optional<Expr> &getUnprovenDivisor() const { return missing; }
  bool succeeds(Effort effort) const;

private:
  void proveDivisors();
  bool holds(const Expr &value, Effort effort) const;

  System system;
  const Constraint &claim;
  std::optional<Expr> missing;
  Expr difference;
};
} // namespace

void Proof::proveDivisors() {
  for (const Expr *side : {&claim.lhs, &claim.rhs})
    walkAtoms(*side, [&](const Atom &atom) {
      if (!atom.isDivision() || missing)
        return;
      const Expr &divisor = atom.getOperands()[1];
      Expr pure = system.purify(divisor);
      if (system.isPositive(pure, Effort::Products))
        system.addInequality(pure - constant(1));
      else
        missing = divisor;
    });
}

bool Proof::succeeds(Effort effort) const {
  if (missing)
    return false;
  // What both sides share goes first: `A * C <= B * C` follows from `A <= B`,
  // if `C >= 0` (and `C > 0` for a strict relation) [P4].
  Expr common = commonFactor(difference, difference);
  if (!difference.isZero() && !common.asConstant()) {
    Expr core = dividePolynomial(difference, common).quotient;
    bool needsPositive =
        claim.relation == Relation::Lt || claim.relation == Relation::Gt;
    bool isScaling =
        claim.relation == Relation::Eq ||
        (claim.relation == Relation::Ne
             ? system.isNonZero(common, effort)
             : system.isNonNegative(
                   needsPositive ? common - constant(1) : common, effort));
    if (isScaling && holds(core, effort))
      return true;
  }
  return holds(difference, effort);
}

/// Whether `value` is related to 0 as the claim says.
bool Proof::holds(const Expr &value, Effort effort) const {
  switch (claim.relation) {
  case Relation::Eq:
    return system.isZero(value, effort);
  case Relation::Ne:
    return system.isNonZero(value, effort);
  case Relation::Lt:
    return system.isPositive(-value, effort);
  case Relation::Le:
    return system.isNonNegative(-value, effort);
  case Relation::Gt:
    return system.isPositive(value, effort);
  case Relation::Ge:
    return system.isNonNegative(value, effort);
  }
  llvm_unreachable("a relation of no kind");
}

static bool isGiven(const Facts &facts, const Constraint &claim) {
  return facts.getClosure().isContradictory ||
         llvm::any_of(facts.getConstraints(), [&](const Constraint &fact) {
           return readsLike(fact, claim);
         });
}

/// Tries to prove within the steps; says in `isCutShort` if they ran out.
static bool isProvable(const Facts &facts, const Constraint &claim,
                       Effort effort, std::optional<Expr> &divisor,
                       bool &isCutShort) {
  Budget budget(effort == Effort::Linear ? steps::linear : steps::products);
  Proof proof(facts, claim);
  bool isProven = proof.succeeds(effort);
  divisor = proof.getUnprovenDivisor();
  isCutShort |= budget.isExhausted();
  return isProven;
}

bool isProvable(const Facts &facts, const Constraint &claim) {
  std::optional<Expr> divisor;
  bool isCutShort = false;
  return isGiven(facts, claim) ||
         isProvable(facts, claim, Effort::Products, divisor, isCutShort);
}

static Answer answer(const Facts &facts, const Constraint &claim) {
  if (isGiven(facts, claim))
    return {Status::Proven};
  Answer result{Status::Unknown};
  std::optional<Expr> divisor;
  // Cheap first: a witness is found sooner than a long proof fails.
  bool isCutShort = facts.getClosure().isCutShort;
  if (isProvable(facts, claim, Effort::Linear, divisor, isCutShort))
    return {Status::Proven};
  if (std::optional<Witness> found =
          findWitness(facts.getConstraints(), claim)) {
    result.status = Status::Refuted;
    result.witness = found->values;
    result.elsewhere = found->elsewhere;
    return result;
  }
  isCutShort = facts.getClosure().isCutShort;
  if (isProvable(facts, claim, Effort::Products, divisor, isCutShort))
    return {Status::Proven};
  result.isCutShort = isCutShort;
  if (divisor) {
    result.missing = Constraint{*divisor, Relation::Gt, constant(0)};
    return result;
  }
  SmallVector<Constraint> lines = suggest(facts, claim);
  if (!lines.empty())
    result.missing = lines.front();
  return result;
}

Answer prove(const Facts &facts, const Constraint &claim) {
  Budget budget(std::numeric_limits<uint64_t>::max());
  Answer result = answer(facts, claim);
  result.steps = budget.getSpent();
  return result;
}

} // namespace linnet::dims
