// Infeasibility of polynomial constraints, by linear programming over monomials
// with a bounded number of products and of branches.
#include "lib/Dims/Linear.h"
#include "lib/Dims/Budget.h"
#include "lib/Dims/Tableau.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

namespace {
/// More products than this help no claim that was met, and each costs a row.
constexpr size_t maxProducts = 64;
/// Branches on a fractional variable, over the whole search.
constexpr unsigned maxBranches = 24;
/// Monomials above this degree are left alone when products are formed.
constexpr unsigned maxDegree = 8;

/// Larger problems are left undecided rather than solved slowly.
constexpr size_t maxColumns = 160, maxRows = 320;

struct MonomialOrder {
  bool operator()(const Term &a, const Term &b) const {
    return Term::compareMonomials(a, b) < 0;
  }
};

class Solver {
public:
  Solver(const Pool &pool, size_t goals,
         function_ref<bool(const Atom &)> isNonNegative)
      : pool(pool), goals(goals), isNonNegative(isNonNegative) {}

  bool isInfeasible(Effort effort);

private:
  using Row = Tableau::Row;

  void addProducts();
  void addSquares();
  void collectTargets(std::set<Term, MonomialOrder> &targets) const;
  bool isNonNegativeMonomial(ArrayRef<Factor> factors) const;
  bool isLinearInfeasible();
  bool tighten(Row &row, bool isEquality) const;
  bool isEmpty(Tableau &tableau, unsigned &branches) const;

  Pool pool;
  size_t goals;
  function_ref<bool(const Atom &)> isNonNegative;
  /// The monomials and their variables in the tableau.
  std::map<Term, unsigned, MonomialOrder> columns;
};
} // namespace

bool Solver::isNonNegativeMonomial(ArrayRef<Factor> factors) const {
  return llvm::all_of(factors, [&](const Factor &factor) {
    return factor.power % 2 == 0 || isNonNegative(factor.atom);
  });
}

void Solver::collectTargets(std::set<Term, MonomialOrder> &targets) const {
  for (const auto *list : {&pool.equalities, &pool.inequalities})
    for (const Expr &expr : *list)
      for (const Term &term : expr.getTerms())
        if (unsigned degree = term.getDegree();
            degree >= 2 && degree <= maxDegree)
          targets.insert(term);
}

/// x * x >= x for every integer x.
void Solver::addSquares() {
  std::set<Term, MonomialOrder> targets;
  collectTargets(targets);
  std::set<Expr> bases;
  for (const Term &term : targets)
    for (const Factor &factor : term.factors)
      if (factor.power >= 2)
        bases.insert(Expr(factor.atom));
  for (const Expr &base : bases)
    pool.inequalities.push_back(base * base - base);
}

/// Multiplies constraints by the monomial that makes one of their terms a
/// monomial that occurs elsewhere: only such products can cancel anything.
void Solver::addProducts() {
  if (pool.equalities.size() + pool.inequalities.size() > maxRows / 2)
    return;
  addSquares();
  size_t equalities = pool.equalities.size();
  size_t inequalities = pool.inequalities.size();
  std::set<Expr> seen(pool.inequalities.begin(), pool.inequalities.end());
  seen.insert(pool.equalities.begin(), pool.equalities.end());
  size_t count = 0;

  auto multiply = [&](const Expr &fact, const Term &target, bool isEquality) {
    for (const Term &term : fact.getTerms()) {
      if (term.factors.empty() || count >= maxProducts || !Budget::spend(8))
        continue;
      auto [multiplier, rest] =
          dividePolynomial(target.getMonomial(), term.getMonomial());
      if (!rest.isZero() || multiplier.asConstant())
        continue;
      if (!isEquality &&
          !isNonNegativeMonomial(multiplier.getTerms()[0].factors))
        continue;
      Expr product = fact * multiplier;
      if (!seen.insert(product).second)
        continue;
      ++count;
      (isEquality ? pool.equalities : pool.inequalities).push_back(product);
    }
  };

  // The second round meets the monomials that the first one brought.
  for (int round = 0; round < 2; ++round) {
    std::set<Term, MonomialOrder> targets;
    collectTargets(targets);
    for (size_t i = 0; i < goals; ++i)
      for (const Term &target : targets)
        multiply(Expr(pool.inequalities[i]), target, false);
    for (const Term &target : targets) {
      for (size_t i = 0; i < equalities; ++i)
        multiply(Expr(pool.equalities[i]), target, true);
      for (size_t i = goals; i < inequalities; ++i)
        multiply(Expr(pool.inequalities[i]), target, false);
    }
    // Two inequalities whose leading terms meet in a target.
    for (size_t i = 0; i < inequalities && round == 0; ++i)
      for (size_t j = i; j < inequalities && count < maxProducts; ++j) {
        const Expr &left = pool.inequalities[i], &right = pool.inequalities[j];
        if (left.getTerms().size() < 2 || right.getTerms().size() < 2)
          continue; // a multiple by a monomial, met above
        if (!Budget::spend(8))
          return;
        Expr product = left * right;
        if (product.getTerms().size() > 4 || product.asConstant() ||
            !targets.count(product.getTerms()[0]) ||
            !seen.insert(product).second)
          continue;
        ++count;
        pool.inequalities.push_back(product);
      }
  }
}

