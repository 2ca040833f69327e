// Matrices of half bytes, with a scale and a zero for each group of summed
// elements.

#ifndef LINNET_LOWER_STOREWEIGHTS_GROUPS_H
#define LINNET_LOWER_STOREWEIGHTS_GROUPS_H

#include "lib/Lower/TensorBuilder/TensorBuilder.h"

namespace linnet {

/// The largest group of at most `wanted` elements, halved as often as it takes,
/// of which `extent` is a multiple; 0 where that leaves fewer than 16.
int64_t groupOf(int64_t extent, int64_t wanted);

/// Whether `use` sums a matrix along its groups, or takes whole rows of them:
/// rows lie along `axis`, the groups along the other, which has that extent.
bool isAlongGroups(mlir::OpOperand &use, int64_t axis, int64_t extent);

/// Rewrites the uses of a matrix that is held as `values` [rows, groups, half a
/// group], `scale` and `zero` [rows, groups]; `rows` are along `axis` of what
/// the program has, and `wide` is its dtype.
class GroupReader {
public:
  GroupReader(mlir::BlockArgument values, mlir::Value scale, mlir::Value zero,
              mlir::Type wide, int64_t axis)
      : values(values), scale(scale), zero(zero), wide(wide), axis(axis) {}

  void rewrite(mlir::OpOperand &use);

private:
  mlir::BlockArgument values;
  mlir::Value scale, zero;
  mlir::Type wide;
  int64_t axis;
};

} // namespace linnet

#endif // LINNET_LOWER_STOREWEIGHTS_GROUPS_H
