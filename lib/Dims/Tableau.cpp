// The simplex method on a tableau of integers with a denominator a row.
#include "lib/Dims/Tableau.h"
#include "lib/Dims/Budget.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linnet::dims {

Tableau::Tableau(ArrayRef<bool> isNonNegative)
    : variables(isNonNegative.size()), names(isNonNegative.size()),
      isRestricted(isNonNegative.begin(), isNonNegative.end()) {
  for (unsigned i = 0; i < variables; ++i) {
    columns.push_back(i);
    places.push_back({false, i});
  }
}

/// Divides a line by what its numbers share. Long numbers cost more, and very
/// long ones all that is left: no claim that was met needs them.
void Tableau::reduce(Line &line) const {
  Integer common = line.denominator;
  auto visit = [&](const Integer &value) {
    if (value > INT64_MAX || value < INT64_MIN) {
      static const Integer bound(APInt::getOneBitSet(200, 160));
      if (abs(value) < bound)
        Budget::spend(300);
      else
        Budget::exhaust();
    }
    if (common != 1 && value != 0)
      common = gcd(common, abs(value));
  };
  visit(line.constant);
  for (const Integer &value : line.coefficients)
    visit(value);
  if (common == 1 || Budget::isUsedUp())
    return;
  line.denominator /= common;
  line.constant /= common;
  for (Integer &value : line.coefficients)
    value /= common;
}

/// The row in terms of the nonbasic variables.
Tableau::Line Tableau::express(ArrayRef<Integer> row, unsigned name) const {
  Line result{name, false, Integer(1), row.back(),
              Row(columns.size(), Integer(0))};
  for (auto [variable, value] : enumerate(row.drop_back())) {
    if (value == 0)
      continue;
    auto [isBasic, place] = places[variable];
    if (!isBasic) {
      if (place < columns.size())
        result.coefficients[place] += value * result.denominator;
      continue;
    }
    const Line &line = lines[place];
    Budget::spend(columns.size());
    Integer shared = lcm(result.denominator, line.denominator);
    Integer mine = shared / result.denominator;
    Integer theirs = value * (shared / line.denominator);
    result.denominator = shared;
    result.constant = result.constant * mine + line.constant * theirs;
    for (auto [to, from] : zip(result.coefficients, line.coefficients))
      to = to * mine + from * theirs;
  }
  reduce(result);
  return result;
}

/// Exchanges the basic variable of a line with a nonbasic one.
void Tableau::pivot(size_t line, size_t column) {
  Line &leaving = lines[line];
  // d * b == c + sum + p * x   =>   p * x == -c - sum + d * b
  Integer factor = leaving.coefficients[column];
  Integer denominator = leaving.denominator;
  bool isFlipped = factor > 0;
  auto flip = [&](const Integer &value) { return isFlipped ? -value : value; };
  leaving.constant = flip(leaving.constant);
  for (Integer &value : leaving.coefficients)
    value = flip(value);
  leaving.coefficients[column] = isFlipped ? denominator : -denominator;
  leaving.denominator = abs(factor);
  std::swap(leaving.name, columns[column]);
  bool wasRestricted = leaving.isRestricted;
  leaving.isRestricted = isRestricted[column];
  isRestricted[column] = wasRestricted;
  places[leaving.name] = {true, line};
  places[columns[column]] = {false, column};
  reduce(leaving);

  for (auto [index, other] : enumerate(lines)) {
    if (index == line || other.coefficients[column] == 0)
      continue;
    Budget::spend(2 * columns.size());
    Integer count = other.coefficients[column];
    other.coefficients[column] = 0;
    const Integer &scale = leaving.denominator;
    other.denominator *= scale;
    other.constant = other.constant * scale + count * leaving.constant;
    for (auto [to, from] : zip(other.coefficients, leaving.coefficients))
      to = to * scale + count * from;
    reduce(other);
  }
}

