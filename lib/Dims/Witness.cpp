// Counterexamples: a bounded search over small integers.
#include "lib/Dims/Budget.h"
#include "lib/Dims/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

namespace {
/// Values tried over one search of one group of names; trying one counts more
/// where the conditions are long.
constexpr unsigned maxSteps = 4000;
/// Conditions beyond this size are not searched at all.
constexpr size_t maxNodes = 4000;

/// Where a name stands; decides the values that are tried for it.
enum class Role : uint8_t { Plain, Numerator, Divisor };

struct Condition {
  Constraint constraint;
  /// A fact must come out true, a claim to be refuted false.
  bool isWanted;
  std::set<std::string> names;
};

/// Finds values for names that are connected by conditions.
class Search {
public:
  Search(std::vector<const Condition *> conditions)
      : conditions(std::move(conditions)) {
    orderNames();
  }
  bool run(Assignment &values, int64_t leastTier);

private:
  void orderNames();
  bool assign(size_t index);
  bool holdsSoFar(size_t index) const;
  bool narrow(const std::string &name, Integer &low,
              std::optional<Integer> &high) const;
  SmallVector<Integer> listCandidates(size_t index) const;

  std::vector<const Condition *> conditions;
  std::vector<std::string> names;
  std::map<std::string, Role> roles;
  std::set<Integer> constants;
  /// For each name, the conditions that have a value once it has one.
  std::vector<std::vector<const Condition *>> decided;
  std::vector<unsigned> costs;
  Assignment current;
  Integer least;
  unsigned steps = 0;
};
} // namespace

/// Whether `name` occurs in `expr` only as a plain term, and its coefficient.
static std::optional<Integer> getPlainCoefficient(const Expr &expr,
                                                  const std::string &name) {
  std::optional<Integer> coefficient;
  Budget::spend(20 * expr.getTerms().size());
  for (const Term &term : expr.getTerms()) {
    std::set<std::string> used;
    collectSymbols(term.getMonomial(), used);
    if (!used.count(name))
      continue;
    std::optional<Atom> atom = term.getMonomial().asAtom();
    if (!atom || !atom->isNamed())
      return std::nullopt;
    coefficient = term.coefficient;
  }
  return coefficient;
}

/// Names determined by an equation come last, so that they can be computed;
/// before them numerators, and divisors first of all.
void Search::orderNames() {
  size_t nodes = 0;
  for (const Condition *condition : conditions)
    nodes += condition->constraint.lhs.getSize() +
             condition->constraint.rhs.getSize();
  if (nodes > maxNodes || !Budget::spend(20 * nodes))
    return; // Nobody could read the witness either.
  std::map<std::string, int> ranks;
  auto visit = [&](const Atom &atom) {
    if (!atom.isDivision())
      return;
    std::set<std::string> below, above;
    collectSymbols(atom.getOperands()[0], above);
    collectSymbols(atom.getOperands()[1], below);
    if (below.empty())
      return;
    for (const std::string &name : above)
      roles.emplace(name, Role::Numerator);
    for (const std::string &name : below)
      roles[name] = Role::Divisor;
  };
  auto collectConstants = [&](const Expr &expr) {
    auto add = [&](const Expr &part) {
      for (const Term &term : part.getTerms())
        if (Integer size = abs(term.coefficient); size > 1)
          constants.insert(size);
    };
    add(expr);
    walkAtoms(expr, [&](const Atom &atom) {
      for (const Expr &operand : atom.getOperands())
        add(operand);
    });
  };
  for (const Condition *condition : conditions) {
    const Constraint &constraint = condition->constraint;
    for (const std::string &name : condition->names)
      ranks.emplace(name, 0);
    for (const Expr *side : {&constraint.lhs, &constraint.rhs}) {
      walkAtoms(*side, visit);
      collectConstants(*side);
    }
    collectConstants(constraint.lhs - constraint.rhs);
    if (constraint.relation != Relation::Eq || !condition->isWanted)
      continue;
    // In `H == N * D` that is H, in `A == B` the first.
    Expr difference = constraint.lhs - constraint.rhs;
    for (const std::string &name : condition->names)
      if (getPlainCoefficient(difference, name)) {
        ++ranks[name];
        break;
      }
  }
  for (auto &[name, rank] : ranks) {
    names.push_back(name);
    auto role = roles.find(name);
    rank = 2 * rank + (role == roles.end()             ? 0
                       : role->second == Role::Divisor ? -1
                                                       : 1);
  }
  llvm::stable_sort(names, [&](const std::string &a, const std::string &b) {
    return ranks[a] < ranks[b];
  });

  if (names.empty())
    return;
  decided.resize(names.size());
  costs.assign(names.size(), 1);
  for (const Condition *condition : conditions) {
    size_t last = 0;
    for (auto [index, name] : llvm::enumerate(names))
      if (condition->names.count(name))
        last = index;
    decided[last].push_back(condition);
    costs[last] += (condition->constraint.lhs.getTerms().size() +
                    condition->constraint.rhs.getTerms().size()) /
                   8;
  }
}

