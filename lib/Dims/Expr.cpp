// Polynomials over atoms: order, arithmetic, and traversal.
#include "lib/Dims/Expr.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

//===--- Atoms ------------------------------------------------------------===//

AtomKind Atom::getKind() const { return node->kind; }
StringRef Atom::getName() const { return node->name; }
ArrayRef<Expr> Atom::getOperands() const { return node->operands; }
size_t Atom::getHash() const { return node->hash; }

std::string Atom::getKey() const {
  return getKind() == AtomKind::PackProduct ? "*" + node->name : node->name;
}

int Atom::compare(const Atom &a, const Atom &b) {
  if (a.node == b.node)
    return 0;
  if (a.getKind() != b.getKind())
    return a.getKind() < b.getKind() ? -1 : 1;
  if (int order = a.getName().compare(b.getName()))
    return order;
  for (auto [x, y] : zip(a.getOperands(), b.getOperands()))
    if (int order = Expr::compare(x, y))
      return order;
  size_t n = a.getOperands().size(), m = b.getOperands().size();
  return n == m ? 0 : (n < m ? -1 : 1);
}

//===--- Terms ------------------------------------------------------------===//

unsigned Term::getDegree() const {
  unsigned degree = 0;
  for (const Factor &factor : factors)
    degree += factor.power;
  return degree;
}

int Term::compareMonomials(const Term &a, const Term &b) {
  if (unsigned n = a.getDegree(), m = b.getDegree(); n != m)
    return n > m ? -1 : 1;
  for (auto [x, y] : zip(a.factors, b.factors)) {
    if (int order = Atom::compare(x.atom, y.atom))
      return order;
    if (x.power != y.power)
      return x.power > y.power ? -1 : 1;
  }
  return 0; // Of equal degree, so neither is a prefix of the other.
}

Expr Term::getMonomial() const {
  SmallVector<Term> terms{Term{factors, Integer(1)}};
  return Expr::fromTerms(terms);
}

//===--- Expressions ------------------------------------------------------===//

Expr Expr::fromTerms(SmallVectorImpl<Term> &terms) {
  llvm::sort(terms, [](const Term &a, const Term &b) {
    return Term::compareMonomials(a, b) < 0;
  });
  std::vector<Term> merged;
  for (Term &term : terms) {
    if (!merged.empty() && Term::compareMonomials(merged.back(), term) == 0) {
      merged.back().coefficient += term.coefficient;
      continue;
    }
    if (!merged.empty() && merged.back().coefficient == 0)
      merged.pop_back();
    merged.push_back(std::move(term));
  }
  if (!merged.empty() && merged.back().coefficient == 0)
    merged.pop_back();
  if (merged.empty())
    return Expr();

  hash_code hash = hash_combine(merged.size());
  for (const Term &term : merged) {
    hash = hash_combine(hash, term.coefficient);
    for (const Factor &factor : term.factors)
      hash = hash_combine(hash, factor.atom.getHash(), factor.power);
  }
  return Expr(std::make_shared<const ExprNode>(
      ExprNode{std::move(merged), static_cast<size_t>(hash)}));
}

Expr::Expr(const Atom &atom) {
  SmallVector<Term> terms{Term{{Factor{atom, 1}}, Integer(1)}};
  *this = fromTerms(terms);
}

ArrayRef<Term> Expr::getTerms() const {
  return node ? ArrayRef<Term>(node->terms) : ArrayRef<Term>();
}

size_t Expr::getHash() const { return node ? node->hash : 0; }

Integer Expr::getConstantTerm() const {
  // Terms are sorted by degree, so the constant is the last.
  if (node && node->terms.back().factors.empty())
    return node->terms.back().coefficient;
  return Integer(0);
}

std::optional<Integer> Expr::asConstant() const {
  if (!node)
    return Integer(0);
  if (node->terms.size() == 1 && node->terms[0].factors.empty())
    return node->terms[0].coefficient;
  return std::nullopt;
}

std::optional<Atom> Expr::asAtom() const {
  if (!node || node->terms.size() != 1)
    return std::nullopt;
  const Term &term = node->terms[0];
  if (term.factors.size() != 1 || term.factors[0].power != 1 ||
      term.coefficient != 1)
    return std::nullopt;
  return term.factors[0].atom;
}

int Expr::compare(const Expr &a, const Expr &b) {
  if (a.node == b.node)
    return 0;
  ArrayRef<Term> left = a.getTerms(), right = b.getTerms();
  for (auto [x, y] : zip(left, right)) {
    if (int order = Term::compareMonomials(x, y))
      return order;
    if (x.coefficient != y.coefficient)
      return x.coefficient < y.coefficient ? -1 : 1;
  }
  if (left.size() == right.size())
    return 0;
  return left.size() < right.size() ? -1 : 1;
}

static Expr makeNamed(AtomKind kind, StringRef name) {
  size_t hash = hash_combine(static_cast<unsigned>(kind), name);
  return Expr(Atom(
      std::make_shared<const AtomNode>(AtomNode{kind, name.str(), {}, hash})));
}

Expr symbol(StringRef name) { return makeNamed(AtomKind::Symbol, name); }

