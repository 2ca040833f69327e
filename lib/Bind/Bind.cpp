// linnet-bind: finds root and entries, gives the generics their values, and
// builds one function for each entry.
#include "lib/Bind/Bind.h"

#include "lib/Bind/Generics.h"
#include "lib/Bind/Open.h"
#include "lib/Bind/Specialise.h"

namespace linnet {
#define GEN_PASS_DEF_BIND
#include "lib/Bind/Bind.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

namespace {

/// An entry that was asked for, and its generics.
struct Wanted {
  FuncOp function;
  std::string name;
  Scope scope;
  NamedAttrList bindings;
  OpenSizes open;
};

/// Builds the function of one entry.
class EntryBuilder {
public:
  EntryBuilder(Wanted &wanted, const Instance *root, const Manifest &manifest,
               const Presence &presence, StringSet<> &knownPaths, Keep keep)
      : wanted(wanted), root(root), manifest(manifest), presence(presence),
        knownPaths(knownPaths), keep(keep),
        builder(wanted.function.getContext()) {}

  /// The function, which stands nowhere yet; null after an error.
  FuncOp build(Callees &callees) {
    FuncOp from = wanted.function;
    Location loc = from.getLoc();
    auto region = std::make_unique<Region>();
    body = builder.createBlock(region.get());
    std::vector<Bound> inputs;
    for (BlockArgument argument : from.getArguments()) {
      auto name = from.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    "linnet.name");
      std::optional<Bound> input = addInput(
          argument.getType(), name ? name.getValue() : "", argument.getLoc());
      if (!input)
        return {};
      inputs.push_back(std::move(*input));
    }
    for (Type type : from.getResultTypes())
      if (!wanted.scope.substitute(type, loc))
        return {};
    SmallVector<Value> places(manifest.size());
    addMembers(places, /*states=*/false);
    addMembers(places, /*states=*/true);

    Frame frame;
    frame.scope = wanted.scope;
    frame.self = root;
    std::vector<Bound> results;
    if (failed(Specialiser(builder, callees, places, keep)
                   .bindBody(from, frame, std::move(inputs), results)))
      return {};
    SmallVector<Value> values;
    for (const Bound &result : results)
      result.flatten(values);
    ReturnOp::create(builder, from.getBody().front().getTerminator()->getLoc(),
                     values);

    OpBuilder detached(from.getContext());
    OperationState state(loc, FuncOp::getOperationName());
    FuncOp::Properties &properties =
        state.getOrAddProperties<FuncOp::Properties>();
    properties.kind = from.getKindAttr();
    properties.sym_name = detached.getStringAttr(wanted.name);
    properties.function_type = TypeAttr::get(detached.getFunctionType(
        body->getArgumentTypes(), ValueRange(values).getTypes()));
    properties.generics = wanted.open.generics(from.getContext());
    properties.where = wanted.open.where(from.getContext());
    properties.arg_attrs = detached.getArrayAttr(argumentAttributes);
    // The names of the results of a struct [LAT-3].
    if (Attribute names = from->getAttr("linnet.results"))
      state.addAttribute("linnet.results", names);
    if (root)
      state.addAttribute("linnet.root", BlockOp(root->block).getSymNameAttr());
    state.addAttribute("linnet.bindings",
                       wanted.bindings.getDictionary(from.getContext()));
    wanted.open.addTo(state);
    state.addRegion(std::move(region));
    return cast<FuncOp>(Operation::create(state));
  }

private:
  BlockArgument addArgument(Type type, StringRef kind, StringRef key,
                            StringRef name, bool isOptional, Location loc) {
    NamedAttrList attributes;
    attributes.set("linnet.kind", builder.getStringAttr(kind));
    attributes.set(key, builder.getStringAttr(name));
    if (isOptional)
      attributes.set("linnet.optional", builder.getUnitAttr());
    argumentAttributes.push_back(
        attributes.getDictionary(builder.getContext()));
    return body->addArgument(type, loc);
  }

