// The `where` lines that would settle a claim.
#include "lib/Dims/Budget.h"
#include "lib/Dims/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

using Lines = SmallVector<Constraint>;

static Constraint isAbove0(const Expr &expr) {
  return {expr, Relation::Gt, constant(0)};
}

/// The claim without what both sides share, a constant on the right:
/// `B * H == B * N * D` is `H == D * N`, and `N - 1 >= 0` is `N > 0`.
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
  std::optional<Atom> atom = result.lhs.asAtom();
  if (!atom || !atom->isNamed())
    return result;
  // What says no more than that a name is not 0.
  if ((result.relation == Relation::Ge && result.rhs == constant(1)) ||
      (result.relation == Relation::Ne && result.rhs.isZero()))
    return isAbove0(result.lhs);
  return result;
}

/// That a divisor is positive; of a product, that each factor is.
static Lines listPositive(const Expr &divisor) {
  Lines lines;
  ArrayRef<Term> terms = divisor.getTerms();
  if (terms.size() == 1 && terms[0].coefficient > 0)
    for (const Factor &factor : terms[0].factors)
      lines.push_back(isAbove0(Expr(factor.atom)));
  else
    lines.push_back(cancel(isAbove0(divisor)));
  return lines;
}

static bool hasNamesOnly(const Expr &expr) {
  bool isPlain = true;
  walkAtoms(expr, [&](const Atom &atom) { isPlain &= atom.isNamed(); });
  return isPlain;
}

namespace {
/// Finds lines for one claim.
class Advisor {
public:
  Advisor(const Facts &facts, const Constraint &claim)
      : facts(facts), claim(claim) {}
  std::vector<Lines> run(size_t limit);

private:
  void proposePositiveDivisors();
  void propose();
  void propose(const Constraint &line) { propose(Lines{line}); }
  void propose(const Lines &lines);
  void proposePositiveNames();
  void proposeFewest(Lines lines);
  bool isSensible(const Facts &more, const Lines &lines) const;
  bool settles(const Facts &more) const { return isProvable(more, claim); }

  const Facts &facts;
  const Constraint &claim;
  /// What is needed in any case: that the divisors are positive.
  Lines first;
  Facts enough;
  std::vector<Lines> proposals;
};
} // namespace

/// Whether somebody would write the lines: they are short, talk about names,
/// and leave all names room to be at least 1, which a search must have shown.
bool Advisor::isSensible(const Facts &more, const Lines &lines) const {
  constexpr size_t maxNodes = 40;
  for (const Constraint &line : lines) {
    std::set<std::string> names;
    collectSymbols(line, names);
    // The product of a pack has no spelling in the language.
    bool hasPack = llvm::any_of(
        names, [](const std::string &name) { return name[0] == '*'; });
    if (names.empty() || hasPack ||
        line.lhs.getSize() + line.rhs.getSize() > maxNodes)
      return false;
  }
  return !isContradictory(more) && isSatisfiable(more, claim);
}

void Advisor::proposePositiveDivisors() {
  // A divisibility claim is a good line as it stands.
  if (std::optional<Atom> atom = claim.lhs.asAtom())
    if (atom->getKind() == AtomKind::Remainder &&
        claim.relation == Relation::Eq && claim.rhs.isZero())
      return;
  for (const Expr *side : {&claim.lhs, &claim.rhs})
    walkAtoms(*side, [&](const Atom &atom) {
      if (!atom.isDivision() || Budget::isUsedUp())
        return;
      for (const Constraint &line : listPositive(atom.getOperands()[1]))
        if (!is_contained(first, line) && !isProvable(enough, line)) {
          first.push_back(line);
          enough = enough.with(line);
        }
    });
}

void Advisor::propose(const Lines &lines) {
  if (!is_contained(proposals, lines))
    proposals.push_back(lines);
}

/// As few names as it takes, each greater than 0: `A > 0, B > 0` for
/// `A * B > 0`.
void Advisor::proposePositiveNames() {
  std::set<std::string> names;
  collectSymbols(claim, names);
  constexpr size_t maxNames = 6;
  if (names.size() > maxNames)
    return;
  Lines lines;
  for (const std::string &name : names) {
    Constraint line = isAbove0(symbol(name));
    if (name[0] != '*' && !isProvable(enough, line))
      lines.push_back(line);
  }
  proposeFewest(lines);
}

