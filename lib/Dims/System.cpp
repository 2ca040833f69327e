// Facts in, solved equalities and purified expressions out.
#include "lib/Dims/System.h"
#include "lib/Dims/Budget.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

/// Solving for a symbol copies the rest of the equation into every use of it;
/// beyond this size the equation stays an equation.
static constexpr size_t maxSolvedTerms = 16;
/// Divisions beyond this number stay opaque.
static constexpr size_t maxDivisions = 48;

static bool isFresh(const Atom &atom) {
  return atom.getName().starts_with("$");
}

Expr System::makeFresh() { return symbol("$" + std::to_string(freshCount++)); }

Expr System::applySolved(const Expr &expr) const {
  return solved.empty() ? expr : substitute(expr, solved);
}

//===--- Adding facts -----------------------------------------------------===//

void System::assume(const Constraint &fact) {
  if (Budget::isUsedUp())
    return; // less is known than could be
  Expr difference = purify(fact.lhs) - purify(fact.rhs);
  switch (fact.relation) {
  case Relation::Eq:
    return addEquality(difference);
  case Relation::Ne:
    return addInequation(difference);
  case Relation::Lt:
    return addInequality(-difference - constant(1));
  case Relation::Le:
    return addInequality(-difference);
  case Relation::Gt:
    return addInequality(difference - constant(1));
  case Relation::Ge:
    return addInequality(difference);
  }
}

/// Divides by the common divisor of all coefficients but the constant, which
/// is rounded down.
static Expr tighten(const Expr &expr) {
  Integer common(0);
  for (const Term &term : expr.getTerms())
    if (!term.factors.empty())
      common = gcd(common, abs(term.coefficient));
  if (common <= 1)
    return expr;
  return dividePolynomial(expr, constant(common)).quotient;
}

/// Divides by the common divisor of all coefficients.
static Expr makePrimitive(const Expr &expr) {
  if (expr.isZero())
    return expr;
  Expr common = commonFactor(expr, expr);
  return dividePolynomial(expr, constant(common.getTerms()[0].coefficient))
      .quotient;
}

void System::addInequality(const Expr &expr) {
  if (Budget::isUsedUp())
    return;
  Expr fact = tighten(applySolved(expr));
  if (std::optional<Integer> value = fact.asConstant()) {
    contradictory |= *value < 0;
    return;
  }
  if (!isTriviallyNonNegative(fact) && !is_contained(inequalities, fact))
    inequalities.push_back(fact);
}

void System::addInequation(const Expr &expr) {
  if (Budget::isUsedUp())
    return;
  Expr fact = applySolved(expr);
  if (fact.asConstant()) {
    contradictory |= fact.isZero();
    return;
  }
  // N != 0 with N >= 0 is N > 0, and so at the end of any known range.
  if (isNonNegative(fact, Effort::Linear))
    return addInequality(fact - constant(1));
  if (isNonNegative(-fact, Effort::Linear))
    return addInequality(-fact - constant(1));
  inequations.push_back(fact);
}

void System::addEquality(const Expr &expr) {
  SmallVector<Expr> pending{expr};
  // Solving one equation may make others solvable.
  for (int steps = 0; !pending.empty(); ++steps) {
    if (Budget::isUsedUp())
      return;
    Expr fact = makePrimitive(applySolved(pending.pop_back_val()));
    if (fact.asConstant()) {
      contradictory |= !fact.isZero();
      continue;
    }
    if (steps < 64 && trySolve(fact)) {
      pending.append(equalities.begin(), equalities.end());
      equalities.clear();
      continue;
    }
    if (!is_contained(equalities, fact) && !is_contained(equalities, -fact))
      equalities.push_back(fact);
  }
}

/// Solves the equation for a symbol that stands alone in one term, fresh ones
/// first so that what remains is in the user's names.
bool System::trySolve(const Expr &fact) {
  if (fact.getTerms().size() > maxSolvedTerms)
    return false;
  std::optional<Term> best;
  for (const Term &term : fact.getTerms()) {
    if (term.getDegree() != 1 || abs(term.coefficient) != 1)
      continue;
    const Atom &atom = term.factors[0].atom;
    if (!atom.isNamed())
      continue; // a group, made where a product grew too large
    size_t uses = 0;
    for (const Term &other : fact.getTerms())
      uses += llvm::any_of(other.factors, [&](const Factor &factor) {
        return factor.atom == atom;
      });
    if (uses == 1 &&
        (!best || (isFresh(atom) && !isFresh(best->factors[0].atom))))
      best = term;
  }
  if (!best)
    return false;
  const Atom &atom = best->factors[0].atom;
  Expr rest = fact - scale(Expr(atom), best->coefficient);
  Expr value = best->coefficient < 0 ? rest : -rest;
  bool wasNonNegative = isNonNegativeAtom(atom);
  replaceSymbol(atom.getKey(), value);
  if (wasNonNegative)
    addInequality(value);
  return true;
}

