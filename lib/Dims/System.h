// The prover's working state: facts as polynomials over named atoms alone.
//
// Quotients, minima and maxima that the facts do not resolve become fresh
// symbols (`$0`, `$1`, ...), each with its definition; remainders become
// a - b * (a / b). Equalities that determine a symbol are solved for it, so
// that `H % N == 0` turns H into N * $0 everywhere [P2, P5].
#ifndef LINNET_LIB_DIMS_SYSTEM_H
#define LINNET_LIB_DIMS_SYSTEM_H

#include "lib/Dims/Constraint.h"
#include "lib/Dims/Linear.h"

namespace linnet::dims {

/// quotient == numerator / divisor. Its bounds count only once the divisor is
/// proven positive.
struct Division {
  Expr quotient, numerator, divisor;
  bool isPositive = false;
  /// Whether the facts have expressed the quotient by other symbols.
  bool isResolved = false;
};

/// value == min or max of the operands.
struct Extremum {
  Expr value;
  bool isMin;
  llvm::SmallVector<Expr> operands;
};

class System {
public:
  /// Adds a fact. Every satisfying assignment gives its divisors positive
  /// values, but only proven divisors are used as such [DIM-5].
  void assume(const Constraint &fact);
  /// Draws the consequences of all facts for the divisions, to a fixpoint or
  /// a bounded number of rounds. Starts from the division number `first`.
  void settle(size_t first = 0);
  size_t getDivisionCount() const { return divisions.size(); }

  /// The same value wherever the facts hold, over named atoms alone.
  Expr purify(const Expr &expr);

  /// Proves `expr >= 0`, and adds nothing.
  bool isNonNegative(const Expr &expr, Effort effort) const;
  bool isPositive(const Expr &expr, Effort effort) const {
    return isNonNegative(expr - constant(1), effort);
  }
  bool isZero(const Expr &expr, Effort effort) const;
  bool isNonZero(const Expr &expr, Effort effort) const;
  bool isContradictory(Effort effort) const;

  /// Adds `expr >= 0` to what holds.
  void addInequality(const Expr &expr);
  void addEquality(const Expr &expr);

private:
  void addInequation(const Expr &expr);
  bool trySolve(const Expr &expr);
  void replaceSymbol(const std::string &name, const Expr &value);
  Expr applySolved(const Expr &expr) const;
  Expr makeFresh();
  Expr purify(const Atom &atom);
  Expr makeGroup(const Expr &sum);
  Expr makeOpaque(const Atom &atom);
  Expr makeQuotient(const Expr &numerator, const Expr &divisor);
  Expr divide(const Expr &numerator, const Expr &divisor);
  Expr makeExtremum(bool isMin, llvm::ArrayRef<Expr> operands);
  bool settleDivision(size_t index);
  bool isNonNegativeAtom(const Atom &atom) const;
  bool isPositiveMonomialSum(const Expr &expr) const;
  bool isTriviallyNonNegative(const Expr &expr) const;
  bool isExact(const Division &division) const;
  /// Whether `goals`, each >= 0, contradict the facts.
  bool refutes(llvm::ArrayRef<Expr> goals, Effort effort) const;
  bool refutes(Pool &pool, size_t goals,
               llvm::ArrayRef<llvm::SmallVector<Expr>> splits,
               Effort effort) const;
  Pool
  collectRelevant(llvm::ArrayRef<Expr> goals,
                  llvm::SmallVectorImpl<llvm::SmallVector<Expr>> &splits) const;

  llvm::SmallVector<Expr> equalities, inequalities, inequations;
  std::map<std::string, Expr> solved;
  llvm::SmallVector<Division> divisions;
  llvm::SmallVector<Extremum> extrema;
  /// The names of sums that are too large to be multiplied out.
  llvm::SmallVector<std::pair<Expr, Expr>> groups;
  std::set<std::string> nonNegativeFresh;
  unsigned freshCount = 0;
  bool contradictory = false;
};

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_SYSTEM_H
