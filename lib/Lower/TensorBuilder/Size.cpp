// Sizes of axes, and the ranges that the facts of a function leave them.

#include "lib/Lower/TensorBuilder/Size.h"

using namespace mlir;

namespace linnet {

using Range = std::pair<int64_t, int64_t>;

Size::Size(const dims::Expr &expr) {
  std::optional<dims::Integer> value = expr.asConstant();
  if (value && *value >= std::numeric_limits<int64_t>::min() &&
      *value <= std::numeric_limits<int64_t>::max())
    number = static_cast<int64_t>(*value);
  else
    open = expr;
}

// Wide enough for one sum or product of 64-bit numbers.
static std::optional<Range> narrow(__int128 low, __int128 high) {
  if (low < std::numeric_limits<int64_t>::min() ||
      high > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return Range(low, high);
}

static std::optional<Range> multiply(Range a, Range b) {
  __int128 corners[] = {
      __int128(a.first) * b.first, __int128(a.first) * b.second,
      __int128(a.second) * b.first, __int128(a.second) * b.second};
  return narrow(*std::min_element(corners, corners + 4),
                *std::max_element(corners, corners + 4));
}

static std::optional<Range> rangeOf(const dims::Expr &expr,
                                    DictionaryAttr ranges);

static int64_t floorOf(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static std::optional<Range> rangeOf(const dims::Atom &atom,
                                    DictionaryAttr ranges) {
  SmallVector<Range> operands;
  if (!atom.isNamed())
    for (const dims::Expr &operand : atom.getOperands()) {
      std::optional<Range> range = rangeOf(operand, ranges);
      if (!range)
        return std::nullopt;
      operands.push_back(*range);
    }
  switch (atom.getKind()) {
  case dims::AtomKind::Symbol: {
    auto range = ranges ? ranges.getAs<DenseI64ArrayAttr>(atom.getName())
                        : DenseI64ArrayAttr();
    if (!range || range.size() != 2)
      return std::nullopt;
    return Range(range[0], range[1]);
  }
  case dims::AtomKind::Quotient:
    if (operands[1].first <= 0)
      return std::nullopt;
    return Range(std::min(floorOf(operands[0].first, operands[1].first),
                          floorOf(operands[0].first, operands[1].second)),
                 std::max(floorOf(operands[0].second, operands[1].first),
                          floorOf(operands[0].second, operands[1].second)));
  case dims::AtomKind::Remainder:
    if (operands[1].first <= 0)
      return std::nullopt;
    return Range(0, operands[1].second - 1);
  case dims::AtomKind::Min:
  case dims::AtomKind::Max: {
    Range range = operands.front();
    for (Range other : operands)
      range = atom.getKind() == dims::AtomKind::Min
                  ? Range(std::min(range.first, other.first),
                          std::min(range.second, other.second))
                  : Range(std::max(range.first, other.first),
                          std::max(range.second, other.second));
    return range;
  }
  case dims::AtomKind::Group:
    return operands.front();
  case dims::AtomKind::PackProduct:
  case dims::AtomKind::Opaque:
    return std::nullopt;
  }
  llvm_unreachable("all kinds are listed");
}

static std::optional<Range> rangeOf(const dims::Expr &expr,
                                    DictionaryAttr ranges) {
  Range sum(0, 0);
  for (const dims::Term &term : expr.getTerms()) {
    std::optional<int64_t> coefficient =
        Size(dims::constant(term.coefficient)).known();
    if (!coefficient)
      return std::nullopt;
    std::optional<Range> product = Range(*coefficient, *coefficient);
    for (const dims::Factor &factor : term.factors) {
      std::optional<Range> range = rangeOf(factor.atom, ranges);
      for (unsigned i = 0; i < factor.power && product; ++i)
        product = range ? multiply(*product, *range) : std::nullopt;
    }
    if (!product)
      return std::nullopt;
    std::optional<Range> next = narrow(__int128(sum.first) + product->first,
                                       __int128(sum.second) + product->second);
    if (!next)
      return std::nullopt;
    sum = *next;
  }
  return sum;
}

std::optional<Range> rangeOf(const Size &size, Operation *op) {
  if (std::optional<int64_t> number = size.known())
    return Range(*number, *number);
  FuncOp function =
      isa<FuncOp>(op) ? cast<FuncOp>(op) : op->getParentOfType<FuncOp>();
  auto ranges = function
                    ? function->getAttrOfType<DictionaryAttr>("linnet.ranges")
                    : DictionaryAttr();
  return rangeOf(size.expr(), ranges);
}

} // namespace linnet
