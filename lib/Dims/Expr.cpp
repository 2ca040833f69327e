// Polynomials over atoms: order and traversal.
#include "lib/Dims/Expr.h"
#include "lib/Dims/Budget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace llvm;

namespace linnet::dims {

//===--- Atoms ------------------------------------------------------------===//

AtomKind Atom::getKind() const { return node->kind; }
StringRef Atom::getName() const { return node->name; }
ArrayRef<Expr> Atom::getOperands() const { return node->operands; }
size_t Atom::getHash() const { return node->hash; }
size_t Atom::getSize() const { return node->size; }
unsigned Atom::getDepth() const { return node->depth; }

Atom makeAtom(AtomKind kind, ArrayRef<Expr> operands) {
  hash_code hash = hash_combine(static_cast<unsigned>(kind));
  size_t size = 1;
  unsigned depth = 0;
  for (const Expr &operand : operands) {
    hash = hash_combine(hash, operand.getHash());
    size += operand.getSize();
    depth = std::max(depth, operand.getDepth());
  }
  return Atom(std::make_shared<const AtomNode>(
      AtomNode{kind, "", std::vector<Expr>(operands.begin(), operands.end()),
               static_cast<size_t>(hash), size, depth + 1}));
}

Atom makeAtom(AtomKind kind, StringRef name) {
  size_t hash = hash_combine(static_cast<unsigned>(kind), name);
  return Atom(std::make_shared<const AtomNode>(
      AtomNode{kind, name.str(), {}, hash, 1, 0}));
}

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

/// Whether a coefficient fits the bound on digits. An integer whose value is
/// small is stored so, whatever it was computed from: hashes depend on it.
static bool normalise(Integer &value) {
  if (value >= INT64_MIN && value <= INT64_MAX) {
    value = Integer(static_cast<int64_t>(value));
    return true;
  }
  static const Integer bound(
      APInt::getOneBitSet(limits::bits + 2, limits::bits));
  return value < bound && -value < bound;
}

/// Equal integers hash alike: the library's own hash of a long one depends on
/// the width that it happens to have.
static hash_code hashValue(const Integer &value) {
  if (value >= INT64_MIN && value <= INT64_MAX)
    return llvm::hash_value(static_cast<int64_t>(value));
  std::string text;
  raw_string_ostream(text) << value;
  return llvm::hash_value(text);
}

Expr Expr::fromTerms(SmallVectorImpl<Term> &terms) {
  Budget::spend(4 * terms.size());
  auto isBefore = [](const Term &a, const Term &b) {
    return Term::compareMonomials(a, b) < 0;
  };
  // Of a sum, both parts are sorted already.
  auto second = std::is_sorted_until(terms.begin(), terms.end(), isBefore);
  if (std::is_sorted(second, terms.end(), isBefore))
    std::inplace_merge(terms.begin(), second, terms.end(), isBefore);
  else
    llvm::sort(terms, isBefore);
  std::vector<Term> merged;
  merged.reserve(terms.size());
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
  size_t size = 0;
  unsigned depth = 0;
  bool isBounded = true;
  for (Term &term : merged) {
    isBounded &= normalise(term.coefficient);
    hash = hash_combine(hash, hashValue(term.coefficient));
    ++size;
    for (const Factor &factor : term.factors) {
      hash = hash_combine(hash, factor.atom.getHash(), factor.power);
      size += factor.power * factor.atom.getSize();
      depth = std::max(depth, factor.atom.getDepth());
    }
  }
  Expr result(std::make_shared<const ExprNode>(
      ExprNode{std::move(merged), static_cast<size_t>(hash), size, depth}));
  if (isBounded && size <= limits::nodes && depth <= limits::depth)
    return result;
  // Known by its text alone from here on.
  BLAKE3 hasher;
  hasher.update(toString(result));
  return opaque(toHex(hasher.final<16>(), /*LowerCase=*/true));
}

Expr::Expr(const Atom &atom) {
  SmallVector<Term> terms{Term{{Factor{atom, 1}}, Integer(1)}};
  *this = fromTerms(terms);
}

ArrayRef<Term> Expr::getTerms() const {
  return node ? ArrayRef<Term>(node->terms) : ArrayRef<Term>();
}

size_t Expr::getHash() const { return node ? node->hash : 0; }
size_t Expr::getSize() const { return node ? node->size : 0; }
unsigned Expr::getDepth() const { return node ? node->depth : 0; }

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

//===--- Traversal --------------------------------------------------------===//

Expr mapAtoms(const Expr &a, function_ref<Expr(const Atom &)> replace) {
  SmallVector<Expr> parts;
  for (const Term &term : a.getTerms()) {
    Expr product = constant(term.coefficient);
    for (const Factor &factor : term.factors)
      product = product * power(replace(factor.atom), factor.power);
    parts.push_back(product);
  }
  return sum(parts);
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
  case AtomKind::Group:
    return operands[0];
  case AtomKind::Opaque:
    break;
  }
  llvm_unreachable("an atom of no kind, or without operands");
}