Expr packProduct(StringRef name) {
  return makeNamed(AtomKind::PackProduct, name);
}

Expr constant(int64_t value) { return constant(Integer(value)); }

Expr constant(const Integer &value) {
  SmallVector<Term> terms{Term{{}, value}};
  return Expr::fromTerms(terms);
}

//===--- Arithmetic -------------------------------------------------------===//

Expr operator+(const Expr &a, const Expr &b) {
  if (a.isZero())
    return b;
  if (b.isZero())
    return a;
  SmallVector<Term> terms(a.getTerms());
  terms.append(b.getTerms().begin(), b.getTerms().end());
  return Expr::fromTerms(terms);
}

Expr scale(const Expr &a, const Integer &factor) {
  SmallVector<Term> terms(a.getTerms());
  for (Term &term : terms)
    term.coefficient *= factor;
  return Expr::fromTerms(terms);
}

Expr operator-(const Expr &a) { return scale(a, Integer(-1)); }
Expr operator-(const Expr &a, const Expr &b) { return a + -b; }

static SmallVector<Factor, 2> multiply(ArrayRef<Factor> a, ArrayRef<Factor> b) {
  SmallVector<Factor, 2> product;
  while (!a.empty() || !b.empty()) {
    int order = a.empty()   ? 1
                : b.empty() ? -1
                            : Atom::compare(a[0].atom, b[0].atom);
    product.push_back(order <= 0 ? a[0] : b[0]);
    if (order == 0)
      product.back().power += b[0].power;
    if (order <= 0)
      a = a.drop_front();
    if (order >= 0)
      b = b.drop_front();
  }
  return product;
}

Expr operator*(const Expr &a, const Expr &b) {
  SmallVector<Term> terms;
  for (const Term &x : a.getTerms())
    for (const Term &y : b.getTerms())
      terms.push_back(
          Term{multiply(x.factors, y.factors), x.coefficient * y.coefficient});
  return Expr::fromTerms(terms);
}

//===--- Traversal --------------------------------------------------------===//

Expr mapAtoms(const Expr &a, function_ref<Expr(const Atom &)> replace) {
  Expr sum;
  for (const Term &term : a.getTerms()) {
    Expr product = constant(term.coefficient);
    for (const Factor &factor : term.factors) {
      Expr value = replace(factor.atom);
      for (unsigned i = 0; i < factor.power; ++i)
        product = product * value;
    }
    sum = sum + product;
  }
  return sum;
}

static Expr rebuild(const Atom &atom, ArrayRef<Expr> operands) {
  switch (atom.getKind()) {
  case AtomKind::Symbol:
  case AtomKind::PackProduct:
    return Expr(atom);
  case AtomKind::Quotient:
    return floorDiv(operands[0], operands[1]);
  case AtomKind::Remainder:
    return mod(operands[0], operands[1]);
  case AtomKind::Min:
    return min(operands);
  case AtomKind::Max:
    return max(operands);
  }
  llvm_unreachable("an atom of no kind");
}

Expr substitute(const Expr &a, const std::map<std::string, Expr> &values) {
  return mapAtoms(a, [&](const Atom &atom) {
    if (atom.isNamed()) {
      auto found = values.find(atom.getKey());
      return found == values.end() ? Expr(atom) : found->second;
    }
    SmallVector<Expr> operands;
    for (const Expr &operand : atom.getOperands())
      operands.push_back(substitute(operand, values));
    return rebuild(atom, operands);
  });
}

void walkAtoms(const Expr &a, function_ref<void(const Atom &)> visit) {
  for (const Term &term : a.getTerms())
    for (const Factor &factor : term.factors) {
      for (const Expr &operand : factor.atom.getOperands())
        walkAtoms(operand, visit);
      visit(factor.atom);
    }
}

void collectSymbols(const Expr &a, std::set<std::string> &names) {
  walkAtoms(a, [&](const Atom &atom) {
    if (atom.isNamed())
      names.insert(atom.getKey());
  });
}

std::optional<Integer> evaluate(const Expr &a, const Assignment &values) {
  Integer sum(0);
  for (const Term &term : a.getTerms()) {
    Integer product = term.coefficient;
    for (const Factor &factor : term.factors) {
      const Atom &atom = factor.atom;
      Integer value;
      if (atom.isNamed()) {
        auto found = values.find(atom.getKey());
        if (found == values.end())
          return std::nullopt;
        value = found->second;
      } else {
        SmallVector<Integer> operands;
        for (const Expr &operand : atom.getOperands()) {
          std::optional<Integer> result = evaluate(operand, values);
          if (!result)
            return std::nullopt;
          operands.push_back(*result);
        }
        if (atom.isDivision()) {
          if (operands[1] <= 0)
            return std::nullopt;
          value = atom.getKind() == AtomKind::Quotient
                      ? floorDiv(operands[0], operands[1])
                      : mod(operands[0], operands[1]);
        } else {
          value = atom.getKind() == AtomKind::Min
                      ? *std::min_element(operands.begin(), operands.end())
                      : *std::max_element(operands.begin(), operands.end());
        }
      }
      for (unsigned i = 0; i < factor.power; ++i)
        product *= value;
    }
    sum += product;
  }
  return sum;
}

} // namespace linnet::dims