/// As few of the lines as settle the claim together, if all of them do.
void Advisor::proposeFewest(Lines lines) {
  auto with = [&](const Lines &some) {
    Facts more = enough;
    for (const Constraint &line : some)
      more = more.with(line);
    return more;
  };
  if (lines.empty() || !settles(with(lines)))
    return;
  for (size_t i = 0; i < lines.size() && lines.size() > 1;) {
    Lines fewer = lines;
    fewer.erase(fewer.begin() + i);
    if (settles(with(fewer)))
      lines = fewer;
    else
      ++i;
  }
  propose(lines);
}

/// The most telling first, the claim itself last.
void Advisor::propose() {
  Constraint core = cancel(claim);
  bool isPlain = hasNamesOnly(core.lhs) && hasNamesOnly(core.rhs);
  auto getDegree = [](const Expr &side) {
    return side.isZero() ? 0 : side.getTerms().front().getDegree();
  };
  bool isLinear =
      isPlain && getDegree(core.lhs) <= 1 && getDegree(core.rhs) <= 1;
  if (isLinear)
    propose(core);

  Lines compound, bounds, divisibility;
  for (const Expr *side : {&claim.lhs, &claim.rhs})
    walkAtoms(*side, [&](const Atom &atom) {
      ArrayRef<Expr> operands = atom.getOperands();
      if (atom.isDivision()) {
        bool isSimple = hasNamesOnly(operands[0]) && hasNamesOnly(operands[1]);
        Constraint line{mod(operands[0], operands[1]), Relation::Eq,
                        constant(0)};
        divisibility.push_back(line);
        if (!isSimple)
          compound.push_back(line);
        else if (claim.relation != Relation::Ne)
          propose(line);
        // H / N / 2 is exact if H is divisible by 2 * N.
        std::optional<Atom> inner = operands[0].asAtom();
        if (inner && inner->getKind() == AtomKind::Quotient)
          propose(Constraint{mod(inner->getOperands()[0],
                                 inner->getOperands()[1] * operands[1]),
                             Relation::Eq, constant(0)});
        bounds.push_back(cancel({operands[0], Relation::Ge, constant(0)}));
        bounds.push_back(cancel({operands[0], Relation::Ge, operands[1]}));
      } else if (atom.getKind() == AtomKind::Min ||
                 atom.getKind() == AtomKind::Max) {
        for (const Expr &a : operands)
          for (const Expr &b : operands)
            if (a != b)
              propose(cancel({a, Relation::Le, b}));
      }
    });
  constexpr size_t maxDivisions = 4;
  if (claim.relation == Relation::Eq && divisibility.size() > 1 &&
      divisibility.size() <= maxDivisions)
    proposeFewest(divisibility);
  if (claim.relation != Relation::Eq)
    proposePositiveNames();
  if (isPlain)
    propose(core);
  for (const Constraint &line : bounds)
    propose(line);
  if (claim.relation != Relation::Ne)
    for (const Constraint &line : compound)
      propose(line);
  propose(core);
  propose(claim);
}

std::vector<Lines> Advisor::run(size_t limit) {
  std::vector<Lines> result;
  enough = facts;
  proposePositiveDivisors();
  if (!first.empty() && settles(enough) && isSensible(enough, first))
    return {first};
  propose();
  Lines accepted;
  for (const Lines &lines : proposals) {
    if (Budget::isUsedUp() || result.size() == limit)
      break;
    if (lines == Lines{claim} && llvm::is_contained(accepted, cancel(claim)))
      continue; // the same in another form
    Facts more = enough;
    for (const Constraint &line : lines)
      more = more.with(line);
    if (!settles(more) || !isSensible(more, lines))
      continue;
    result.push_back(first);
    append_range(result.back(), lines);
    if (lines.size() == 1)
      accepted.push_back(lines.front());
  }
  return result;
}

std::vector<Lines> suggestAll(const Facts &facts, const Constraint &claim,
                              size_t limit) {
  constexpr size_t maxNodes = 400;
  if (isContradictory(facts) ||
      claim.lhs.getSize() + claim.rhs.getSize() > maxNodes)
    return {};
  Budget budget(steps::suggest);
  return Advisor(facts, claim).run(limit);
}

Lines suggest(const Facts &facts, const Constraint &claim) {
  std::vector<Lines> all = suggestAll(facts, claim, 1);
  return all.empty() ? Lines() : all.front();
}

} // namespace linnet::dims
