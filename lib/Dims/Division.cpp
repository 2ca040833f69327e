// Canonical quotients, remainders, minima and maxima, without any facts.
#include "lib/Dims/Expr.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

namespace {
/// a = divisor * quotient + rest, coefficient by coefficient and toward zero,
/// so that `(D - 1) / 2` stays as it was written.
struct Split {
  Expr quotient, rest;
  /// What the divisor and all coefficients of the rest but the constant share.
  Integer common;
};
} // namespace

static Split split(const Expr &a, const Integer &divisor) {
  SmallVector<Term> quotient, rest;
  Integer common = divisor;
  for (const Term &term : a.getTerms()) {
    Term part = term;
    part.coefficient = term.coefficient / divisor;
    quotient.push_back(part);
    part.coefficient = term.coefficient % divisor;
    if (!part.factors.empty())
      common = gcd(common, abs(part.coefficient));
    rest.push_back(part);
  }
  return {Expr::fromTerms(quotient), Expr::fromTerms(rest), common};
}

/// a / divisor where the divisor divides every coefficient but the constant,
/// which is rounded down.
static Expr divideCoefficients(const Expr &a, const Integer &divisor) {
  SmallVector<Term> terms(a.getTerms());
  for (Term &term : terms)
    term.coefficient = floorDiv(term.coefficient, divisor);
  return Expr::fromTerms(terms);
}

// (c * k + r) / c => k + r / c, and (g * m + k) / (g * c) => (m + k / g) / c
Expr floorDiv(const Expr &a, const Expr &b) {
  std::optional<Integer> divisor = b.asConstant();
  if (!divisor || *divisor <= 0)
    return Expr(makeAtom(AtomKind::Quotient, {a, b}));
  auto [quotient, rest, common] = split(a, *divisor);
  if (rest.asConstant()) // `common` is then the divisor itself
    return quotient + divideCoefficients(rest, *divisor);
  if (common != 1)
    return quotient + floorDiv(divideCoefficients(rest, common),
                               constant(*divisor / common));
  return quotient + Expr(makeAtom(AtomKind::Quotient, {rest, b}));
}

// (c * k + r) % c => r % c, and (g * m + k) % (g * c) =>
// g * ((m + k / g) % c) + k % g
Expr mod(const Expr &a, const Expr &b) {
  std::optional<Integer> divisor = b.asConstant();
  if (!divisor || *divisor <= 0)
    return Expr(makeAtom(AtomKind::Remainder, {a, b}));
  auto [quotient, rest, common] = split(a, *divisor);
  if (std::optional<Integer> value = rest.asConstant())
    return constant(mod(*value, *divisor));
  if (common != 1)
    return scale(mod(divideCoefficients(rest, common),
                     constant(*divisor / common)),
                 common) +
           constant(mod(rest.getConstantTerm(), common));
  return Expr(makeAtom(AtomKind::Remainder, {rest, b}));
}

/// a - b, if that is a constant.
static std::optional<Integer> getStep(const Expr &a, const Expr &b) {
  ArrayRef<Term> left = a.getTerms(), right = b.getTerms();
  auto drop = [](ArrayRef<Term> terms) {
    return !terms.empty() && terms.back().factors.empty() ? terms.drop_back()
                                                          : terms;
  };
  ArrayRef<Term> x = drop(left), y = drop(right);
  if (x.size() != y.size())
    return std::nullopt;
  for (auto [term, other] : zip(x, y))
    if (term.coefficient != other.coefficient ||
        Term::compareMonomials(term, other) != 0)
      return std::nullopt;
  return a.getConstantTerm() - b.getConstantTerm();
}

/// Drops every operand that a constant step separates from a better one.
static SmallVector<Expr> dropBeaten(AtomKind kind, ArrayRef<Expr> operands) {
  SmallVector<Expr> kept;
  for (const Expr &operand : operands) {
    bool isNeeded = true;
    for (Expr &other : kept) {
      std::optional<Integer> step = getStep(operand, other);
      if (!step)
        continue;
      if (kind == AtomKind::Min ? *step < 0 : *step > 0)
        other = operand;
      isNeeded = false;
      break;
    }
    if (isNeeded)
      kept.push_back(operand);
  }
  return kept;
}

static Expr makeExtremum(AtomKind kind, ArrayRef<Expr> operands) {
  assert(!operands.empty() && "an extremum of nothing");
  if (operands.size() > limits::operands) {
    Expr best = operands[0];
    for (const Expr &operand : operands.drop_front())
      best = makeExtremum(kind, {best, operand});
    return best;
  }
  SmallVector<Expr> whole = dropBeaten(kind, operands), flat;
  if (whole.size() == 1)
    return whole[0];
  for (const Expr &operand : whole) {
    // min(a, b) + c is min(a + c, b + c).
    Expr step = constant(operand.getConstantTerm());
    std::optional<Atom> atom = (operand - step).asAtom();
    if (!atom || atom->getKind() != kind) {
      flat.push_back(operand);
      continue;
    }
    for (const Expr &inner : atom->getOperands())
      flat.push_back(inner + step);
  }
  SmallVector<Expr> kept = dropBeaten(kind, flat);
  if (kept.size() > limits::operands)
    kept = whole;
  if (kept.size() == 1)
    return kept[0];
  llvm::sort(kept);
  return Expr(makeAtom(kind, kept));
}

Expr min(ArrayRef<Expr> operands) {
  return makeExtremum(AtomKind::Min, operands);
}
Expr max(ArrayRef<Expr> operands) {
  return makeExtremum(AtomKind::Max, operands);
}
Expr min(const Expr &a, const Expr &b) { return min({a, b}); }
Expr max(const Expr &a, const Expr &b) { return max({a, b}); }

} // namespace linnet::dims