/// Limits `name` by the conditions on it alone (all else has a value). False if
/// nothing is left.
bool Search::narrow(const std::string &name, Integer &low,
                    std::optional<Integer> &high) const {
  auto raise = [&](const Integer &bound) { low = std::max(low, bound); };
  auto lower = [&](const Integer &bound) {
    high = high ? std::min(*high, bound) : bound;
  };
  size_t index = llvm::find(names, name) - names.begin();
  for (const Condition *condition : decided[index]) {
    if (!condition->isWanted || condition->constraint.relation == Relation::Ne)
      continue;
    const Constraint &constraint = condition->constraint;
    Expr difference = constraint.lhs - constraint.rhs;
    std::optional<Integer> coefficient = getPlainCoefficient(difference, name);
    if (!coefficient)
      continue;
    Assignment values = current;
    values[name] = Integer(0);
    std::optional<Integer> rest = evaluate(difference, values);
    if (!rest)
      return false; // A divisor is not positive whatever `name` is.
    Relation relation = constraint.relation;
    Integer slack = *rest;
    // Now: coefficient * name + slack, related to 0.
    if (relation == Relation::Lt || relation == Relation::Le) {
      coefficient = -*coefficient;
      slack = -slack;
    }
    if (relation == Relation::Lt || relation == Relation::Gt)
      slack -= 1;
    // coefficient * name + slack >= 0, or == 0
    if (relation == Relation::Eq) {
      if (slack % *coefficient != 0)
        return false;
      raise(-slack / *coefficient);
      lower(-slack / *coefficient);
    } else if (*coefficient > 0) {
      raise(ceilDiv(-slack, *coefficient));
    } else {
      lower(floorDiv(slack, -*coefficient));
    }
  }
  return !high || low <= *high;
}

SmallVector<Integer> Search::listCandidates(size_t index) const {
  static constexpr int64_t plain[] = {2, 3, 5, 4, 6, 7, 8, 9, 10, 12, 1, 0};
  static constexpr int64_t numerators[] = {8, 10, 6,  9, 12, 5, 3,
                                           7, 4,  15, 2, 16, 1, 0};
  static constexpr int64_t divisors[] = {4, 2, 3, 5, 6, 7, 8, 1};

  const std::string &name = names[index];
  Integer low = least;
  std::optional<Integer> high;
  SmallVector<Integer> candidates;
  if (!narrow(name, low, high))
    return candidates;
  auto add = [&](const Integer &value) {
    if (value >= low && (!high || value <= *high) &&
        !is_contained(candidates, value))
      candidates.push_back(value);
  };
  auto role = roles.find(name);
  if (role == roles.end())
    llvm::for_each(plain, [&](int64_t value) { add(Integer(value)); });
  else if (role->second == Role::Numerator)
    llvm::for_each(numerators, [&](int64_t value) { add(Integer(value)); });
  else
    llvm::for_each(divisors, [&](int64_t value) { add(Integer(value)); });
  // Near the limits, the constants in the text, and multiples of what it must
  // be divisible by.
  for (int64_t step = 0; step < 4; ++step) {
    add(low + step);
    if (high)
      add(*high - step);
  }
  for (const Integer &value : constants)
    for (int64_t step : {0, 1, -1})
      add(value + step);
  // Quotients that pass a constant need products of constants: 35 / 5 > 6.
  constexpr size_t maxConstants = 5;
  if (constants.size() <= maxConstants)
    for (const Integer &a : constants)
      for (const Integer &b : constants) {
        add(a * b);
        add(a * b + a);
      }
  for (const Condition *condition : decided[index]) {
    for (const Expr *side :
         {&condition->constraint.lhs, &condition->constraint.rhs})
      walkAtoms(*side, [&](const Atom &atom) {
        if (!atom.isDivision())
          return;
        std::optional<Integer> divisor =
            evaluate(atom.getOperands()[1], current);
        for (int64_t count = 1; divisor && *divisor > 0 && count <= 4; ++count)
          add(ceilDiv(low, *divisor) * *divisor + *divisor * (count - 1));
      });
  }
  for (int64_t value : {24, 100, 1000})
    add(Integer(value));
  return candidates;
}

