// Builds CORE ops on tensors of constant shape; the lowering passes share it.
//
// Every function returns its argument unchanged where the op would do nothing,
// and infers the result type. Shapes are static: callers check `isStatic`
// first.

#ifndef LINNET_LOWER_TENSORBUILDER_H
#define LINNET_LOWER_TENSORBUILDER_H

#include "dialect/LinnetDialect.h"
#include "mlir/IR/Builders.h"

namespace linnet {

/// The constant sizes of `value`'s axes.
llvm::SmallVector<int64_t> shapeOf(mlir::Value value);
/// The element type of `value`.
mlir::Type elementOf(mlir::Value value);
/// The number of axes of `value`.
int64_t rankOf(mlir::Value value);
/// Whether `value` is a tensor whose every size is a constant.
bool isStaticTensor(mlir::Value value);
/// `!linnet.tensor<[shape...], element>`.
TensorType tensorType(llvm::ArrayRef<int64_t> shape, mlir::Type element);
/// The integer that `value` holds everywhere, looking through casts, splats,
/// broadcasts and reshapes; none if it is not a constant.
std::optional<int64_t> constantInteger(mlir::Value value);

class TensorBuilder {
public:
  TensorBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// A splat of the integer `value` in the integer (or float) type `element`.
  mlir::Value integer(int64_t value, mlir::Type element,
                      llvm::ArrayRef<int64_t> shape = {});
  mlir::Value iota(llvm::ArrayRef<int64_t> shape, int64_t axis,
                   mlir::Type element);
  mlir::Value cast(mlir::Value input, mlir::Type element);
  mlir::Value reshape(mlir::Value input, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value input, llvm::ArrayRef<int64_t> perm);
  /// Axis `k` of `input` lies along axis `axes[k]` of the result.
  mlir::Value broadcast(mlir::Value input, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> axes);
  /// `size` elements of one axis, the first at `start`, `step` apart.
  mlir::Value slice(mlir::Value input, int64_t axis, int64_t start,
                    int64_t size, int64_t step = 1);
  /// Element `position` of one axis; the axis goes.
  mlir::Value pick(mlir::Value input, int64_t axis, int64_t position);
  mlir::Value take(mlir::Value input, mlir::Value indices, int64_t axis);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value compare(Predicate predicate, mlir::Value lhs, mlir::Value rhs);
  /// `max(low, min(input, high))` for an integer `input`, broadcast to its
  /// shape.
  mlir::Value clamp(mlir::Value input, int64_t low, int64_t high);
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

} // namespace linnet

#endif // LINNET_LOWER_TENSORBUILDER_H
