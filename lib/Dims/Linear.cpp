// Infeasibility of polynomial constraints, by linear programming over monomials
// with a bounded number of products and of branches.
#include "lib/Dims/Linear.h"

#include "mlir/Analysis/Presburger/Simplex.h"

using namespace llvm;
using mlir::presburger::Fraction;
using mlir::presburger::Simplex;

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
  using Row = SmallVector<Integer>;

  void addProducts();
  void addSquares();
  void collectTargets(std::set<Term, MonomialOrder> &targets) const;
  bool isNonNegativeMonomial(ArrayRef<Factor> factors) const;
  bool isLinearInfeasible();
  bool tighten(Row &row, bool isEquality) const;
  bool isEmpty(Simplex &simplex, unsigned &branches) const;

  Pool pool;
  size_t goals;
  function_ref<bool(const Atom &)> isNonNegative;
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
      if (term.factors.empty() || count >= maxProducts)
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

bool Solver::isEmpty(Simplex &simplex, unsigned &branches) const {
  if (simplex.isEmpty())
    return true;
  std::optional<SmallVector<Fraction, 8>> sample = simplex.getRationalSample();
  if (!sample)
    return false;
  for (auto [index, value] : llvm::enumerate(*sample)) {
    if (value.num % value.den == 0)
      continue;
    if (branches == 0)
      return false;
    --branches;
    Integer below = floorDiv(value.num, value.den);
    Row row(sample->size() + 1, Integer(0));
    for (bool isUpper : {true, false}) {
      row[index] = isUpper ? -1 : 1;
      row.back() = isUpper ? below : -(below + 1);
      unsigned snapshot = simplex.getSnapshot();
      simplex.addInequality(row);
      bool empty = isEmpty(simplex, branches);
      simplex.rollback(snapshot);
      if (!empty)
        return false;
    }
    return true;
  }
  return false; // The sample is an integer point.
}

bool Solver::isLinearInfeasible() {
  std::map<Term, unsigned, MonomialOrder> columns;
  for (const auto *list : {&pool.equalities, &pool.inequalities})
    for (const Expr &expr : *list)
      for (const Term &term : expr.getTerms())
        if (!term.factors.empty())
          columns.emplace(term, 0);
  unsigned count = 0;
  for (auto &column : columns)
    column.second = count++;

  if (count > maxColumns ||
      pool.equalities.size() + pool.inequalities.size() > maxRows)
    return false;

  Simplex simplex(count);
  auto makeRow = [&](const Expr &expr) {
    Row row(count + 1, Integer(0));
    for (const Term &term : expr.getTerms())
      row[term.factors.empty() ? count : columns[term]] = term.coefficient;
    return row;
  };
  for (const Expr &expr : pool.equalities) {
    Row row = makeRow(expr);
    if (!tighten(row, /*isEquality=*/true))
      return true;
    simplex.addEquality(row);
    if (simplex.isEmpty())
      return true;
  }
  for (const auto &[term, index] : columns) {
    if (!isNonNegativeMonomial(term.factors))
      continue;
    Row row(count + 1, Integer(0));
    row[index] = 1;
    simplex.addInequality(row);
  }
  for (const Expr &expr : pool.inequalities) {
    Row row = makeRow(expr);
    tighten(row, /*isEquality=*/false);
    simplex.addInequality(row);
    if (simplex.isEmpty())
      return true;
  }
  unsigned branches = maxBranches;
  return isEmpty(simplex, branches);
}

bool Solver::isInfeasible(Effort effort) {
  if (effort == Effort::Products)
    addProducts();
  return isLinearInfeasible();
}

bool isInfeasible(const Pool &pool, size_t goals, Effort effort,
                  function_ref<bool(const Atom &)> isNonNegative) {
  return Solver(pool, goals, isNonNegative).isInfeasible(effort);
}

} // namespace linnet::dims
