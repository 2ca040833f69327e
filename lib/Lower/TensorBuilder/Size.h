// The size of one axis: a number, or an expression over sizes that are open.

#ifndef LINNET_LOWER_TENSORBUILDER_SIZE_H
#define LINNET_LOWER_TENSORBUILDER_SIZE_H

#include "dialect/LinnetDialect.h"

namespace linnet {

/// A dimension in canonical form. Equal means equal at every size that the
/// function can be called at; unequal says only that this is not known.
class Size {
public:
  Size() = default;
  Size(int64_t number) : number(number) {}
  Size(const dims::Expr &expr);

  /// The number, unless the size is open.
  std::optional<int64_t> known() const {
    return open ? std::nullopt : std::optional(number);
  }
  dims::Expr expr() const { return open ? *open : dims::constant(number); }
  DimAttr attr(mlir::MLIRContext *context) const {
    return DimAttr::get(context, expr());
  }

  friend bool operator==(const Size &a, const Size &b) {
    return a.open || b.open ? a.open && b.open && *a.open == *b.open
                            : a.number == b.number;
  }
  friend bool operator!=(const Size &a, const Size &b) { return !(a == b); }
  friend Size operator+(const Size &a, const Size &b) {
    return Size(a.expr() + b.expr());
  }
  friend Size operator-(const Size &a, const Size &b) {
    return Size(a.expr() - b.expr());
  }
  friend Size operator*(const Size &a, const Size &b) {
    return Size(a.expr() * b.expr());
  }

private:
  int64_t number = 0;
  std::optional<dims::Expr> open;
};

using Sizes = llvm::SmallVector<Size>;

/// The least and the greatest value of `size` in the function around `op`, by
/// the ranges of its open sizes (`linnet.ranges`); none where it has no bound
/// that `int64_t` holds.
std::optional<std::pair<int64_t, int64_t>> rangeOf(const Size &size,
                                                   mlir::Operation *op);

} // namespace linnet

#endif // LINNET_LOWER_TENSORBUILDER_SIZE_H
