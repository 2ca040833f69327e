// The work that one question to the prover may cost, counted in steps.
//
// A step is about one coefficient of one polynomial or of one row of the linear
// solver, some ten nanoseconds. Steps depend on the question alone, so an
// answer is the same on every machine and on every run; no clock is read.
#ifndef LINNET_LIB_DIMS_BUDGET_H
#define LINNET_LIB_DIMS_BUDGET_H

#include <cstdint>

namespace linnet::dims {

/// While one is alive, the work done on this thread counts against it. Nested
/// ones take their steps from the outer ones.
class Budget {
public:
  explicit Budget(uint64_t steps);
  ~Budget();
  Budget(const Budget &) = delete;
  Budget &operator=(const Budget &) = delete;

  /// Whether work was cut short under this budget.
  bool isExhausted() const { return exhausted; }
  uint64_t getSpent() const { return spent; }

  /// Counts work. False once there is none left: then give up, with the answer
  /// that claims nothing. Without a budget there is no limit.
  static bool spend(uint64_t steps);
  /// Says that something was left out, though the steps may suffice for the
  /// rest.
  static void giveUp();
  /// Spends all that is left.
  static void exhaust();
  /// Whether the innermost budget is used up.
  static bool isUsedUp();

private:
  uint64_t limit, spent = 0;
  bool exhausted = false;
  Budget *outer;
};

} // namespace linnet::dims

#endif // LINNET_LIB_DIMS_BUDGET_H
