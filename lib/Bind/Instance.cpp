// Instantiation of blocks.
#include "lib/Bind/Instance.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

LogicalResult linnet::bind::bindArguments(Scope &into, ArrayAttr generics,
                                          ArrayAttr arguments,
                                          const Scope &from, Location loc) {
  into.assumeAs(from);
  // Argument values are read in `from` alone, so `into` can be filled at once.
  for (auto [generic, argument] :
       llvm::zip_equal(generics.getAsRange<GenericAttr>(), arguments)) {
    if (auto type = dyn_cast<TypeAttr>(argument)) {
      into.bindElement(generic.getName(), from.element(type.getValue()));
      continue;
    }
    SmallVector<Attribute> elements;
    if (auto shape = dyn_cast<ShapeAttr>(argument))
      llvm::append_range(elements, shape.getElements());
    else
      elements.push_back(argument);
    FailureOr<Scope::Sizes> sizes = from.expand(elements, loc);
    if (failed(sizes))
      return failure();
    if (generic.isPack())
      into.bindPack(generic.getName(), *sizes);
    else
      into.bindDim(generic.getName(), sizes->front());
  }
  return success();
}

LogicalResult linnet::bind::checkConstraints(ArrayAttr constraints,
                                             const Scope &scope, Location loc) {
  for (auto attr : constraints.getAsRange<ConstraintAttr>()) {
    const dims::Constraint &constraint = attr.getValue();
    if (scope.holds(constraint))
      continue;
    if (std::optional<dims::Constraint> claim =
            scope.openConstraint(constraint))
      return emitError(loc)
             << "[capability] `" << dims::toString(*claim)
             << "` cannot be decided while its sizes are open; give them "
                "numbers with --bind";
    return emitError(loc) << "[E2206] `" << dims::toString(constraint)
                          << "` does not hold: " << scope.show(constraint);
  }
  return success();
}

std::unique_ptr<Instance> Instantiator::instantiate(BlockOp block, Scope scope,
                                                    std::string path,
                                                    Manifest &manifest,
                                                    unsigned depth) {
  if (depth > maxDepth) {
    emitError(block.getLoc())
        << "[capability] blocks nest deeper than " << maxDepth;
    return nullptr;
  }
  if (++instances > maxInstances) {
    emitError(block.getLoc()) << "[capability] the root has more than "
                              << maxInstances << " block instances";
    return nullptr;
  }
  auto instance = std::make_unique<Instance>();
  instance->block = block;
  instance->scope = std::move(scope);
  instance->path = std::move(path);
  for (Operation &op : block.getBody().front()) {
    LogicalResult added =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](ParamOp param) {
              return addTensor(*instance, param, param.getSymNameAttr(),
                               param.getType(), ManifestEntry::Param, manifest);
            })
            .Case([&](BufferOp buffer) {
              return addTensor(*instance, buffer, buffer.getSymNameAttr(),
                               buffer.getType(), ManifestEntry::Buffer,
                               manifest);
            })
            .Case([&](StateOp state) {
              return addTensor(*instance, state, state.getSymNameAttr(),
                               state.getType(), ManifestEntry::State, manifest);
            })
            .Case([&](SubBlockOp sub) {
              return addSub(*instance, sub, manifest, depth);
            })
            .Default([](Operation *) { return success(); });
    if (failed(added))
      return nullptr;
  }
  return instance;
}

LogicalResult Instantiator::addTensor(Instance &instance, Operation *op,
                                      StringAttr name, Type type,
                                      ManifestEntry::Kind kind,
                                      Manifest &manifest) {
  Member &member = instance.members[name];
  member.kind = kind == ManifestEntry::State ? Member::State : Member::Tensor;
  std::string path = instance.childPath(name);
  knownPaths.insert(path);
  if (auto optional = dyn_cast<OptionalType>(type)) {
    member.isOptional = true;
    member.isPresent = presence.has(path);
    if (!member.isPresent)
      return success();
    type = optional.getValueType();
  }
  type = instance.scope.substitute(type, op->getLoc());
  if (!type)
    return failure();
  member.place = manifest.size();
  manifest.push_back(
      {kind, std::move(path), type, member.isOptional, op->getLoc()});
  return success();
}

std::unique_ptr<Instance>
Instantiator::instantiateSub(const Instance &parent, SubBlockOp sub,
                             InstanceType type, std::string path,
                             Manifest &manifest, unsigned depth) {
  auto block = module.lookupSymbol<BlockOp>(type.getBlock().getAttr());
  Scope scope;
  auto arguments = ArrayAttr::get(sub.getContext(), type.getArguments());
  if (failed(bindArguments(scope, block.getGenerics(), arguments, parent.scope,
                           sub.getLoc())) ||
      failed(checkConstraints(block.getWhere(), scope, sub.getLoc())))
    return nullptr;
  return instantiate(block, std::move(scope), std::move(path), manifest,
                     depth + 1);
}

LogicalResult Instantiator::addSub(Instance &instance, SubBlockOp sub,
                                   Manifest &manifest, unsigned depth) {
  Member &member = instance.members[sub.getSymNameAttr()];
  std::string path = instance.childPath(sub.getSymName());
  Type type = sub.getType();

  if (auto array = dyn_cast<ArrayType>(type)) {
    member.kind = Member::Array;
    Attribute length = array.getSize();
    FailureOr<int64_t> size =
        instance.scope.number(cast<DimAttr>(length).getValue(), sub.getLoc());
    if (failed(size))
      return failure();
    if (*size < 0) // says so
      return instance.scope.expand(length, sub.getLoc());
    for (int64_t i = 0; i < *size; ++i) {
      member.subs.push_back(instantiateSub(instance, sub, array.getInstance(),
                                           path + "." + std::to_string(i),
                                           manifest, depth));
      if (!member.subs.back())
        return failure();
    }
    return success();
  }

  member.kind = Member::Sub;
  auto optional = dyn_cast<OptionalType>(type);
  if (optional)
    type = optional.getValueType();
  size_t begin = manifest.size();
  member.subs.push_back(instantiateSub(instance, sub, cast<InstanceType>(type),
                                       path, manifest, depth));
  if (!member.subs.back())
    return failure();
  if (!optional)
    return success();

  // Present unless a parameter that it requires is missing [WGT-4].
  member.isOptional = true;
  knownPaths.insert(path);
  member.isPresent =
      presence.has(path) ||
      (presence.kind == Presence::Listed &&
       llvm::all_of(ArrayRef(manifest).drop_front(begin),
                    [&](const ManifestEntry &entry) {
                      return entry.isOptional ||
                             entry.kind == ManifestEntry::State ||
                             presence.has(entry.path);
                    }));
  if (!member.isPresent) {
    manifest.erase(manifest.begin() + begin, manifest.end());
    return success();
  }
  for (size_t place = begin; place < manifest.size(); ++place)
    manifest[place].isOptional = true;
  return success();
}