  std::optional<Bound> addInput(Type type, StringRef name, Location loc,
                                bool isOptional = false) {
    if (auto optional = dyn_cast<OptionalType>(type)) {
      std::string full = wanted.name + "." + name.str();
      knownPaths.insert(name);
      knownPaths.insert(full);
      if (!presence.has(name) && !presence.has(full))
        return Bound::absent();
      std::optional<Bound> inner =
          addInput(optional.getValueType(), name, loc, true);
      if (!inner)
        return std::nullopt;
      return Bound::present(std::move(*inner));
    }
    if (!isa<linnet::TensorType>(type)) {
      emitError(loc) << "[capability] an entry cannot take the input `" << name
                     << "`: it is no tensor, scalar or optional";
      return std::nullopt;
    }
    Type bound = wanted.scope.substitute(type, loc);
    if (!bound)
      return std::nullopt;
    return Bound::runtime(
        addArgument(bound, "input", "linnet.name", name, isOptional, loc));
  }

  void addMembers(MutableArrayRef<Value> places, bool states) {
    static constexpr StringLiteral kinds[] = {"param", "buffer", "state"};
    for (auto [entry, place] : llvm::zip_equal(manifest, places)) {
      bool isState = entry.kind == ManifestEntry::State;
      if (isState != states)
        continue;
      Type type = isState ? RefType::get(cast<linnet::TensorType>(entry.type))
                          : entry.type;
      place = addArgument(type, kinds[entry.kind], "linnet.path", entry.path,
                          entry.isOptional, entry.loc);
    }
  }

  Wanted &wanted;
  const Instance *root;
  const Manifest &manifest;
  const Presence &presence;
  StringSet<> &knownPaths;
  Keep keep;
  OpBuilder builder;
  Block *body = nullptr;
  SmallVector<Attribute> argumentAttributes;
};

struct Bind : linnet::impl::BindBase<Bind> {
  using BindBase::BindBase;

  void runOnOperation() override {
    if (failed(bind(getOperation())))
      signalPassFailure();
  }

  LogicalResult bind(ModuleOp module) {
    std::string error;
    std::optional<Request> request =
        parseRequest(root, entries, generics, optionals, keep, error);
    if (!request)
      return emitError(module.getLoc()) << "[usage] " << error;

    // Whatever the user wrote outermost is checked first: root, then entries,
    // then what they instantiate and call.
    BlockOp block;
    Scope blockScope;
    NamedAttrList blockBindings;
    if (!request->root.empty()) {
      block = findRoot(module, request->root);
      if (!block ||
          failed(bindGiven(*request, block.getGenerics(), block.getSymName(),
                           "", block.getLoc(), blockScope, blockBindings,
                           nullptr)) ||
          failed(
              checkConstraints(block.getWhere(), blockScope, block.getLoc())))
        return failure();
    }
    if (failed(refuseUnknownGenerics(module, block, *request)))
      return failure();
    SmallVector<FuncOp> functions;
    if (failed(findEntries(module, block, request->entries, functions)))
      return failure();
    std::vector<Wanted> wanted;
    for (FuncOp function : functions) {
      Wanted one{function,
                 shortName(function.getSymName()).str(),
                 blockScope,
                 blockBindings,
                 {}};
      if (failed(bindGiven(*request, function.getGenerics(),
                           function.getSymName(), one.name, function.getLoc(),
                           one.scope, one.bindings,
                           open ? &one.open.names : nullptr)) ||
          failed(one.open.collect(
              {block ? block.getWhere() : ArrayAttr(), function.getWhere()},
              one.scope, one.bindings, function.getLoc())) ||
          failed(checkConstraints(function.getWhere(), one.scope,
                                  function.getLoc())))
        return failure();
      wanted.push_back(std::move(one));
    }
    Instantiator instantiator(module, request->presence);
    Manifest manifest;
    std::unique_ptr<Instance> instance;
    if (block) {
      instance =
          instantiator.instantiate(block, std::move(blockScope), "", manifest);
      if (!instance)
        return failure();
    }

    Callees callees(module);
    SmallVector<OwningOpRef<FuncOp>> built;
    for (Wanted &one : wanted) {
      built.push_back(EntryBuilder(one, instance.get(), manifest,
                                   request->presence, instantiator.knownPaths,
                                   request->keep)
                          .build(callees));
      if (!built.back())
        return failure();
    }
    if (failed(refuseUnknownPaths(module, request->presence,
                                  instantiator.knownPaths)))
      return failure();

    Block &top = *module.getBody();
    top.clear();
    for (OwningOpRef<FuncOp> &function : built)
      top.push_back(function.release());
    return success();
  }
};

} // namespace
