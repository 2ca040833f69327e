// The tree of block instances under a root, and its manifest [PTH-1] [PTH-2].
#ifndef LINNET_LIB_BIND_INSTANCE_H
#define LINNET_LIB_BIND_INSTANCE_H

#include "lib/Bind/Bound.h"
#include "lib/Bind/Request.h"
#include "lib/Bind/Scope.h"

namespace linnet::bind {

/// One tensor that the runtime holds for an instantiated root.
struct ManifestEntry {
  enum Kind : uint8_t { Param, Buffer, State } kind;
  std::string path;
  mlir::Type type;
  /// Declared with `?`, or within an optional sub.
  bool isOptional;
  mlir::Location loc;
};

using Manifest = std::vector<ManifestEntry>;

struct Instance;

/// A member of an instance: a place in the manifest, or instances.
struct Member {
  enum Kind : uint8_t { Tensor, State, Sub, Array } kind;
  bool isOptional = false;
  bool isPresent = true;
  /// Of a present tensor or state.
  size_t place = 0;
  /// One of a present sub; those of an array in order.
  std::vector<std::unique_ptr<Instance>> subs;
};

struct Instance {
  BlockOp block;
  Scope scope;
  std::string path;
  llvm::DenseMap<mlir::StringAttr, Member> members;

  /// `path` with a member's name behind it.
  std::string childPath(llvm::StringRef name) const {
    return path.empty() ? name.str() : path + "." + name.str();
  }
};

/// How deep blocks, calls and regions may nest before we give up: far beyond
/// any model, and well within the stack.
constexpr unsigned maxDepth = 400;
/// How many instances a root may have, and how many calls an entry may expand
/// to.
constexpr unsigned maxInstances = 100'000;
constexpr unsigned maxCalls = 1'000'000;

/// Walks the members of blocks.
class Instantiator {
public:
  Instantiator(mlir::ModuleOp module, const Presence &presence)
      : module(module), presence(presence) {}

  /// The instance of `block` whose generics `scope` binds, everything below it
  /// included. Appends to `manifest`. Null after an error: E2206 for a
  /// constraint of a sub that does not hold, E2208 for a negative size.
  std::unique_ptr<Instance> instantiate(BlockOp block, Scope scope,
                                        std::string path, Manifest &manifest,
                                        unsigned depth = 0);

  /// Every path met, also those of members decided absent.
  llvm::StringSet<> knownPaths;

private:
  mlir::LogicalResult addTensor(Instance &instance, mlir::Operation *op,
                                mlir::StringAttr name, mlir::Type type,
                                ManifestEntry::Kind kind, Manifest &manifest);
  mlir::LogicalResult addSub(Instance &instance, SubBlockOp sub,
                             Manifest &manifest, unsigned depth);
  std::unique_ptr<Instance> instantiateSub(const Instance &parent,
                                           SubBlockOp sub, InstanceType type,
                                           std::string path, Manifest &manifest,
                                           unsigned depth);

  mlir::ModuleOp module;
  const Presence &presence;
  unsigned instances = 0;
};

/// Binds the generics of a callee or block to the arguments, which are read in
/// the scope `from`. Failure comes with an error.
mlir::LogicalResult bindArguments(Scope &into, mlir::ArrayAttr generics,
                                  mlir::ArrayAttr arguments, const Scope &from,
                                  mlir::Location loc);

/// Emits E2206 at `loc` for the first constraint that does not hold in `scope`.
mlir::LogicalResult checkConstraints(mlir::ArrayAttr constraints,
                                     const Scope &scope, mlir::Location loc);

} // namespace linnet::bind

#endif // LINNET_LIB_BIND_INSTANCE_H
