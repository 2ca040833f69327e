// Dimension expressions: what a tensor type says about the length of one axis.
//
// An `Expr` is an immutable value in canonical form: an integer polynomial over
// atoms (symbols, pack products, floor quotients, remainders, minima, maxima).
// Two expressions are equal exactly when their canonical forms are. The form
// uses no facts: it only applies identities that hold for every assignment
// under which the expression has a meaning, so `(8 * D) / 8` is `D`, while
// `(N * D) / N` stays, because `N` may be 0 [DIM-5]. Integers never overflow.
//
// The form is bounded (`limits` below): a sum or product that would grow past
// the bound keeps its larger side as one `Group`, which has the same value but
// is not multiplied out. What is too large even so becomes `Opaque`, which has
// no value and equals only what was built in the same way. So no operation here
// takes more than some milliseconds, and none recurses deeply.
#ifndef LINNET_LIB_DIMS_EXPR_H
#define LINNET_LIB_DIMS_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace linnet::dims {

using Integer = llvm::DynamicAPInt;

/// What an atom is. The order is the order in which factors print.
enum class AtomKind : uint8_t {
  Symbol,      // N
  PackProduct, // prod(*S), one opaque non-negative factor
  Quotient,    // a / b, the floor
  Remainder,   // a % b
  Min,         // min(a, b, ...)
  Max,         // max(a, b, ...)
  Group,       // (a + b), a sum kept as one factor
  Opaque       // huge(1f...), nothing is known of it
};

/// The sizes up to which an expression is kept in its plain form.
namespace limits {
constexpr size_t terms = 256;     // of one polynomial
constexpr size_t products = 2048; // pairs of terms, before like ones are merged
constexpr unsigned degree = 64;   // of one term
constexpr unsigned operands = 16; // of one minimum or maximum
constexpr unsigned bits = 256;    // of a coefficient
constexpr size_t nodes = 1 << 15; // of the whole tree
constexpr unsigned depth = 128;   // of the whole tree
} // namespace limits

struct AtomNode;
struct ExprNode;
struct Factor;
struct Term;
class Expr;

/// One indivisible part of a polynomial.
class Atom {
public:
  explicit Atom(std::shared_ptr<const AtomNode> node) : node(std::move(node)) {}
  AtomKind getKind() const;
  /// The name of a symbol or of a pack (without its star), or the digest that
  /// an opaque expression is known by.
  llvm::StringRef getName() const;
  /// Numerator and divisor, the operands of a minimum or maximum, or the sum of
  /// a group.
  llvm::ArrayRef<Expr> getOperands() const;
  /// The name in assignments: `N` for a symbol, `*S` for a pack product.
  std::string getKey() const;
  bool isNamed() const { return getKind() <= AtomKind::PackProduct; }
  bool isDivision() const {
    return getKind() == AtomKind::Quotient || getKind() == AtomKind::Remainder;
  }
  size_t getHash() const;
  /// Nodes and levels of the tree, with what stands in several places counted
  /// in each.
  size_t getSize() const;
  unsigned getDepth() const;
  /// A total order that depends on the text alone.
  static int compare(const Atom &a, const Atom &b);

private:
  std::shared_ptr<const AtomNode> node;
};

class Expr {
public:
  /// The constant 0.
  Expr() = default;
  /// The polynomial of one atom.
  explicit Expr(const Atom &atom);

  /// The terms, highest degree first; none for 0. No coefficient is 0.
  llvm::ArrayRef<Term> getTerms() const;
  std::optional<Integer> asConstant() const;
  /// The constant term.
  Integer getConstantTerm() const;
  /// The atom, if the expression is just that.
  std::optional<Atom> asAtom() const;
  bool isZero() const { return !node; }
  size_t getHash() const;
  size_t getSize() const;
  unsigned getDepth() const;

  /// The polynomial with these terms, in any order and with repetitions.
  static Expr fromTerms(llvm::SmallVectorImpl<Term> &terms);
  static int compare(const Expr &a, const Expr &b);

private:
  explicit Expr(std::shared_ptr<const ExprNode> node) : node(std::move(node)) {}
  std::shared_ptr<const ExprNode> node;
};

struct Factor {
  Atom atom;
  unsigned power;
};

