// Division and common factors of polynomials.
#include "lib/Dims/Budget.h"
#include "lib/Dims/Linear.h"

using namespace llvm;

namespace linnet::dims {

/// a / b for monomials, if b divides a.
static std::optional<SmallVector<Factor, 2>> divide(ArrayRef<Factor> a,
                                                    ArrayRef<Factor> b) {
  SmallVector<Factor, 2> quotient;
  for (const Factor &factor : a) {
    unsigned power = factor.power;
    if (!b.empty() && b[0].atom == factor.atom) {
      if (b[0].power > power)
        return std::nullopt;
      power -= b[0].power;
      b = b.drop_front();
    }
    if (power)
      quotient.push_back({factor.atom, power});
  }
  if (!b.empty())
    return std::nullopt;
  return quotient;
}

Quotient dividePolynomial(const Expr &a, const Expr &divisor) {
  assert(!divisor.isZero() && "division by the polynomial 0");
  const Term &lead = divisor.getTerms().front();
  Expr rest = a;
  SmallVector<Term> quotient, kept;
  // Each step removes the leading term and adds only smaller ones, so this
  // ends.
  while (!rest.isZero()) {
    Term term = rest.getTerms().front();
    std::optional<SmallVector<Factor, 2>> factors =
        divide(term.factors, lead.factors);
    Integer count =
        factors ? floorDiv(term.coefficient, lead.coefficient) : Integer(0);
    if (count != 0) {
      SmallVector<Term> step{Term{*factors, count}};
      quotient.push_back(step[0]);
      rest = rest - Expr::fromTerms(step) * divisor;
    }
    if (!rest.isZero() &&
        Term::compareMonomials(rest.getTerms().front(), term) == 0) {
      SmallVector<Term> head{rest.getTerms().front()};
      kept.push_back(head[0]);
      rest = rest - Expr::fromTerms(head);
    }
  }
  return {Expr::fromTerms(quotient), Expr::fromTerms(kept)};
}

Expr commonFactor(const Expr &a, const Expr &b) {
  std::optional<SmallVector<Factor, 2>> factors;
  Integer content(0);
  for (const Expr *part : {&a, &b})
    for (const Term &term : part->getTerms()) {
      content = gcd(content, abs(term.coefficient));
      if (!factors) {
        factors = term.factors;
        continue;
      }
      Budget::spend(4 * factors->size() * term.factors.size());
      SmallVector<Factor, 2> shared;
      for (const Factor &factor : *factors)
        for (const Factor &other : term.factors)
          if (factor.atom == other.atom)
            shared.push_back(
                {factor.atom, std::min(factor.power, other.power)});
      factors = shared;
    }
  if (!factors)
    return Expr();
  SmallVector<Term> terms{Term{*factors, content}};
  return Expr::fromTerms(terms);
}

} // namespace linnet::dims
