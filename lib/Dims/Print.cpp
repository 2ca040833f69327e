// Expressions and constraints as text.
#include "lib/Dims/Constraint.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

static void printAtom(raw_ostream &os, const Atom &atom);
static void printSum(raw_ostream &os, const Expr &a);

/// Whether the text of `a` is one operand of a product wherever it stands.
static bool isPrimary(const Expr &a) {
  if (std::optional<Integer> value = a.asConstant())
    return *value >= 0;
  std::optional<Atom> atom = a.asAtom();
  return atom && !atom->isDivision();
}

static void printPrimary(raw_ostream &os, const Expr &a) {
  if (isPrimary(a)) {
    printSum(os, a);
    return;
  }
  os << '(';
  printSum(os, a);
  os << ')';
}

/// Minima and maxima of more than two operands nest, as the language has only
/// the binary ones.
static void printExtremum(raw_ostream &os, StringRef name,
                          ArrayRef<Expr> operands) {
  for (const Expr &operand : operands.drop_back()) {
    os << name << '(';
    printSum(os, operand);
    os << ", ";
  }
  printSum(os, operands.back());
  for (size_t i = 1; i < operands.size(); ++i)
    os << ')';
}

static void printAtom(raw_ostream &os, const Atom &atom) {
  switch (atom.getKind()) {
  case AtomKind::Symbol:
    os << atom.getName();
    return;
  case AtomKind::PackProduct:
    os << "prod(*" << atom.getName() << ')';
    return;
  case AtomKind::Min:
    printExtremum(os, "min", atom.getOperands());
    return;
  case AtomKind::Max:
    printExtremum(os, "max", atom.getOperands());
    return;
  case AtomKind::Group:
    os << '(';
    printSum(os, atom.getOperands()[0]);
    os << ')';
    return;
  case AtomKind::Opaque:
    os << "huge(" << atom.getName() << ')';
    return;
  case AtomKind::Quotient:
  case AtomKind::Remainder:
    break;
  }
  // `*`, `/` and `%` bind alike and to the left, so a product needs no
  // parentheses as numerator.
  const Expr &numerator = atom.getOperands()[0];
  if (numerator.getTerms().size() <= 1)
    printSum(os, numerator);
  else
    printPrimary(os, numerator);
  os << (atom.getKind() == AtomKind::Quotient ? " / " : " % ");
  printPrimary(os, atom.getOperands()[1]);
}

/// A term without its sign.
static void printTerm(raw_ostream &os, const Term &term, bool isNegated) {
  Integer size = abs(term.coefficient);
  if (term.factors.empty()) {
    os << size;
    return;
  }
  bool isFirst = true;
  auto separate = [&] {
    if (!isFirst)
      os << " * ";
    isFirst = false;
  };
  if (size != 1) {
    separate();
    os << size;
  }
  bool isAlone = size == 1 && !isNegated && term.getDegree() == 1;
  for (const Factor &factor : term.factors)
    for (unsigned i = 0; i < factor.power; ++i) {
      separate();
      if (isAlone)
        printAtom(os, factor.atom);
      else
        printPrimary(os, Expr(factor.atom));
    }
}

static void printSum(raw_ostream &os, const Expr &a) {
  if (a.isZero()) {
    os << '0';
    return;
  }
  // Positive terms first: `N - M` and `D - 1`, never `-M + N`.
  bool isFirst = true;
  for (bool wantsNegative : {false, true})
    for (const Term &term : a.getTerms()) {
      if ((term.coefficient < 0) != wantsNegative)
        continue;
      if (isFirst)
        os << (wantsNegative ? "-" : "");
      else
        os << (wantsNegative ? " - " : " + ");
      // Unary minus binds tighter than `/`.
      printTerm(os, term, isFirst && wantsNegative);
      isFirst = false;
    }
}

raw_ostream &operator<<(raw_ostream &os, const Expr &a) {
  printSum(os, a);
  return os;
}

raw_ostream &operator<<(raw_ostream &os, const Constraint &a) {
  return os << a.lhs << ' ' << spell(a.relation) << ' ' << a.rhs;
}

std::string toString(const Expr &a) {
  std::string text;
  raw_string_ostream(text) << a;
  return text;
}

std::string toString(const Constraint &a) {
  std::string text;
  raw_string_ostream(text) << a;
  return text;
}

} // namespace linnet::dims
