// Reads masks and positions back out of tensor ops.
//
// Integers wrap, so an expression is known modulo 2 ^ width only. A position is
// less than half of that, which makes it the wrapped value of whatever it is
// congruent to.

#include "lib/Lower/NarrowMaskedWrites/Positions.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace linnet {

static int64_t wrapped(uint64_t value, unsigned width) {
  return llvm::SignExtend64(value, width);
}

template <typename Key>
static void addTerm(SmallVectorImpl<std::pair<Key, int64_t>> &terms,
                    const Key &key, int64_t coefficient, unsigned width) {
  for (auto it = terms.begin(); it != terms.end(); ++it) {
    if (!(it->first == key))
      continue;
    it->second = wrapped(uint64_t(it->second) + uint64_t(coefficient), width);
    if (it->second == 0)
      terms.erase(it);
    return;
  }
  if (coefficient != 0)
    terms.push_back({key, coefficient});
}

void Affine::add(const Affine &other, int64_t factor) {
  auto times = [&](int64_t value) {
    return wrapped(uint64_t(value) * uint64_t(factor), width);
  };
  add(times(other.constant));
  open = open + dims::scale(other.open, dims::Integer(factor));
  for (const auto &[place, coefficient] : other.places)
    addTerm(places, place, times(coefficient), width);
  for (const auto &[cell, coefficient] : other.cells)
    addTerm(cells, cell, times(coefficient), width);
}

void Affine::add(int64_t number) {
  constant = wrapped(uint64_t(constant) + uint64_t(number), width);
}

int64_t Affine::coefficientOf(Place place) const {
  for (const auto &[key, coefficient] : places)
    if (key == place)
      return coefficient;
  return 0;
}

bool Affine::isJust(Place place) const {
  return constant == 0 && open.isZero() && cells.empty() &&
         places.size() == 1 &&
         places.front() == std::make_pair(place, int64_t(1));
}

Affine Affine::without(Place place) const {
  Affine rest = *this;
  llvm::erase_if(rest.places,
                 [&](const auto &term) { return term.first == place; });
  return rest;
}

/// The places in `op`'s operand that its result reads at `places`; none if the
/// op computes.
static std::optional<std::pair<Value, SmallVector<Place>>>
lookThrough(Operation *op, ArrayRef<Place> places) {
  SmallVector<Place> inner;
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    if (!broadcast.getAxes())
      return std::nullopt;
    Sizes sizes = shapeOf(broadcast.getInput());
    for (auto [size, axis] : llvm::zip(sizes, *broadcast.getAxes()))
      inner.push_back(size == 1 ? Place{Place::Constant, 0} : places[axis]);
    return std::make_pair(broadcast.getInput(), inner);
  }
  if (auto splat = dyn_cast<SplatOp>(op))
    return std::make_pair(splat.getValue(), inner);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    inner.resize(places.size(), Place{Place::Constant, 0});
    for (auto [axis, source] : llvm::enumerate(transpose.getPerm()))
      inner[source] = places[axis];
    return std::make_pair(transpose.getInput(), inner);
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    // Only axes of size one come or go.
    SmallVector<Place> kept;
    Sizes from = shapeOf(reshape.getInput()), to = shapeOf(reshape.getResult());
    for (auto [size, place] : llvm::zip(to, places))
      if (size != 1)
        kept.push_back(place);
    size_t next = 0;
    for (const Size &size : from) {
      if (size == 1) {
        inner.push_back({Place::Constant, 0});
        continue;
      }
      inner.push_back(next < kept.size() ? kept[next]
                                         : Place{Place::Constant, 0});
      ++next;
    }
    auto big = [](const Size &size) { return size != 1; };
    if (llvm::to_vector(llvm::make_filter_range(from, big)) !=
        llvm::to_vector(llvm::make_filter_range(to, big)))
      return std::nullopt;
    return std::make_pair(reshape.getInput(), inner);
  }
  return std::nullopt;
}

