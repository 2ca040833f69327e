// What a mask says about positions: comparisons of affine expressions of axes
// and scalars.

#ifndef LINNET_LOWER_NARROWMASKEDWRITES_POSITIONS_H
#define LINNET_LOWER_NARROWMASKEDWRITES_POSITIONS_H

#include "lib/Lower/TensorBuilder/Size.h"

namespace linnet {

/// Where an element stands along one axis of an operand.
struct Place {
  enum Kind {
    Along,    // at the position of axis `number` of the tensor that we look at
    Constant, // at position `number`
    Bound,    // at every position in turn: the variable `number` of a reduction
  };
  Kind kind;
  int64_t number;
  bool operator==(const Place &other) const {
    return kind == other.kind && number == other.number;
  }
};

/// One element of an integer tensor that nothing more is known of.
struct Cell {
  mlir::Value tensor;
  llvm::SmallVector<Place> places;
  bool operator==(const Cell &other) const {
    return tensor == other.tensor && places == other.places;
  }
};

/// `constant + open + sum(coefficient * place) + sum(coefficient * cell)`
/// modulo `2 ^ width`: the program's integers wrap, so this is all that is
/// known of a sum. `open` is an expression over open sizes, without a constant
/// term.
struct Affine {
  unsigned width = 64;
  int64_t constant = 0;
  dims::Expr open;
  llvm::SmallVector<std::pair<Place, int64_t>> places;
  llvm::SmallVector<std::pair<Cell, int64_t>, 1> cells;

  void add(const Affine &other, int64_t factor);
  void add(int64_t number);
  int64_t coefficientOf(Place place) const;
  bool isConstant() const { return isSize() && open.isZero(); }
  /// Whether it is the same at every place and in every call of one size.
  bool isSize() const { return places.empty() && cells.empty(); }
  /// The value of what `isSize`, before it is wrapped.
  Size asSize() const { return open + dims::constant(constant); }
  /// Whether this is `place` and nothing else.
  bool isJust(Place place) const;
  /// The same without `place`.
  Affine without(Place place) const;
};

/// `lhs == rhs` modulo `2 ^ width`, or `lhs <= rhs` between the wrapped values.
struct Condition {
  Affine lhs, rhs;
  bool isEquality;
};

/// Wherever the mask is true, the position along `axis` is `start` wrapped, or
/// one of the `size - 1` that follow it.
struct Window {
  int64_t axis;
  Size size;
  Affine start;
};

/// Conditions that hold wherever `mask` is true at `places`, or, if `negated`,
/// wherever it is false; a mask that says more than is understood gives fewer
/// conditions. `bounds` receives the extent of each `Bound` variable.
void conditionsOf(mlir::Value mask, llvm::ArrayRef<Place> places, bool negated,
                  llvm::SmallVectorImpl<Condition> &conditions,
                  llvm::SmallVectorImpl<Size> &bounds);

/// The smallest window along each axis that the conditions leave, where it is
/// smaller than the axis; `op` stands in the function whose open sizes the
/// conditions may mention.
llvm::SmallVector<Window, 4> findWindows(llvm::ArrayRef<Condition> conditions,
                                         llvm::ArrayRef<Size> shape,
                                         mlir::Operation *op);

} // namespace linnet

#endif // LINNET_LOWER_NARROWMASKEDWRITES_POSITIONS_H