void System::replaceSymbol(const std::string &name, const Expr &value) {
  std::map<std::string, Expr> step{{name, value}};
  for (auto &[key, known] : solved)
    known = substitute(known, step);
  solved[name] = value;

  for (Division &division : divisions) {
    division.quotient = substitute(division.quotient, step);
    division.numerator = substitute(division.numerator, step);
    division.divisor = substitute(division.divisor, step);
  }
  for (Extremum &extremum : extrema) {
    extremum.value = substitute(extremum.value, step);
    for (Expr &operand : extremum.operands)
      operand = substitute(operand, step);
  }
  for (auto &[sum, value] : groups) {
    sum = substitute(sum, step);
    value = substitute(value, step);
  }
  for (Expr &fact : equalities) // added again by the caller
    fact = substitute(fact, step);
  SmallVector<Expr> pending;
  std::swap(pending, inequalities);
  for (const Expr &fact : pending)
    addInequality(fact);
  pending.clear();
  std::swap(pending, inequations);
  for (const Expr &fact : pending)
    addInequation(fact);
}

//===--- Purifying --------------------------------------------------------===//

Expr System::purify(const Expr &expr) {
  return mapAtoms(expr, [&](const Atom &atom) { return purify(atom); });
}

Expr System::purify(const Atom &atom) {
  if (!Budget::spend(4 + divisions.size() + extrema.size()))
    return makeFresh(); // some value, nothing is known of it
  if (atom.isNamed()) {
    auto found = solved.find(atom.getKey());
    return found == solved.end() ? Expr(atom) : found->second;
  }
  SmallVector<Expr> operands;
  for (const Expr &operand : atom.getOperands())
    operands.push_back(purify(operand));
  // Purifying one operand may have solved a symbol of another.
  for (Expr &operand : operands)
    operand = applySolved(operand);
  switch (atom.getKind()) {
  case AtomKind::Group:
    return makeGroup(operands[0]);
  case AtomKind::Opaque:
    return makeOpaque(atom);
  case AtomKind::Quotient:
    return makeQuotient(operands[0], operands[1]);
  case AtomKind::Remainder:
    return operands[0] - operands[1] * makeQuotient(operands[0], operands[1]);
  case AtomKind::Min:
  case AtomKind::Max:
    return makeExtremum(atom.getKind() == AtomKind::Min, operands);
  case AtomKind::Symbol:
  case AtomKind::PackProduct:
    break;
  }
  llvm_unreachable("a named atom has no operands");
}

/// The sum gets a name; what was multiplied out would have to be so here too.
Expr System::makeGroup(const Expr &sum) {
  if (sum.getTerms().size() <= 1)
    return sum;
  for (const auto &[known, value] : groups)
    if (known == sum)
      return value;
  Expr value = makeFresh();
  if (isTriviallyNonNegative(sum))
    nonNegativeFresh.insert(value.asAtom()->getName().str());
  groups.push_back({sum, value});
  return value;
}

Expr System::makeOpaque(const Atom &atom) {
  Budget::giveUp();
  for (const auto &[known, value] : groups)
    if (known == Expr(atom))
      return value;
  Expr value = makeFresh();
  groups.push_back({Expr(atom), value});
  return value;
}

Expr System::makeQuotient(const Expr &numerator, const Expr &divisor) {
  std::optional<Integer> value = divisor.asConstant();
  bool isMeaningful = !value || *value > 0;
  if (isMeaningful && isPositive(divisor, Effort::Products))
    return divide(numerator, divisor);
  for (const Division &known : divisions)
    if (known.numerator == numerator && known.divisor == divisor)
      return known.quotient;
  Expr quotient = makeFresh();
  divisions.push_back({quotient, numerator, divisor});
  return quotient;
}

/// Whether numerator == divisor * quotient is among the equations.
bool System::isExact(const Division &division) const {
  Expr rest =
      makePrimitive(division.numerator - division.divisor * division.quotient);
  return rest.isZero() || is_contained(equalities, rest) ||
         is_contained(equalities, -rest);
}