/// The element of `tensor` at `places`. Whatever is not understood is a cell,
/// so this always succeeds.
static Affine affineOf(Value tensor, ArrayRef<Place> places) {
  Affine result;
  result.width = elementOf(tensor).getIntOrFloatBitWidth();
  auto opaque = [&] {
    Affine cell;
    cell.width = result.width;
    cell.cells.push_back({Cell{tensor, SmallVector<Place>(places)}, 1});
    return cell;
  };
  Operation *op = tensor.getDefiningOp();
  if (!op || !elementOf(tensor).isSignlessInteger())
    return opaque();
  if (std::optional<int64_t> known = constantInteger(tensor)) {
    result.constant = *known;
    return result;
  }
  if (auto size = dyn_cast<DimConstantOp>(op)) {
    Size value = size.getValue().getValue();
    std::optional<std::pair<int64_t, int64_t>> range = rangeOf(value, op);
    if (!range || range->first < llvm::minIntN(result.width) ||
        range->second > llvm::maxIntN(result.width))
      return opaque();
    dims::Integer number = value.expr().getConstantTerm();
    result.open = value.expr() - dims::constant(number);
    result.constant = static_cast<int64_t>(number);
    return result;
  }
  if (auto iota = dyn_cast<IotaOp>(op)) {
    auto extent = rangeOf(shapeOf(tensor)[iota.getAxis()], op);
    if (!extent || extent->second - 1 > llvm::maxIntN(result.width))
      return opaque(); // positions wrap
    Place place = places[iota.getAxis()];
    if (place.kind == Place::Constant)
      result.add(place.number);
    else
      result.places.push_back({place, 1});
    return result;
  }
  if (auto through = lookThrough(op, places))
    return affineOf(through->first, through->second);
  if (auto cast = dyn_cast<CastOp>(op)) {
    Type from = elementOf(cast.getInput());
    if (!from.isSignlessInteger() || from.isInteger(1))
      return opaque();
    Affine inner = affineOf(cast.getInput(), places);
    if (inner.width == result.width)
      return inner;
    if (inner.width < result.width) {
      // Widened, a sum that may have wrapped is no sum any more.
      bool isCell =
          inner.constant == 0 && inner.open.isZero() && inner.places.empty() &&
          inner.cells.size() == 1 && inner.cells.front().second == 1 &&
          elementOf(inner.cells.front().first.tensor).getIntOrFloatBitWidth() <=
              inner.width;
      bool isPlace = inner.constant == 0 && inner.open.isZero() &&
                     inner.cells.empty() && inner.places.size() == 1 &&
                     inner.places.front().second == 1;
      if (!inner.isConstant() && !isCell && !isPlace)
        return opaque();
    } else if (!inner.places.empty()) {
      return opaque(); // a position may not fit
    }
    result.add(inner, 1);
    return result;
  }
  if (isa<AddOp, SubOp>(op)) {
    result = affineOf(op->getOperand(0), places);
    result.add(affineOf(op->getOperand(1), places), isa<AddOp>(op) ? 1 : -1);
    return result;
  }
  return opaque();
}

/// The predicate that holds where `predicate` does not.
static Predicate negate(Predicate predicate) {
  switch (predicate) {
  case Predicate::Eq:
    return Predicate::Ne;
  case Predicate::Ne:
    return Predicate::Eq;
  case Predicate::Lt:
    return Predicate::Ge;
  case Predicate::Le:
    return Predicate::Gt;
  case Predicate::Gt:
    return Predicate::Le;
  case Predicate::Ge:
    return Predicate::Lt;
  }
  llvm_unreachable("all predicates are listed");
}

/// `low < high` as `low <= high`. Where the mask is true the side that moves by
/// one does not wrap: nothing is below the least value, or above the greatest.
static void addLess(Affine low, Affine high,
                    SmallVectorImpl<Condition> &conditions) {
  if (low.places.empty())
    low.add(1);
  else
    high.add(-1);
  conditions.push_back({low, high, false});
}