/// Divides a row by what its coefficients share, rounding the constant down.
/// False if an equality then has no integer solution.
bool Solver::tighten(Row &row, bool isEquality) const {
  Integer common(0);
  for (const Integer &value : ArrayRef<Integer>(row).drop_back())
    common = gcd(common, abs(value));
  if (common <= 1)
    return true;
  if (isEquality && row.back() % common != 0)
    return false;
  for (Integer &value : row)
    value = floorDiv(value, common);
  return true;
}

bool Solver::isEmpty(Tableau &tableau, unsigned &branches) const {
  if (tableau.isEmpty())
    return true;
  std::optional<Tableau::Fraction> found = tableau.findFraction();
  if (!found || branches == 0 || Budget::isUsedUp())
    return false; // an integer point, or nobody knows
  --branches;
  Row row(columns.size() + 1, Integer(0));
  for (bool isUpper : {true, false}) {
    row[found->variable] = isUpper ? -1 : 1;
    row.back() = isUpper ? found->below : -(found->below + 1);
    Tableau part = tableau;
    part.addInequality(row);
    if (!isEmpty(part, branches))
      return false;
  }
  return true;
}

bool Solver::isLinearInfeasible() {
  columns.clear();
  for (const auto *list : {&pool.equalities, &pool.inequalities})
    for (const Expr &expr : *list)
      for (const Term &term : expr.getTerms())
        if (!term.factors.empty())
          columns.emplace(term, 0);
  unsigned count = 0;
  SmallVector<bool> restricted;
  for (auto &[term, column] : columns) {
    column = count++;
    restricted.push_back(isNonNegativeMonomial(term.factors));
  }
  if (count > maxColumns ||
      pool.equalities.size() + pool.inequalities.size() > maxRows) {
    Budget::giveUp();
    return false;
  }

  Tableau tableau(restricted);
  auto makeRow = [&](const Expr &expr) {
    Row row(count + 1, Integer(0));
    Budget::spend(count + 8 * expr.getTerms().size());
    for (const Term &term : expr.getTerms())
      row[term.factors.empty() ? count : columns[term]] = term.coefficient;
    return row;
  };
  for (const Expr &expr : pool.equalities) {
    Row row = makeRow(expr);
    if (!tighten(row, /*isEquality=*/true))
      return true;
    if (Budget::isUsedUp())
      return false;
    tableau.addEquality(row);
  }
  for (const Expr &expr : pool.inequalities) {
    Row row = makeRow(expr);
    tighten(row, /*isEquality=*/false);
    if (Budget::isUsedUp())
      return false;
    tableau.addInequality(row);
  }
  unsigned branches = maxBranches;
  return isEmpty(tableau, branches);
}

bool Solver::isInfeasible(Effort effort) {
  if (Budget::isUsedUp())
    return false;
  if (effort == Effort::Products)
    addProducts();
  return isLinearInfeasible();
}

bool isInfeasible(const Pool &pool, size_t goals, Effort effort,
                  function_ref<bool(const Atom &)> isNonNegative) {
  return Solver(pool, goals, isNonNegative).isInfeasible(effort);
}

} // namespace linnet::dims
