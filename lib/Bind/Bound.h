// What a value of GENERIC is once its function is instantiated.
#ifndef LINNET_LIB_BIND_BOUND_H
#define LINNET_LIB_BIND_BOUND_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

#include <memory>
#include <string>
#include <vector>

namespace linnet::bind {

struct Instance;

/// Exactly one of: a runtime value, or something known at compile time that
/// leaves no trace in BOUND (whose parts may be runtime values).
struct Bound {
  enum Kind : uint8_t {
    Runtime, // value
    Tuple,   // parts, also the plain indices of a pack index
    Absent,  // `none`
    Present, // `some`, with one part
    Variant, // an enum's value
    Object,  // a block's instance
    Array,   // instances
  } kind = Runtime;
  mlir::Value value;
  std::vector<Bound> parts;
  std::string variant;
  const Instance *object = nullptr;
  const std::vector<std::unique_ptr<Instance>> *array = nullptr;

  static Bound runtime(mlir::Value value) {
    Bound bound;
    bound.value = value;
    return bound;
  }
  static Bound tuple(std::vector<Bound> parts) {
    Bound bound;
    bound.kind = Tuple;
    bound.parts = std::move(parts);
    return bound;
  }
  static Bound absent() {
    Bound bound;
    bound.kind = Absent;
    return bound;
  }
  static Bound present(Bound inner) {
    Bound bound;
    bound.kind = Present;
    bound.parts.push_back(std::move(inner));
    return bound;
  }
  static Bound ofVariant(llvm::StringRef name) {
    Bound bound;
    bound.kind = Variant;
    bound.variant = name.str();
    return bound;
  }
  static Bound of(const Instance &instance) {
    Bound bound;
    bound.kind = Object;
    bound.object = &instance;
    return bound;
  }
  static Bound of(const std::vector<std::unique_ptr<Instance>> &instances) {
    Bound bound;
    bound.kind = Array;
    bound.array = &instances;
    return bound;
  }

  /// Adds the runtime values within, in order.
  void flatten(llvm::SmallVectorImpl<mlir::Value> &values) const;
  /// The same structure over other runtime values, taken from the front.
  Bound rebuild(mlir::ValueRange &values) const;
  /// Whether both differ at most in their runtime values.
  bool isLike(const Bound &other) const;
};

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_BOUND_H