static void compareConditions(CompareOp op, ArrayRef<Place> places,
                              bool negated,
                              SmallVectorImpl<Condition> &conditions) {
  if (!elementOf(op.getLhs()).isSignlessInteger() ||
      elementOf(op.getLhs()).isInteger(1))
    return;
  Affine lhs = affineOf(op.getLhs(), places),
         rhs = affineOf(op.getRhs(), places);
  switch (negated ? negate(op.getPredicate()) : op.getPredicate()) {
  case Predicate::Eq:
    conditions.push_back({lhs, rhs, true});
    return;
  case Predicate::Lt:
    addLess(lhs, rhs, conditions);
    return;
  case Predicate::Le:
    conditions.push_back({lhs, rhs, false});
    return;
  case Predicate::Gt:
    addLess(rhs, lhs, conditions);
    return;
  case Predicate::Ge:
    conditions.push_back({rhs, lhs, false});
    return;
  case Predicate::Ne:
    return;
  }
}

void conditionsOf(Value mask, ArrayRef<Place> places, bool negated,
                  SmallVectorImpl<Condition> &conditions,
                  SmallVectorImpl<Size> &bounds) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return;
  if (negated ? isa<OrOp>(op) : isa<AndOp>(op)) {
    conditionsOf(op->getOperand(0), places, negated, conditions, bounds);
    conditionsOf(op->getOperand(1), places, negated, conditions, bounds);
  } else if (isa<NotOp>(op)) {
    conditionsOf(op->getOperand(0), places, !negated, conditions, bounds);
  } else if (auto compare = dyn_cast<CompareOp>(op)) {
    compareConditions(compare, places, negated, conditions);
  } else if (auto through = lookThrough(op, places)) {
    conditionsOf(through->first, through->second, negated, conditions, bounds);
  } else if (auto reduce = dyn_cast<ReduceOp>(op);
             reduce && reduce.getKind() ==
                           (negated ? ReduceKind::All : ReduceKind::Any)) {
    // The conditions hold for some value of the reduced axes.
    SmallVector<Place> inner;
    size_t next = 0;
    for (auto [axis, size] : llvm::enumerate(shapeOf(reduce.getInput()))) {
      if (llvm::is_contained(reduce.getAxes(), static_cast<int64_t>(axis))) {
        inner.push_back({Place::Bound, static_cast<int64_t>(bounds.size())});
        bounds.push_back(size);
      } else {
        inner.push_back(places[next++]);
      }
    }
    conditionsOf(reduce.getInput(), inner, negated, conditions, bounds);
  }
}

namespace {

/// What conditions say of the position along one axis.
class Limits {
public:
  Limits(int64_t axis, const Size &extent, Operation *op)
      : here{Place::Along, axis}, axis(axis), op(op) {
    Affine first, last;
    dims::Integer number = extent.expr().getConstantTerm();
    last.open = extent.expr() - dims::constant(number);
    last.constant = static_cast<int64_t>(number) - 1;
    lows.push_back(first);
    highs.push_back(last);
  }

  void add(const Condition &condition) {
    if (condition.isEquality) {
      Affine difference = condition.lhs;
      difference.add(condition.rhs, -1);
      int64_t coefficient = difference.coefficientOf(here);
      if (coefficient != 1 && coefficient != -1)
        return;
      Affine start = constantLike(difference, 0);
      start.add(difference.without(here), -coefficient);
      keep(1, start);
      return;
    }
    const Affine &low = condition.lhs, &high = condition.rhs;
    if (high.isJust(here) && low.coefficientOf(here) == 0) {
      lows.push_back(low);
    } else if (low.isJust(here) && high.coefficientOf(here) == 0) {
      highs.push_back(high);
    } else if (low.isSize()) {
      residues.push_back({high, low.asSize(), true});
    } else if (high.isSize()) {
      residues.push_back({low, high.asSize(), false});
    }
  }

