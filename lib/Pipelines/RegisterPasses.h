// Registration of every pass that CMake knows of.
#ifndef LINNET_PIPELINES_REGISTERPASSES_H
#define LINNET_PIPELINES_REGISTERPASSES_H

namespace linnet {

/// Registers all passes of Linnet, and MLIR's own clean-ups (canonicalize, cse,
/// ...), so that a pipeline can name them. Registering twice is allowed.
void registerPasses();

} // namespace linnet

#endif // LINNET_PIPELINES_REGISTERPASSES_H
