// The `where` lines that would settle a claim.
#include "lib/Dims/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

static Constraint isAbove0(const Expr &expr) {
  return {expr, Relation::Gt, constant(0)};
}

/// Whether the search finds values that satisfy all facts.
static bool isSatisfiable(const Facts &facts) {
  Constraint falsehood{constant(0), Relation::Ne, constant(0)};
  return findWitness(facts.getConstraints(), falsehood).has_value();
}

/// Gives the divisors of the claim that the facts do not prove positive.
static SmallVector<Expr> listUnprovenDivisors(const Facts &facts,
                                              const Constraint &claim) {
  SmallVector<Expr> divisors;
  for (const Expr *side : {&claim.lhs, &claim.rhs})
    walkAtoms(*side, [&](const Atom &atom) {
      if (!atom.isDivision())
        return;
      const Expr &divisor = atom.getOperands()[1];
      if (!is_contained(divisors, divisor) &&
          !isProvable(facts, isAbove0(divisor)))
        divisors.push_back(divisor);
    });
  return divisors;
}

/// The claim without what both sides share: `B * H == B * N * D` is
/// `H == D * N`, and `N - 1 > 0` is `N > 1`.
static Constraint cancel(const Constraint &claim) {
  Expr difference = claim.lhs - claim.rhs;
  if (difference.isZero())
    return claim;
  difference =
      dividePolynomial(difference, commonFactor(difference, difference))
          .quotient;
  SmallVector<Term> left, right;
  for (Term term : difference.getTerms()) {
    if (term.coefficient > 0) {
      left.push_back(term);
    } else {
      term.coefficient = -term.coefficient;
      right.push_back(term);
    }
  }
  Constraint result{Expr::fromTerms(left), claim.relation,
                    Expr::fromTerms(right)};
  if (result.lhs.asConstant() && !result.rhs.asConstant())
    result = mirror(result);
  return result;
}

/// From the most telling to the claim itself.
static SmallVector<Constraint> listCandidates(const Constraint &claim) {
  SmallVector<Constraint> candidates;
  auto add = [&](const Constraint &candidate) {
    if (!is_contained(candidates, candidate))
      candidates.push_back(candidate);
  };
  SmallVector<Constraint> bounds;
  for (const Expr *side : {&claim.lhs, &claim.rhs})
    walkAtoms(*side, [&](const Atom &atom) {
      ArrayRef<Expr> operands = atom.getOperands();
      if (atom.isDivision()) {
        add({mod(operands[0], operands[1]), Relation::Eq, constant(0)});
        bounds.push_back({operands[0], Relation::Ge, operands[1]});
      } else if (atom.getKind() == AtomKind::Min ||
                 atom.getKind() == AtomKind::Max) {
        for (const Expr &a : operands)
          for (const Expr &b : operands)
            if (a != b)
              add({a, Relation::Le, b});
      } else if (atom.getKind() == AtomKind::Symbol) {
        bounds.push_back(isAbove0(Expr(atom)));
      }
    });
  if (claim.relation == Relation::Eq)
    add(cancel(claim));
  else
    llvm::for_each(bounds, add);
  add(cancel(claim));
  add(claim);
  return candidates;
}

/// Whether nobody would write the line: it talks about nothing, as `3 % 4 == 0`
/// does, or without end.
static bool isUnreadable(const Constraint &line) {
  constexpr size_t maxTerms = 12;
  std::set<std::string> names;
  collectSymbols(line, names);
  return names.empty() ||
         line.lhs.getTerms().size() + line.rhs.getTerms().size() > maxTerms;
}

SmallVector<Constraint> suggest(const Facts &facts, const Constraint &claim) {
  if (isContradictory(facts))
    return {};
  SmallVector<Constraint> lines;
  Facts enough = facts;
  // A divisibility claim is a good line as it stands.
  bool isDivisibility = false;
  if (std::optional<Atom> atom = claim.lhs.asAtom())
    isDivisibility = atom->getKind() == AtomKind::Remainder &&
                     claim.relation == Relation::Eq && claim.rhs.isZero();
  if (!isDivisibility)
    for (const Expr &divisor : listUnprovenDivisors(facts, claim)) {
      lines.push_back(isAbove0(divisor));
      enough = enough.with(lines.back());
    }
  if (!lines.empty() && isProvable(enough, claim) && isSatisfiable(enough))
    return lines;
  for (const Constraint &candidate : listCandidates(claim)) {
    if (isUnreadable(candidate))
      continue;
    Facts more = enough.with(candidate);
    if (!isContradictory(more) && isProvable(more, claim) &&
        isSatisfiable(more)) {
      lines.push_back(candidate);
      return lines;
    }
  }
  return {};
}

} // namespace linnet::dims
