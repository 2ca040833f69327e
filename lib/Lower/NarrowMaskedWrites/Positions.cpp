// Reads masks and positions back out of tensor ops.
//
// Integers here are unbounded while the program's wrap; the sources that matter
// compare positions far from the ends of their type, and a position that wraps
// is outside of any cache.

#include "lib/Lower/NarrowMaskedWrites/Positions.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

using namespace mlir;

namespace linnet {

template <typename Key>
static void addTerm(SmallVectorImpl<std::pair<Key, int64_t>> &terms,
                    const Key &key, int64_t coefficient) {
  for (auto it = terms.begin(); it != terms.end(); ++it) {
    if (!(it->first == key))
      continue;
    it->second += coefficient;
    if (it->second == 0)
      terms.erase(it);
    return;
  }
  if (coefficient != 0)
    terms.push_back({key, coefficient});
}

void Affine::add(const Affine &other, int64_t factor) {
  constant += factor * other.constant;
  for (const auto &[place, coefficient] : other.places)
    addTerm(places, place, factor * coefficient);
  for (const auto &[cell, coefficient] : other.cells)
    addTerm(cells, cell, factor * coefficient);
}

int64_t Affine::coefficientOf(Place place) const {
  for (const auto &[key, coefficient] : places)
    if (key == place)
      return coefficient;
  return 0;
}

/// The places in `op`'s operand that its result reads at `places`; none if the
/// op computes.
static std::optional<std::pair<Value, SmallVector<Place>>>
lookThrough(Operation *op, ArrayRef<Place> places) {
  SmallVector<Place> inner;
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    if (!broadcast.getAxes())
      return std::nullopt;
    SmallVector<int64_t> sizes = shapeOf(broadcast.getInput());
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
    SmallVector<int64_t> from = shapeOf(reshape.getInput()),
                         to = shapeOf(reshape.getResult());
    for (auto [size, place] : llvm::zip(to, places))
      if (size != 1)
        kept.push_back(place);
    size_t next = 0;
    for (int64_t size : from) {
      if (size == 1) {
        inner.push_back({Place::Constant, 0});
        continue;
      }
      inner.push_back(next < kept.size() ? kept[next]
                                         : Place{Place::Constant, 0});
      ++next;
    }
    auto big = [](int64_t size) { return size != 1; };
    if (llvm::to_vector(llvm::make_filter_range(from, big)) !=
        llvm::to_vector(llvm::make_filter_range(to, big)))
      return std::nullopt;
    return std::make_pair(reshape.getInput(), inner);
  }
  return std::nullopt;
}

Affine affineOf(Value tensor, ArrayRef<Place> places) {
  Affine result;
  auto opaque = [&] {
    Affine cell;
    cell.cells.push_back({Cell{tensor, SmallVector<Place>(places)}, 1});
    return cell;
  };
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return opaque();
  if (std::optional<int64_t> known = constantInteger(tensor)) {
    result.constant = *known;
    return result;
  }
  if (auto iota = dyn_cast<IotaOp>(op)) {
    Place place = places[iota.getAxis()];
    if (place.kind == Place::Constant)
      result.constant = place.number;
    else
      result.places.push_back({place, 1});
    return result;
  }
  if (auto through = lookThrough(op, places))
    return affineOf(through->first, through->second);
  if (auto cast = dyn_cast<CastOp>(op)) {
    Type from = elementOf(cast.getInput()), to = elementOf(tensor);
    if (from.isSignlessInteger() && to.isSignlessInteger() &&
        !from.isInteger(1) &&
        from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth())
      return affineOf(cast.getInput(), places);
    return opaque();
  }
  if (!elementOf(tensor).isSignlessInteger())
    return opaque();
  if (isa<AddOp, SubOp>(op)) {
    result = affineOf(op->getOperand(0), places);
    result.add(affineOf(op->getOperand(1), places), isa<AddOp>(op) ? 1 : -1);
    return result;
  }
  return opaque();
}

static void compareConditions(CompareOp op, ArrayRef<Place> places,
                              SmallVectorImpl<Condition> &conditions) {
  if (!elementOf(op.getLhs()).isSignlessInteger() ||
      elementOf(op.getLhs()).isInteger(1))
    return;
  Affine lhs = affineOf(op.getLhs(), places),
         rhs = affineOf(op.getRhs(), places);
  Affine rise = rhs, fall = lhs;
  rise.add(lhs, -1); // rhs - lhs
  fall.add(rhs, -1); // lhs - rhs
  switch (op.getPredicate()) {
  case Predicate::Eq:
    conditions.push_back({fall, true});
    return;
  case Predicate::Lt:
    --rise.constant;
    conditions.push_back({rise, false});
    return;
  case Predicate::Le:
    conditions.push_back({rise, false});
    return;
  case Predicate::Gt:
    --fall.constant;
    conditions.push_back({fall, false});
    return;
  case Predicate::Ge:
    conditions.push_back({fall, false});
    return;
  case Predicate::Ne:
    return;
  }
}

void conditionsOf(Value mask, ArrayRef<Place> places,
                  SmallVectorImpl<Condition> &conditions,
                  SmallVectorImpl<int64_t> &bounds) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return;
  if (isa<AndOp>(op)) {
    conditionsOf(op->getOperand(0), places, conditions, bounds);
    conditionsOf(op->getOperand(1), places, conditions, bounds);
  } else if (auto compare = dyn_cast<CompareOp>(op)) {
    compareConditions(compare, places, conditions);
  } else if (auto through = lookThrough(op, places)) {
    conditionsOf(through->first, through->second, conditions, bounds);
  } else if (auto reduce = dyn_cast<ReduceOp>(op);
             reduce && reduce.getKind() == ReduceKind::Any) {
    // True for some value of the reduced axes: the conditions hold for that
    // one.
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
    conditionsOf(reduce.getInput(), inner, conditions, bounds);
  }
}

} // namespace linnet