/// `coefficient` times the factors, which are sorted and distinct.
struct Term {
  llvm::SmallVector<Factor, 2> factors;
  Integer coefficient;

  unsigned getDegree() const;
  /// Orders by degree, highest first, then by factors; ignores coefficients.
  static int compareMonomials(const Term &a, const Term &b);
  /// The monomial alone.
  Expr getMonomial() const;
};

struct AtomNode {
  AtomKind kind;
  std::string name;
  std::vector<Expr> operands;
  size_t hash, size;
  unsigned depth;
};

struct ExprNode {
  std::vector<Term> terms;
  size_t hash, size;
  unsigned depth;
};

/// The atom of these operands, as they stand.
Atom makeAtom(AtomKind kind, llvm::ArrayRef<Expr> operands);
Atom makeAtom(AtomKind kind, llvm::StringRef name);

Expr constant(int64_t value);
Expr constant(const Integer &value);
Expr symbol(llvm::StringRef name);
/// The product of the pack `*name`.
Expr packProduct(llvm::StringRef name);
/// An expression of which nothing but `digest` is known.
Expr opaque(llvm::StringRef digest);
/// Whether a part of it is opaque, so that it has no value anywhere.
bool isOpaque(const Expr &a);

Expr operator+(const Expr &a, const Expr &b);
Expr operator-(const Expr &a, const Expr &b);
Expr operator-(const Expr &a);
Expr operator*(const Expr &a, const Expr &b);
Expr scale(const Expr &a, const Integer &factor);
Expr sum(llvm::ArrayRef<Expr> parts);
Expr power(const Expr &a, unsigned exponent);
/// The floor quotient [DIM-2]. Means nothing where `b` is not positive.
Expr floorDiv(const Expr &a, const Expr &b);
/// The remainder of the floor quotient.
Expr mod(const Expr &a, const Expr &b);
Expr min(const Expr &a, const Expr &b);
Expr max(const Expr &a, const Expr &b);
Expr min(llvm::ArrayRef<Expr> operands);
Expr max(llvm::ArrayRef<Expr> operands);

/// Whether both have the same canonical form; what is equal only under facts
/// is a question for the prover.
inline bool operator==(const Expr &a, const Expr &b) {
  return a.getHash() == b.getHash() && Expr::compare(a, b) == 0;
}
inline bool operator!=(const Expr &a, const Expr &b) { return !(a == b); }
inline bool operator<(const Expr &a, const Expr &b) {
  return Expr::compare(a, b) < 0;
}
inline bool operator==(const Atom &a, const Atom &b) {
  return a.getHash() == b.getHash() && Atom::compare(a, b) == 0;
}
inline bool operator<(const Atom &a, const Atom &b) {
  return Atom::compare(a, b) < 0;
}
inline llvm::hash_code hash_value(const Expr &a) { return a.getHash(); }

/// Prints as a user would write it, with as few parentheses as the grammar
/// allows; `parseExpr` reads it back to an equal expression.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Expr &a);
std::string toString(const Expr &a);

/// Reads an expression from the whole text. On failure gives nothing and says
/// why in `error`.
std::optional<Expr> parseExpr(llvm::StringRef text, std::string &error);

/// Values of symbols (`N`) and pack products (`*S`).
using Assignment = std::map<std::string, Integer>;

/// The value, or nothing where a name has none, a divisor is not positive, or a
/// number on the way has more than a thousand bits.
std::optional<Integer> evaluate(const Expr &a, const Assignment &values);

/// Replaces symbols (`N`) and pack products (`*S`) by expressions.
Expr substitute(const Expr &a, const std::map<std::string, Expr> &values);

/// Rebuilds the expression with every atom replaced; `replace` is given atoms
/// as they stand and decides itself about their operands.
Expr mapAtoms(const Expr &a, llvm::function_ref<Expr(const Atom &)> replace);

/// Adds the names of symbols (`N`) and pack products (`*S`) to `names`.
void collectSymbols(const Expr &a, std::set<std::string> &names);

/// Calls `visit` on every atom, the atoms of its operands first.
void walkAtoms(const Expr &a, llvm::function_ref<void(const Atom &)> visit);

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_EXPR_H
