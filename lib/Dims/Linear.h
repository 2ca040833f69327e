// Linear reasoning over monomials: the innermost step of the prover.
#ifndef LINNET_LIB_DIMS_LINEAR_H
#define LINNET_LIB_DIMS_LINEAR_H

#include "lib/Dims/Expr.h"

namespace linnet::dims {

/// Polynomials over named atoms that all hold at once.
struct Pool {
  /// Each is 0.
  llvm::SmallVector<Expr> equalities;
  /// Each is at least 0.
  llvm::SmallVector<Expr> inequalities;
};

enum class Effort : uint8_t {
  /// Every monomial is a variable of its own.
  Linear,
  /// Constraints are also multiplied by non-negative monomials [P4].
  Products
};

/// Whether no integers satisfy the pool, as far as can be derived. The first
/// `goals` inequalities belong to the claim; products start from them.
/// `isNonNegative` says which atoms are known to be at least 0.
bool isInfeasible(const Pool &pool, size_t goals, Effort effort,
                  llvm::function_ref<bool(const Atom &)> isNonNegative);

/// The greatest monomial, with a positive coefficient, that divides all terms
/// of both; 0 if both are 0.
Expr commonFactor(const Expr &a, const Expr &b);

/// a = divisor * quotient + rest. The rest holds no multiple of the leading
/// term of the divisor; for a constant divisor c, its coefficients are in
/// [0, c). The divisor must not be 0.
struct Quotient {
  Expr quotient, rest;
};
Quotient dividePolynomial(const Expr &a, const Expr &divisor);

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_LINEAR_H
