// What a system of facts entails: sign questions, by refuting the opposite.
#include "lib/Dims/Budget.h"
#include "lib/Dims/System.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

/// Case distinctions over minima, maxima and `!=` facts; each doubles the work.
static constexpr size_t maxSplits = 3;

bool System::isNonNegativeAtom(const Atom &atom) const {
  if (!atom.isNamed())
    return false; // a group, made where a product grew too large
  return !atom.getName().starts_with("$") ||
         nonNegativeFresh.count(atom.getName().str());
}

/// A sum of products of non-negative atoms.
bool System::isTriviallyNonNegative(const Expr &expr) const {
  return llvm::all_of(expr.getTerms(), [&](const Term &term) {
    return term.coefficient > 0 &&
           llvm::all_of(term.factors, [&](const Factor &factor) {
             return isNonNegativeAtom(factor.atom);
           });
  });
}

/// A sum of products of non-negative atoms, one of them of positive atoms only.
bool System::isPositiveMonomialSum(const Expr &expr) const {
  if (!isTriviallyNonNegative(expr))
    return false;
  Budget::spend(inequalities.size());
  auto isPositiveAtom = [&](const Factor &factor) {
    return llvm::any_of(inequalities, [&](const Expr &fact) {
      // x - c >= 0 with c > 0
      ArrayRef<Term> terms = fact.getTerms();
      return terms.size() == 2 && terms[0].coefficient == 1 &&
             terms[0].getDegree() == 1 && terms[1].factors.empty() &&
             terms[1].coefficient < 0 &&
             terms[0].factors[0].atom == factor.atom;
    });
  };
  return llvm::any_of(expr.getTerms(), [&](const Term &term) {
    return llvm::all_of(term.factors, isPositiveAtom);
  });
}

static void collectNames(const Expr &expr, std::set<std::string> &names) {
  Budget::spend(8 * expr.getTerms().size());
  walkAtoms(expr, [&](const Atom &atom) {
    if (atom.isNamed())
      names.insert(atom.getKey());
  });
}

/// The facts that share names with the goals, directly or through other facts
/// (all facts if there is no goal), and the case distinctions among them.
Pool System::collectRelevant(ArrayRef<Expr> goals,
                             SmallVectorImpl<SmallVector<Expr>> &splits) const {
  // A group of facts that come together, as equalities and inequalities.
  struct Group {
    SmallVector<Expr> equalities, inequalities;
    SmallVector<Expr> split;
    std::set<std::string> names;
    bool isTaken = false;
  };
  std::vector<Group> groups;
  for (const Expr &fact : equalities)
    groups.push_back({{fact}, {}, {}, {}});
  for (const Expr &fact : inequalities)
    groups.push_back({{}, {fact}, {}, {}});
  for (const Expr &fact : inequations)
    groups.push_back({{}, {}, {fact - constant(1), -fact - constant(1)}, {}});
  for (const Division &division : divisions) {
    if (!division.isPositive || division.isResolved)
      continue;
    // b * q <= a <= b * q + b - 1 [P6]
    Expr rest = division.numerator - division.divisor * division.quotient;
    groups.push_back(
        {{}, {rest, division.divisor - constant(1) - rest}, {}, {}});
  }
  for (const Extremum &extremum : extrema) {
    Group group;
    for (const Expr &operand : extremum.operands) {
      Expr gap =
          extremum.isMin ? operand - extremum.value : extremum.value - operand;
      group.inequalities.push_back(gap);
      group.split.push_back(-gap); // with the above: equal
    }
    groups.push_back(std::move(group));
  }
  constexpr size_t maxSumTerms = 16;
  for (const auto &[sum, value] : this->groups)
    if (sum.getTerms().size() <= maxSumTerms && !isOpaque(sum))
      groups.push_back({{value - sum}, {}, {}, {}});
  std::set<std::string> reached;
  for (const Expr &goal : goals)
    collectNames(goal, reached);
  for (Group &group : groups)
    for (const auto *list :
         {&group.equalities, &group.inequalities, &group.split})
      for (const Expr &expr : *list)
        collectNames(expr, group.names);

  Pool pool;
  pool.inequalities.append(goals.begin(), goals.end());
  for (bool isNews = true; isNews;) {
    isNews = false;
    if (!Budget::spend(4 * groups.size()))
      break;
    for (Group &group : groups) {
      if (group.isTaken ||
          (!goals.empty() &&
           llvm::none_of(group.names, [&](const std::string &name) {
             return reached.count(name);
           })))
        continue;
      group.isTaken = isNews = true;
      reached.insert(group.names.begin(), group.names.end());
      pool.equalities.append(group.equalities);
      pool.inequalities.append(group.inequalities);
      if (!group.split.empty() && splits.size() < maxSplits)
        splits.push_back(group.split);
    }
  }
  return pool;
}

bool System::refutes(Pool &pool, size_t goals,
                     ArrayRef<SmallVector<Expr>> splits, Effort effort) const {
  if (isInfeasible(pool, goals, effort,
                   [&](const Atom &atom) { return isNonNegativeAtom(atom); }))
    return true;
  if (splits.empty())
    return false;
  for (const Expr &branch : splits.front()) {
    pool.inequalities.insert(pool.inequalities.begin(), branch);
    bool isRefuted = refutes(pool, goals + 1, splits.drop_front(), effort);
    pool.inequalities.erase(pool.inequalities.begin());
    if (!isRefuted)
      return false;
  }
  return true;
}

bool System::refutes(ArrayRef<Expr> goals, Effort effort) const {
  if (contradictory)
    return true;
  if (Budget::isUsedUp())
    return false;
  SmallVector<SmallVector<Expr>> splits;
  Pool pool = collectRelevant(goals, splits);
  // The cheap question first: most claims need no product and no case.
  if (isInfeasible(pool, goals.size(), Effort::Linear,
                   [&](const Atom &atom) { return isNonNegativeAtom(atom); }))
    return true;
  if (effort == Effort::Linear)
    return false;
  return refutes(pool, goals.size(), splits, effort);
}

bool System::isNonNegative(const Expr &expr, Effort effort) const {
  if (!Budget::spend(8))
    return false;
  Expr value = applySolved(expr);
  if (contradictory || isTriviallyNonNegative(value))
    return true;
  if (std::optional<Integer> number = value.asConstant())
    return *number >= 0;
  if (isPositiveMonomialSum(value + constant(1)))
    return true;
  return refutes({-value - constant(1)}, effort);
}

bool System::isZero(const Expr &expr, Effort effort) const {
  Expr value = applySolved(expr);
  if (contradictory || value.isZero())
    return true;
  if (value.asConstant())
    return false;
  return refutes({value - constant(1)}, effort) &&
         refutes({-value - constant(1)}, effort);
}

bool System::isNonZero(const Expr &expr, Effort effort) const {
  Expr value = applySolved(expr);
  if (contradictory)
    return true;
  if (std::optional<Integer> number = value.asConstant())
    return *number != 0;
  if (refutes({value}, Effort::Linear) || refutes({-value}, Effort::Linear))
    return true;
  if (Budget::isUsedUp())
    return false;
  System opposite = *this;
  opposite.addEquality(value);
  opposite.settle();
  return opposite.isContradictory(effort);
}

bool System::isContradictory(Effort effort) const {
  return contradictory || refutes({}, effort);
}

} // namespace linnet::dims
