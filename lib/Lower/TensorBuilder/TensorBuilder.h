// Builds CORE ops on tensors; the lowering passes share it.
//
// Every function returns its argument unchanged where the op would do nothing,
// and infers the result type. Shapes hold no packs: callers check first.

#ifndef LINNET_LOWER_TENSORBUILDER_H
#define LINNET_LOWER_TENSORBUILDER_H

#include "lib/Lower/TensorBuilder/Size.h"

#include "mlir/IR/Builders.h"

namespace linnet {

/// The sizes of `value`'s axes.
Sizes shapeOf(mlir::Value value);
/// The element type of `value`.
mlir::Type elementOf(mlir::Value value);
/// The number of axes of `value`.
int64_t rankOf(mlir::Value value);
/// Whether `value` is a tensor whose every size is a constant.
bool isStaticTensor(mlir::Value value);
/// Whether `op` and what it holds are free of packs and of dtype variables, so
/// that every axis is known.
bool hasKnownAxes(mlir::Operation *op);
/// `!linnet.tensor<[shape...], element>`.
TensorType tensorType(llvm::ArrayRef<Size> shape, mlir::Type element);
/// What an integer type holds, as far as `int64_t` reaches: the least and the
/// most.
std::pair<int64_t, int64_t> rangeOf(mlir::Type element);
/// `value` as the integer type `element` holds it, wrapped; none for what
/// `int64_t` has no place for.
std::optional<int64_t> wrapTo(int64_t value, mlir::Type element);
/// The integer that `value` holds everywhere, looking through casts between
/// integers, splats and views; none if it is not a constant integer.
std::optional<int64_t> constantInteger(mlir::Value value);
/// The truth value that `value` holds everywhere, if it is a constant.
std::optional<bool> constantBool(mlir::Value value);

class TensorBuilder {
public:
  TensorBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// A splat of the integer `value` in the integer (or float) type `element`.
  mlir::Value integer(int64_t value, mlir::Type element,
                      llvm::ArrayRef<Size> shape = {});
  /// `value` as a number of the integer type `element`, wrapped, everywhere.
  mlir::Value size(const Size &value, mlir::Type element,
                   llvm::ArrayRef<Size> shape = {});
  /// The literal of `constant` everywhere in another shape.
  mlir::Value constantLike(ConstantOp constant, llvm::ArrayRef<Size> shape);
  mlir::Value iota(llvm::ArrayRef<Size> shape, int64_t axis,
                   mlir::Type element);
  mlir::Value cast(mlir::Value input, mlir::Type element);
  mlir::Value reshape(mlir::Value input, llvm::ArrayRef<Size> shape);
  mlir::Value transpose(mlir::Value input, llvm::ArrayRef<int64_t> perm);
  /// Axis `k` of `input` lies along axis `axes[k]` of the result.
  mlir::Value broadcast(mlir::Value input, llvm::ArrayRef<Size> shape,
                        llvm::ArrayRef<int64_t> axes);
  /// `size` elements of one axis, the first at `start`, `step` apart.
  mlir::Value slice(mlir::Value input, int64_t axis, const Size &start,
                    const Size &size, int64_t step = 1);
  /// Element `position` of one axis; the axis goes.
  mlir::Value pick(mlir::Value input, int64_t axis, const Size &position);
  mlir::Value take(mlir::Value input, mlir::Value indices, int64_t axis);
  mlir::Value concat(mlir::ValueRange inputs, int64_t axis);
  mlir::Value cumsum(mlir::Value input, int64_t axis);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value compare(Predicate predicate, mlir::Value lhs, mlir::Value rhs);
  /// `max(low, min(input, high))` for an integer `input`, broadcast to its
  /// shape.
  mlir::Value clamp(mlir::Value input, int64_t low, const Size &high);
  mlir::Value reduce(ReduceKind kind, mlir::Value input,
                     llvm::ArrayRef<int64_t> axes);
  /// `op` again, on `operands` and with the given result type: an element-wise
  /// op moved to operands of another shape.
  mlir::Value like(mlir::Operation *op, mlir::ValueRange operands,
                   mlir::Type result);
  template <typename Op> mlir::Value binary(mlir::Value lhs, mlir::Value rhs) {
    return Op::create(builder, loc, lhs.getType(), lhs, rhs).getResult();
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Whether `op` computes each element of its result from the elements of its
/// operands at the same place.
bool isElementwise(mlir::Operation *op);

/// Lets the ops that compute `values` keep what the source calls the results of
/// `op`, which they replace, where they have no names of their own.
void keepNames(mlir::Operation *op, mlir::ValueRange values);

} // namespace linnet

#endif // LINNET_LOWER_TENSORBUILDER_H