bool Search::holdsSoFar(size_t index) const {
  return llvm::all_of(decided[index], [&](const Condition *condition) {
    std::optional<bool> value = evaluate(condition->constraint, current);
    return value && *value == condition->isWanted;
  });
}

bool Search::assign(size_t index) {
  if (index == names.size())
    return true;
  for (const Integer &candidate : listCandidates(index)) {
    steps += costs[index];
    if (steps > maxSteps || !Budget::spend(16 * costs[index]))
      break;
    current[names[index]] = candidate;
    if (holdsSoFar(index) && assign(index + 1))
      return true;
  }
  current.erase(names[index]);
  return false;
}

bool Search::run(Assignment &values, int64_t leastTier) {
  if (names.empty() && conditions[0]->names.empty()) // one, of constants
    return evaluate(conditions[0]->constraint, {}) ==
           std::optional<bool>(conditions[0]->isWanted);
  if (names.empty())
    return false;
  // A witness with all dimensions above 1 tells most; one with a 0 least.
  for (int64_t tier = 2; tier >= leastTier; --tier) {
    least = Integer(tier);
    steps = 0;
    current.clear();
    if (assign(0)) {
      values.insert(current.begin(), current.end());
      return true;
    }
  }
  return false;
}

/// Values for all names: those that are connected with the first condition, and
/// the others. Groups that share no name are searched apart.
static std::optional<Witness> search(ArrayRef<Condition> conditions,
                                     int64_t leastTier) {
  Budget budget(steps::witness);
  std::vector<bool> isTaken(conditions.size(), false);
  Witness result;
  for (size_t start = 0; start < conditions.size(); ++start) {
    if (isTaken[start])
      continue;
    isTaken[start] = true;
    std::vector<const Condition *> group{&conditions[start]};
    std::set<std::string> names = conditions[start].names;
    for (bool isNews = true; isNews;) {
      isNews = false;
      for (size_t i = start + 1; i < conditions.size(); ++i) {
        if (isTaken[i] ||
            llvm::none_of(conditions[i].names, [&](const std::string &name) {
              return names.count(name);
            }))
          continue;
        isTaken[i] = isNews = true;
        group.push_back(&conditions[i]);
        names.insert(conditions[i].names.begin(), conditions[i].names.end());
      }
    }
    Assignment values;
    if (!Search(group).run(values, start == 0 ? leastTier : 0))
      return std::nullopt;
    // Believe nothing that was not evaluated as a whole.
    for (const Condition *condition : group)
      if (evaluate(condition->constraint, values) !=
          std::optional<bool>(condition->isWanted))
        return std::nullopt;
    (start == 0 ? result.values : result.elsewhere)
        .insert(values.begin(), values.end());
  }
  return result;
}

static std::vector<Condition> makeConditions(ArrayRef<Constraint> facts,
                                             const Constraint &claim,
                                             bool isClaimWanted) {
  std::vector<Condition> conditions;
  auto add = [&](const Constraint &constraint, bool isWanted) {
    conditions.push_back({constraint, isWanted, {}});
    collectSymbols(constraint, conditions.back().names);
  };
  add(claim, isClaimWanted);
  for (const Constraint &fact : facts)
    add(fact, true);
  return conditions;
}

std::optional<Witness> findWitness(ArrayRef<Constraint> facts,
                                   const Constraint &claim) {
  if (claim.lhs.getSize() + claim.rhs.getSize() > maxNodes)
    return std::nullopt;
  return search(makeConditions(facts, claim, /*isClaimWanted=*/false), 0);
}

bool isSatisfiable(const Facts &facts, const Constraint &claim) {
  return search(makeConditions(facts.getConstraints(), claim, true), 1)
      .has_value();
}

} // namespace linnet::dims
