// What is known of integer and boolean scalars at compile time.
#ifndef LINNET_LIB_LOWER_UNROLL_SCALARVALUES_H
#define LINNET_LIB_LOWER_UNROLL_SCALARVALUES_H

#include "dialect/LinnetDialect.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"

namespace linnet::unroll {

/// A table of values, filled op by op in the order of execution.
class ScalarValues {
public:
  /// Enters the result of `op`, if it follows from what is known.
  void visit(mlir::Operation &op);
  /// Lets `value` be what `other` is.
  void alias(mlir::Value value, mlir::Value other);
  std::optional<llvm::APInt> find(mlir::Value value) const;

private:
  std::optional<llvm::APInt> evaluate(mlir::Operation &op) const;
  llvm::DenseMap<mlir::Value, llvm::APInt> known;
};

} // namespace linnet::unroll

#endif // LINNET_LIB_LOWER_UNROLL_SCALARVALUES_H
