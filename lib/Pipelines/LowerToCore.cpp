// The pipeline linnet-lower-to-core.
#include "lib/Pipelines/LowerToCore.h"

#include "lib/Bind/Bind.h"
#include "lib/Lower/LowerComprehensions/LowerComprehensions.h"
#include "lib/Lower/LowerCumsum/LowerCumsum.h"
#include "lib/Lower/LowerLoops/LowerLoops.h"
#include "lib/Lower/NarrowMaskedWrites/NarrowMaskedWrites.h"
#include "lib/Lower/Simplify/Simplify.h"
#include "lib/Lower/ThreadState/ThreadState.h"
#include "lib/Lower/Unroll/Unroll.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

void linnet::buildLowerToCore(mlir::OpPassManager &passes,
                              const LowerToCoreOptions &options) {
  BindOptions bind;
  bind.root = options.root;
  bind.entries = options.entries;
  bind.generics = options.generics;
  bind.optionals = options.optionals;
  passes.addPass(createBind(bind));
  passes.addPass(createUnroll());
  passes.addPass(createThreadState());
  passes.addPass(createLowerComprehensions());
  passes.addPass(createLowerLoops());
  passes.addPass(createLowerCumsum());
  passes.addPass(createNarrowMaskedWrites());
  passes.addPass(createSimplify());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(mlir::createCanonicalizerPass());
}

void linnet::registerLowerToCorePipeline() {
  static mlir::PassPipelineRegistration<LowerToCoreOptions> registration(
      "linnet-lower-to-core", "instantiates entries and lowers them to CORE",
      buildLowerToCore);
}
