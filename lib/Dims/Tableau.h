// Linear constraints over the rationals, and whether they can hold at once.
#ifndef LINNET_LIB_DIMS_TABLEAU_H
#define LINNET_LIB_DIMS_TABLEAU_H

#include "lib/Dims/Expr.h"

namespace linnet::dims {

/// A simplex tableau of exact fractions. Constraints are added one by one; each
/// is a row of coefficients of the variables and, last, a constant.
///
/// Pivots follow Bland's rule, so no sequence of them repeats, and each counts
/// against the `Budget`: once that is used up, nothing is called empty.
class Tableau {
public:
  using Row = llvm::SmallVector<Integer>;

  /// `isNonNegative` says which variables are at least 0.
  explicit Tableau(llvm::ArrayRef<bool> isNonNegative);

  /// Adds `row == 0`. All equalities come before the first inequality.
  void addEquality(llvm::ArrayRef<Integer> row);
  /// Adds `row >= 0`.
  void addInequality(llvm::ArrayRef<Integer> row);
  /// Whether no rational values satisfy all constraints. Stays so.
  bool isEmpty() {
    settle();
    return empty;
  }

  struct Fraction {
    unsigned variable;
    Integer below;
  };
  /// A variable that is not an integer in the solution at hand, and the integer
  /// below its value.
  std::optional<Fraction> findFraction() const;

private:
  /// basic * denominator == constant + sum of coefficients * nonbasic
  struct Line {
    /// The variable that the row stands for: below `variables` one of the
    /// caller, above it a slack.
    unsigned name;
    bool isRestricted;
    Integer denominator, constant;
    Row coefficients;
  };

  Line express(llvm::ArrayRef<Integer> row, unsigned name) const;
  void pivot(size_t line, size_t column);
  void dropColumn(size_t column);
  void restore(size_t line);
  void settle();
  void reduce(Line &line) const;

  unsigned variables, names;
  std::vector<Line> lines;
  /// The nonbasic variables, and whether each is at least 0.
  llvm::SmallVector<unsigned> columns;
  llvm::SmallVector<bool> isRestricted;
  /// Of a variable: whether it is basic, and in which line or column.
  llvm::SmallVector<std::pair<bool, size_t>> places;
  bool empty = false;
};

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_TABLEAU_H
