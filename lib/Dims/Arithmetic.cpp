// Sums and products of polynomials, bounded.
#include "lib/Dims/Budget.h"
#include "lib/Dims/Expr.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

Expr symbol(StringRef name) { return Expr(makeAtom(AtomKind::Symbol, name)); }

Expr packProduct(StringRef name) {
  return Expr(makeAtom(AtomKind::PackProduct, name));
}

Expr opaque(StringRef digest) {
  return Expr(makeAtom(AtomKind::Opaque, digest));
}

Expr constant(int64_t value) { return constant(Integer(value)); }

Expr constant(const Integer &value) {
  SmallVector<Term> terms{Term{{}, value}};
  return Expr::fromTerms(terms);
}

static unsigned getDegree(const Expr &a) {
  return a.isZero() ? 0 : a.getTerms().front().getDegree();
}

/// The same value as one factor, times the number that all terms share: of what
/// differs only in that number, the groups are equal.
static Expr group(const Expr &a) {
  Integer common(0);
  for (const Term &term : a.getTerms())
    common = gcd(common, abs(term.coefficient));
  if (a.getTerms().front().coefficient < 0)
    common = -common;
  SmallVector<Term> terms(a.getTerms());
  for (Term &term : terms)
    term.coefficient /= common;
  return scale(Expr(makeAtom(AtomKind::Group, {Expr::fromTerms(terms)})),
               common);
}

Expr operator+(const Expr &a, const Expr &b) {
  if (a.isZero())
    return b;
  if (b.isZero())
    return a;
  SmallVector<Term> terms(a.getTerms());
  terms.append(b.getTerms().begin(), b.getTerms().end());
  Expr result = Expr::fromTerms(terms);
  if (result.getTerms().size() <= limits::terms)
    return result;
  bool isLeftLarger = a.getTerms().size() >= b.getTerms().size();
  return isLeftLarger ? group(a) + b : a + group(b);
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

static bool hasGroup(const Expr &a) {
  return llvm::any_of(a.getTerms(), [](const Term &term) {
    return llvm::any_of(term.factors, [](const Factor &factor) {
      return factor.atom.getKind() == AtomKind::Group;
    });
  });
}

static Expr distribute(const Expr &a, const Expr &b) {
  SmallVector<Term> terms;
  for (const Term &x : a.getTerms())
    for (const Term &y : b.getTerms())
      terms.push_back(
          Term{multiply(x.factors, y.factors), x.coefficient * y.coefficient});
  return Expr::fromTerms(terms);
}

Expr operator*(const Expr &a, const Expr &b) {
  size_t n = a.getTerms().size(), m = b.getTerms().size();
  unsigned degree = getDegree(a) + getDegree(b);
  Budget::spend(2 * n * m * (1 + degree));
  // Sums beside a group are not multiplied out either: they would copy it.
  bool isGrouped = (m > 1 && hasGroup(a)) || (n > 1 && hasGroup(b));
  bool isSmall = n * m <= limits::products && degree <= limits::degree;
  if (n * m == 0 || (isSmall && !isGrouped)) {
    Expr result = distribute(a, b);
    if (n <= 1 || m <= 1 || result.getTerms().size() <= limits::terms)
      return result;
  }
  if (n > 1 && m > 1)
    return group(a) * group(b);
  // One is a single term, and the larger one becomes a factor of degree 1.
  auto rank = [](const Expr &side) {
    return std::pair(side.getTerms().size(), getDegree(side));
  };
  return rank(a) >= rank(b) ? group(a) * b : a * group(b);
}

Expr sum(ArrayRef<Expr> parts) {
  if (parts.size() == 1)
    return parts[0];
  Expr result;
  SmallVector<Term> terms;
  for (const Expr &part : parts) {
    if (terms.size() + part.getTerms().size() > limits::terms) {
      result = result + Expr::fromTerms(terms);
      terms.clear();
    }
    terms.append(part.getTerms().begin(), part.getTerms().end());
  }
  return result + Expr::fromTerms(terms);
}

Expr power(const Expr &a, unsigned exponent) {
  Expr result = a;
  for (unsigned i = 1; i < exponent; ++i)
    result = result * a;
  return result;
}

} // namespace linnet::dims