  std::optional<Window> smallest() {
    for (const Affine &low : lows)
      for (const Affine &high : highs)
        pair(low, high);
    for (const Residue &low : residues)
      for (const Residue &high : residues)
        if (low.isLow && !high.isLow)
          pair(low, high);
    return best;
  }

private:
  /// A bound of the wrapped value of an expression with more than the position.
  struct Residue {
    Affine value;
    Size bound;
    bool isLow;
  };

  static Affine constantLike(const Affine &other, const Size &constant) {
    Affine affine;
    affine.width = other.width;
    dims::Integer number = constant.expr().getConstantTerm();
    affine.open = constant.expr() - dims::constant(number);
    affine.constant = wrapped(static_cast<int64_t>(number), other.width);
    return affine;
  }

  void keep(const Size &size, const Affine &start) {
    // `size` is less wherever the two differ, or, of open ones, at the least.
    auto isLess = [&](const Size &a, const Size &b) {
      auto left = rangeOf(a, op), right = rangeOf(b, op);
      return left && right &&
             (left->second < right->second ||
              (left->second == right->second && left->first < right->first));
    };
    if (!best || isLess(size, best->size))
      best = Window{axis, size, start};
  }

  /// Whether `value` is one of `width` bits at all open sizes, unwrapped.
  bool fits(const Size &value, unsigned width) const {
    auto range = rangeOf(value, op);
    return range && range->first >= llvm::minIntN(width) &&
           range->second <= llvm::maxIntN(width);
  }

  // low <= position <= high, and high - low is known
  void pair(const Affine &low, const Affine &high) {
    if (low.width != high.width && !(low.isConstant() && high.isConstant()))
      return;
    Affine extent = high;
    extent.add(low, -1);
    if (!extent.isSize())
      return;
    // The difference is known modulo 2 ^ width: it is this number where that is
    // less than half of it.
    auto range = rangeOf(extent.asSize(), op);
    if (range && range->first >= 0 && fits(extent.asSize(), extent.width))
      keep(extent.asSize() + 1, low);
  }

  // low <= position + rest <= high, or low <= rest - position <= high
  void pair(const Residue &low, const Residue &high) {
    int64_t coefficient = low.value.coefficientOf(here);
    Affine difference = low.value;
    if (low.value.width != high.value.width ||
        (coefficient != 1 && coefficient != -1))
      return;
    difference.add(high.value, -1);
    Size steps = high.bound - low.bound;
    auto range = rangeOf(steps, op);
    if (!difference.isConstant() || difference.constant != 0 || !range ||
        range->first < 0 || range->second == INT64_MAX ||
        !fits(low.bound, low.value.width) || !fits(high.bound, low.value.width))
      return;
    // position = value - rest, or rest - value
    Affine start = constantLike(low.value, 0);
    start.add(low.value.without(here), -coefficient);
    start.add(
        constantLike(low.value, coefficient == 1 ? low.bound : high.bound),
        coefficient);
    keep(steps + 1, start);
  }

  Place here;
  int64_t axis;
  Operation *op;
  SmallVector<Affine, 2> lows, highs;
  SmallVector<Residue, 2> residues;
  std::optional<Window> best;
};

} // namespace

SmallVector<Window, 4> findWindows(ArrayRef<Condition> conditions,
                                   ArrayRef<Size> shape, Operation *op) {
  SmallVector<Window, 4> windows;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    Limits limits(axis, extent, op);
    for (const Condition &condition : conditions)
      limits.add(condition);
    std::optional<Window> window = limits.smallest();
    if (!window || window->size == extent)
      continue;
    // It must lie within the axis at every size.
    auto rest = rangeOf(extent - window->size, op);
    if (rest && rest->first >= 0)
      windows.push_back(*window);
  }
  return windows;
}

} // namespace linnet
