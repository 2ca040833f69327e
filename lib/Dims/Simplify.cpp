// Expressions simplified under facts, in the user's own names.
#include "lib/Dims/Budget.h"
#include "lib/Dims/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

namespace {
class Simplifier {
public:
  explicit Simplifier(const Facts &facts) : system(facts.getClosure().system) {}
  Expr run(const Expr &expr);

private:
  Expr simplifyAtom(const Atom &atom);
  Expr simplifyDivision(AtomKind kind, const Expr &a, const Expr &b);
  Expr simplifyExtremum(bool isMin, ArrayRef<Expr> operands);
  Expr joinQuotients(const Expr &expr);
  std::optional<Expr> joinQuotient(const Term &term);

  System system;
};
} // namespace

/// Whether the user could have written it.
static bool isInUserNames(const Expr &expr) {
  std::set<std::string> names;
  collectSymbols(expr, names);
  return llvm::none_of(names,
                       [](const std::string &name) { return name[0] == '$'; });
}

Expr Simplifier::simplifyDivision(AtomKind kind, const Expr &a, const Expr &b) {
  Expr plain = kind == AtomKind::Quotient ? floorDiv(a, b) : mod(a, b);
  if (b.asConstant() && *b.asConstant() <= 0)
    return plain;
  if (!system.isPositive(system.purify(b), Effort::Products))
    return plain;
  if (kind == AtomKind::Quotient && !b.asConstant()) {
    auto [quotient, rest] = dividePolynomial(a, b); // P7
    if (!quotient.isZero() && rest.getTerms().size() < a.getTerms().size())
      return quotient + simplifyDivision(kind, rest, b);
  }
  Expr pure = system.purify(plain);
  if (isInUserNames(pure) && pure.getTerms().size() <= a.getTerms().size())
    return pure;
  return plain;
}

Expr Simplifier::simplifyExtremum(bool isMin, ArrayRef<Expr> operands) {
  SmallVector<Expr> kept;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Expr candidate = system.purify(operand);
    auto isBeaten = [&](const Expr &other) {
      Expr gap = system.purify(other) - candidate;
      return system.isNonNegative(isMin ? -gap : gap, Effort::Products);
    };
    if (llvm::none_of(kept, isBeaten) &&
        llvm::none_of(operands.drop_front(index + 1), isBeaten))
      kept.push_back(operand);
  }
  return isMin ? min(kept) : max(kept);
}

Expr Simplifier::simplifyAtom(const Atom &atom) {
  if (atom.isNamed() || Budget::isUsedUp())
    return Expr(atom);
  if (atom.getKind() == AtomKind::Opaque)
    return Expr(atom);
  SmallVector<Expr> operands;
  for (const Expr &operand : atom.getOperands())
    operands.push_back(run(operand));
  if (atom.getKind() == AtomKind::Group)
    return operands[0];
  if (atom.isDivision())
    return simplifyDivision(atom.getKind(), operands[0], operands[1]);
  return simplifyExtremum(atom.getKind() == AtomKind::Min, operands);
}

// c * b * (a / b) => c * a    when a % b == 0
std::optional<Expr> Simplifier::joinQuotient(const Term &term) {
  for (const Factor &factor : term.factors) {
    if (factor.atom.getKind() != AtomKind::Quotient)
      continue;
    const Expr &a = factor.atom.getOperands()[0];
    const Expr &b = factor.atom.getOperands()[1];
    if (b.isZero())
      continue;
    Expr whole = scale(term.getMonomial(), term.coefficient);
    Expr others = dividePolynomial(whole, Expr(factor.atom)).quotient;
    auto [count, rest] = dividePolynomial(others, b);
    if (!rest.isZero() ||
        !system.isPositive(system.purify(b), Effort::Products))
      continue;
    if (system.isZero(system.purify(mod(a, b)), Effort::Products))
      return count * a;
  }
  return std::nullopt;
}

Expr Simplifier::joinQuotients(const Expr &expr) {
  Expr sum;
  for (const Term &term : expr.getTerms()) {
    std::optional<Expr> joined = joinQuotient(term);
    sum = sum + (joined ? joinQuotients(*joined)
                        : scale(term.getMonomial(), term.coefficient));
  }
  return sum;
}

Expr Simplifier::run(const Expr &expr) {
  Expr result = joinQuotients(
      mapAtoms(expr, [&](const Atom &atom) { return simplifyAtom(atom); }));
  bool isNamedOnly = true;
  walkAtoms(result, [&](const Atom &atom) { isNamedOnly &= atom.isNamed(); });
  if (isNamedOnly)
    return result;
  // What differs in form only may still cancel.
  Expr pure = system.purify(result);
  return pure.asConstant() ? pure : result;
}

Expr simplify(const Facts &facts, const Expr &expr) {
  Budget budget(steps::simplify);
  return Simplifier(facts).run(expr);
}

} // namespace linnet::dims