/// The floor quotient for a divisor that is proven positive.
Expr System::divide(const Expr &numerator, const Expr &divisor) {
  auto [quotient, rest] = dividePolynomial(numerator, divisor); // P7
  // k * a / b with a == c * b * q [P5]; a bare `a` was solved for already.
  for (const Division &known : divisions) {
    if (rest.isZero())
      break;
    if (!known.isPositive || known.numerator.isZero() || !isExact(known))
      continue;
    auto [multiple, off] = dividePolynomial(known.divisor, divisor);
    if (!off.isZero())
      continue;
    auto [count, left] = dividePolynomial(rest, known.numerator);
    quotient = quotient + count * multiple * known.quotient;
    rest = left;
  }
  if (rest.isZero())
    return quotient;

  // (g * a) / (g * b) == a / b for g > 0.
  Expr common = commonFactor(rest, divisor);
  if (common != constant(1) && isTriviallyNonNegative(common))
    return quotient + divide(dividePolynomial(rest, common).quotient,
                             dividePolynomial(divisor, common).quotient);

  for (const Division &known : divisions)
    if (known.numerator == rest && known.divisor == divisor)
      return quotient + known.quotient;

  bool isUp = isNonNegative(rest, Effort::Linear);
  if (isUp && isPositive(divisor - rest, Effort::Products))
    return quotient;
  if (!isUp && isPositive(-rest, Effort::Linear) &&
      isNonNegative(rest + divisor, Effort::Products))
    return quotient - constant(1);

  Expr fresh = makeFresh();
  divisions.push_back({fresh, rest, divisor, /*isPositive=*/true});
  if (isUp)
    nonNegativeFresh.insert(fresh.asAtom()->getName().str());
  return quotient + fresh;
}

Expr System::makeExtremum(bool isMin, ArrayRef<Expr> operands) {
  // min(a, b) is a once a <= b is proven [P8].
  SmallVector<Expr> kept;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    const Expr &candidate = operand;
    auto isBeaten = [&](const Expr &other) {
      if (Budget::isUsedUp())
        return false;
      Expr gap = isMin ? candidate - other : other - candidate;
      return isNonNegative(gap, Effort::Products);
    };
    if (llvm::any_of(kept, isBeaten) ||
        llvm::any_of(operands.drop_front(index + 1), isBeaten))
      continue;
    kept.push_back(candidate);
  }
  if (kept.size() == 1)
    return kept[0];
  llvm::sort(kept);
  for (const Extremum &known : extrema)
    if (known.isMin == isMin && known.operands == kept)
      return known.value;
  Expr value = makeFresh();
  extrema.push_back({value, isMin, kept});
  auto isUp = [&](const Expr &operand) {
    return isNonNegative(operand, Effort::Linear);
  };
  if (isMin ? llvm::all_of(kept, isUp) : llvm::any_of(kept, isUp))
    nonNegativeFresh.insert(value.asAtom()->getName().str());
  return value;
}

//===--- Settling ---------------------------------------------------------===//

/// Looks at one division again, after facts were added. True if that told
/// anything new.
bool System::settleDivision(size_t index) {
  Division division = divisions[index];
  if (division.isResolved || division.divisor.isZero())
    return false;
  bool isNews = false;
  if (!division.isPositive) {
    if (!isPositive(division.divisor, Effort::Products))
      return false;
    divisions[index].isPositive = isNews = true;
    addInequality(division.divisor - constant(1));
  }
  Expr value = divide(division.numerator, division.divisor);
  if (value != division.quotient) {
    divisions[index].isResolved = true;
    addEquality(division.quotient - value);
    return true;
  }
  std::optional<Atom> atom = division.quotient.asAtom();
  if (atom && !isNonNegativeAtom(*atom) &&
      isNonNegative(division.numerator, Effort::Products)) {
    nonNegativeFresh.insert(atom->getName().str());
    isNews = true;
  }
  return isNews;
}

void System::settle(size_t first) {
  for (int round = 0; round < 6 && !contradictory; ++round) {
    bool isNews = false;
    for (size_t i = first; i < divisions.size() && i < maxDivisions; ++i)
      isNews |= !Budget::isUsedUp() && settleDivision(i);
    if (!isNews)
      break;
  }
}

} // namespace linnet::dims
