// The patterns of `linnet-simplify`, by what they rewrite.

#ifndef LINNET_LOWER_SIMPLIFY_PATTERNS_H
#define LINNET_LOWER_SIMPLIFY_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace linnet {

/// Sums of products, and what a contraction's operands bring.
void populateContractionPatterns(mlir::RewritePatternSet &patterns);
/// Integers and masks that are known.
void populateConstantPatterns(mlir::RewritePatternSet &patterns);
/// Views: transposes, reshapes, broadcasts, and takes that are slices.
void populateViewPatterns(mlir::RewritePatternSet &patterns);

} // namespace linnet

#endif // LINNET_LOWER_SIMPLIFY_PATTERNS_H