/// Fixes a nonbasic variable at 0 for good.
void Tableau::dropColumn(size_t column) {
  size_t last = columns.size() - 1;
  places[columns[column]] = {false, SIZE_MAX};
  if (column != last) {
    columns[column] = columns[last];
    isRestricted[column] = isRestricted[last];
    places[columns[column]] = {false, column};
    for (Line &line : lines)
      line.coefficients[column] = line.coefficients[last];
  }
  columns.pop_back();
  isRestricted.pop_back();
  for (Line &line : lines)
    line.coefficients.pop_back();
}

void Tableau::addEquality(ArrayRef<Integer> row) {
  if (empty)
    return;
  Line line = express(row, names);
  if (!Budget::spend(columns.size()))
    return;
  // A free variable first: nothing of it is left to be checked then.
  std::optional<size_t> best;
  for (auto [column, value] : enumerate(line.coefficients))
    if (value != 0 && (!best || (isRestricted[*best] && !isRestricted[column])))
      best = column;
  if (!best) {
    empty |= line.constant != 0;
    return;
  }
  ++names;
  places.push_back({true, lines.size()});
  lines.push_back(std::move(line));
  pivot(lines.size() - 1, *best);
  dropColumn(*best);
}

/// What became basic by an equality may be negative as yet.
void Tableau::settle() {
  for (size_t i = 0; i < lines.size() && !empty; ++i)
    if (lines[i].isRestricted && lines[i].constant < 0)
      restore(i);
}

void Tableau::addInequality(ArrayRef<Integer> row) {
  settle();
  if (empty)
    return;
  Line line = express(row, names);
  line.isRestricted = true;
  if (line.constant >= 0 && all_of(line.coefficients, [](const Integer &value) {
        return value == 0;
      }))
    return;
  ++names;
  places.push_back({true, lines.size()});
  lines.push_back(std::move(line));
  restore(lines.size() - 1);
}

/// Moves along the edges of what is allowed until the line is not negative.
void Tableau::restore(size_t line) {
  unsigned name = lines[line].name;
  while (places[name].first) {
    line = places[name].second;
    if (lines[line].constant >= 0 || !Budget::spend(columns.size()))
      return;
    // Of the variables that raise the line, the first one [Bland].
    std::optional<size_t> entering;
    bool isRaised = true;
    for (auto [column, value] : enumerate(lines[line].coefficients)) {
      if (value == 0 || (value < 0 && isRestricted[column]) ||
          (entering && columns[*entering] < columns[column]))
        continue;
      entering = column;
      isRaised = value > 0;
    }
    if (!entering) {
      empty = true;
      return;
    }
    // The line itself, or what reaches 0 before it. Fractions are compared
    // without dividing: step = constant / -coefficient, in the same units.
    size_t leaving = line;
    auto slope = [&](size_t i) {
      const Integer &value = lines[i].coefficients[*entering];
      return isRaised ? value : -value;
    };
    Integer bestTop = -lines[line].constant, bestBottom = slope(line);
    for (auto [i, other] : enumerate(lines)) {
      if (i == line || !other.isRestricted || other.constant < 0)
        continue;
      Integer down = -slope(i);
      if (down <= 0)
        continue;
      Budget::spend(1);
      Integer mine = other.constant * bestBottom, theirs = bestTop * down;
      if (mine < theirs || (mine == theirs && leaving != line &&
                            other.name < lines[leaving].name)) {
        leaving = i;
        bestTop = other.constant;
        bestBottom = down;
      }
    }
    pivot(leaving, *entering);
  }
}

std::optional<Tableau::Fraction> Tableau::findFraction() const {
  for (unsigned i = 0; i < variables; ++i) {
    auto [isBasic, place] = places[i];
    if (isBasic && lines[place].constant % lines[place].denominator != 0)
      return Fraction{
          i, floorDiv(lines[place].constant, lines[place].denominator)};
  }
  return std::nullopt;
}

} // namespace linnet::dims
