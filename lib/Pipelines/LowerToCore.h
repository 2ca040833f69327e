// The pipeline linnet-lower-to-core: from verified GENERIC to CORE.
#ifndef LINNET_PIPELINES_LOWERTOCORE_H
#define LINNET_PIPELINES_LOWERTOCORE_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace linnet {

/// The options of `linnet-bind`.
struct LowerToCoreOptions
    : public mlir::PassPipelineOptions<LowerToCoreOptions> {
  Option<std::string> root{*this, "root",
                           llvm::cl::desc("the block to instantiate")};
  Option<std::string> entries{*this, "entries",
                              llvm::cl::desc("names of entries")};
  Option<std::string> generics{*this, "generics",
                               llvm::cl::desc("values by name, `H=768,T=f32`")};
  Option<std::string> optionals{*this, "optionals",
                                llvm::cl::desc("`present`, `absent` or paths")};
};

/// bind, unroll, thread-state, and the lowerings behind them, in that order.
void buildLowerToCore(mlir::OpPassManager &passes,
                      const LowerToCoreOptions &options);

/// Lets a pipeline name `linnet-lower-to-core{root=... entries=...}`.
void registerLowerToCorePipeline();

} // namespace linnet

#endif // LINNET_PIPELINES_LOWERTOCORE_H