/// What becomes of an opaque expression: another one, known by what was done.
static Expr substituteOpaque(const Atom &atom,
                             const std::map<std::string, Expr> &values) {
  if (values.empty())
    return Expr(atom);
  BLAKE3 hasher;
  hasher.update(atom.getName());
  for (const auto &[name, value] : values)
    hasher.update(";" + name + "=" + toString(value));
  return opaque(toHex(hasher.final<16>(), /*LowerCase=*/true));
}

Expr substitute(const Expr &a, const std::map<std::string, Expr> &values) {
  return mapAtoms(a, [&](const Atom &atom) {
    if (atom.isNamed()) {
      auto found = values.find(atom.getKey());
      return found == values.end() ? Expr(atom) : found->second;
    }
    if (atom.getKind() == AtomKind::Opaque)
      return substituteOpaque(atom, values);
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

bool isOpaque(const Expr &a) {
  bool found = false;
  walkAtoms(a, [&](const Atom &atom) {
    found |= atom.getKind() == AtomKind::Opaque;
  });
  return found;
}

//===--- Values -----------------------------------------------------------===//

static std::optional<Integer> evaluate(const Atom &atom,
                                       const Assignment &values) {
  if (atom.isNamed()) {
    auto found = values.find(atom.getKey());
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  SmallVector<Integer> operands;
  for (const Expr &operand : atom.getOperands()) {
    std::optional<Integer> result = evaluate(operand, values);
    if (!result)
      return std::nullopt;
    operands.push_back(*result);
  }
  switch (atom.getKind()) {
  case AtomKind::Quotient:
  case AtomKind::Remainder:
    if (operands[1] <= 0)
      return std::nullopt;
    return atom.getKind() == AtomKind::Quotient
               ? floorDiv(operands[0], operands[1])
               : mod(operands[0], operands[1]);
  case AtomKind::Min:
    return *std::min_element(operands.begin(), operands.end());
  case AtomKind::Max:
    return *std::max_element(operands.begin(), operands.end());
  case AtomKind::Group:
    return operands[0];
  case AtomKind::Opaque:
    return std::nullopt;
  case AtomKind::Symbol:
  case AtomKind::PackProduct:
    break;
  }
  llvm_unreachable("a named atom was handled above");
}

/// Whether a number is too long to compute with.
static bool isExcessive(const Integer &value) {
  if (value <= INT64_MAX && value >= INT64_MIN)
    return false;
  Budget::spend(20);
  static const Integer bound(APInt::getOneBitSet(1100, 1024));
  return value >= bound || -value >= bound;
}

std::optional<Integer> evaluate(const Expr &a, const Assignment &values) {
  Integer sum(0);
  Budget::spend(4 * a.getTerms().size());
  for (const Term &term : a.getTerms()) {
    Integer product = term.coefficient;
    Budget::spend(8 * term.factors.size());
    for (const Factor &factor : term.factors) {
      std::optional<Integer> value = evaluate(factor.atom, values);
      if (!value)
        return std::nullopt;
      for (unsigned i = 0; i < factor.power; ++i) {
        product *= *value;
        if (isExcessive(product))
          return std::nullopt;
      }
    }
    sum += product;
  }
  return sum;
}

} // namespace linnet::dims
