// What a mask says about positions: comparisons of affine expressions of axes
// and scalars.

#ifndef LINNET_LOWER_NARROWMASKEDWRITES_POSITIONS_H
#define LINNET_LOWER_NARROWMASKEDWRITES_POSITIONS_H

#include "dialect/LinnetDialect.h"

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

/// `constant + sum(coefficient * place) + sum(coefficient * cell)`.
struct Affine {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<Place, int64_t>> places;
  llvm::SmallVector<std::pair<Cell, int64_t>> cells;

  void add(const Affine &other, int64_t factor);
  int64_t coefficientOf(Place place) const;
  bool isConstant() const { return places.empty() && cells.empty(); }
};

/// The element of `tensor` at `places` as an affine expression. Whatever is not
/// understood is a cell, so this always succeeds.
Affine affineOf(mlir::Value tensor, llvm::ArrayRef<Place> places);

/// `difference >= 0`, or `difference == 0`.
struct Condition {
  Affine difference;
  bool isEquality;
};

/// Conditions that hold wherever `mask` is true at `places`; a mask that says
/// more than is understood gives fewer conditions. `bounds` receives the extent
/// of each `Bound` variable.
void conditionsOf(mlir::Value mask, llvm::ArrayRef<Place> places,
                  llvm::SmallVectorImpl<Condition> &conditions,
                  llvm::SmallVectorImpl<int64_t> &bounds);

} // namespace linnet

#endif // LINNET_LOWER_NARROWMASKEDWRITES_POSITIONS_H
