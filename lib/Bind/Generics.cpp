// The values of the generics of root and entries, and what else a request
// names.
#include "lib/Bind/Generics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

/// `` `a`, `b` ``, or `none` for an empty list.
static std::string list(ArrayRef<std::string> names) {
  if (names.empty())
    return "none";
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

StringRef linnet::bind::shortName(StringRef symbol) {
  size_t colons = symbol.rfind("::");
  return colons == StringRef::npos ? symbol : symbol.substr(colons + 2);
}

BlockOp linnet::bind::findRoot(ModuleOp module, StringRef name) {
  SmallVector<BlockOp> matches;
  SmallVector<std::string> known;
  for (BlockOp block : module.getOps<BlockOp>()) {
    StringRef symbol = block.getSymName();
    if (symbol == name)
      return block;
    if (shortName(symbol) == name)
      matches.push_back(block);
    if (llvm::any_of(block.getOps<FuncOp>(), [](FuncOp function) {
          return function.getKind() == FuncKind::Entry;
        }))
      known.push_back(symbol.str());
  }
  if (matches.size() == 1)
    return matches.front();
  if (matches.empty()) {
    emitError(module.getLoc())
        << "[usage] there is no block `" << name
        << "`; the blocks with entries are " << list(known);
    return {};
  }
  SmallVector<std::string> names;
  for (BlockOp block : matches)
    names.push_back(block.getSymName().str());
  emitError(module.getLoc())
      << "[usage] several blocks are named `" << name << "`: " << list(names);
  return {};
}

LogicalResult linnet::bind::findEntries(ModuleOp module, BlockOp root,
                                        ArrayRef<std::string> names,
                                        SmallVectorImpl<FuncOp> &entries) {
  SmallVector<FuncOp> all;
  SmallVector<std::string> known;
  Block &scope = root ? root.getBody().front() : *module.getBody();
  for (FuncOp function : scope.getOps<FuncOp>())
    if (function.getKind() == FuncKind::Entry) {
      all.push_back(function);
      known.push_back(function.getSymName().str());
    }
  std::string where =
      root ? "block `" + root.getSymName().str() + "`" : "the modules";

  for (StringRef name : names) {
    SmallVector<FuncOp> matches;
    for (FuncOp function : all)
      if (function.getSymName() == name) {
        matches.assign(1, function);
        break;
      } else if (shortName(function.getSymName()) == name) {
        matches.push_back(function);
      }
    if (matches.size() != 1)
      return emitError(module.getLoc())
             << "[usage] "
             << (matches.empty() ? "there is no entry `"
                                 : "several entries are named `")
             << name << "` in " << where << "; the entries are " << list(known);
    if (!llvm::is_contained(entries, matches.front()))
      entries.push_back(matches.front());
  }
  if (names.empty())
    entries.append(all);
  if (entries.empty())
    return emitError(module.getLoc()) << "[usage] no entry in " << where;

  llvm::StringSet<> used;
  for (FuncOp function : entries)
    if (!used.insert(shortName(function.getSymName())).second)
      return emitError(module.getLoc()) << "[usage] two entries are named `"
                                        << shortName(function.getSymName())
                                        << "`; choose one of " << list(known);
  return success();
}

static Type parseDtype(StringRef name, MLIRContext *context) {
  Builder b(context);
  return llvm::StringSwitch<Type>(name)
      .Case("bool", b.getI1Type())
      .Case("f16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("f32", b.getF32Type())
      .Case("f64", b.getF64Type())
      .Case("i8", b.getIntegerType(8))
      .Case("i16", b.getIntegerType(16))
      .Case("i32", b.getIntegerType(32))
      .Case("i64", b.getIntegerType(64))
      .Cases("u8", "ui8", b.getIntegerType(8, false))
      .Cases("u16", "ui16", b.getIntegerType(16, false))
      .Cases("u32", "ui32", b.getIntegerType(32, false))
      .Cases("u64", "ui64", b.getIntegerType(64, false))
      .Default({});
}

static bool isInClass(Type type, DtypeClass dtypeClass) {
  switch (dtypeClass) {
  case DtypeClass::DType:
    return true;
  case DtypeClass::Numeric:
    return dtype::isNumeric(type);
  case DtypeClass::Integer:
    return dtype::isInteger(type);
  case DtypeClass::Float:
    return dtype::isFloat(type);
  }
  llvm_unreachable("all classes are listed");
}

static LogicalResult bindText(GenericAttr generic, StringRef text, Location loc,
                              Scope &scope, NamedAttrList &bindings) {
  Builder builder(loc.getContext());
  StringRef name = generic.getName();
  if (generic.isDim()) {
    int64_t size;
    if (text.getAsInteger(10, size) || size < 0)
      return emitError(loc)
             << "[usage] the dimension `" << name
             << "` must be a 64-bit integer >= 0, not `" << text << "`";
    scope.bindDim(name, dims::constant(size));
    bindings.set(name, builder.getI64IntegerAttr(size));
    return success();
  }
  if (generic.isPack()) {
    std::optional<SmallVector<int64_t>> sizes = parseShape(text);
    if (!sizes)
      return emitError(loc)
             << "[usage] the pack `" << name
             << "` must be a list such as `[2,3]`, not `" << text << "`";
    scope.bindPack(name, llvm::map_to_vector(*sizes, [](int64_t size) {
                     return dims::constant(size);
                   }));
    bindings.set(name, builder.getDenseI64ArrayAttr(*sizes));
    return success();
  }
  Type type = parseDtype(text, loc.getContext());
  if (!type)
    return emitError(loc) << "[usage] the dtype `" << name
                          << "` must be a scalar type such as `f32`, not `"
                          << text << "`";
  if (!isInClass(type, generic.getDtypeClass()))
    return emitError(loc) << "[E2112] `" << name << ": "
                          << stringifyGenericKind(generic.getKind())
                          << "` cannot be `" << text << "`";
  scope.bindElement(name, type);
  bindings.set(name, TypeAttr::get(type));
  return success();
}

static LogicalResult bindDefault(GenericAttr generic, Location loc,
                                 Scope &scope, NamedAttrList &bindings) {
  Builder builder(loc.getContext());
  StringRef name = generic.getName();
  Attribute value = generic.getDefaultValue();
  if (auto type = dyn_cast<TypeAttr>(value)) {
    Type element = scope.element(type.getValue());
    scope.bindElement(name, element);
    bindings.set(name, TypeAttr::get(element));
    return success();
  }
  SmallVector<Attribute> elements;
  if (auto shape = dyn_cast<ShapeAttr>(value))
    llvm::append_range(elements, shape.getElements());
  else
    elements.push_back(value);
  FailureOr<Scope::Sizes> sizes = scope.expand(elements, loc);
  if (failed(sizes))
    return failure();
  SmallVector<int64_t> numbers;
  for (const dims::Expr &size : *sizes)
    if (std::optional<dims::Integer> number = size.asConstant())
      numbers.push_back(int64_t(*number));
  if (generic.isPack())
    scope.bindPack(name, *sizes);
  else
    scope.bindDim(name, sizes->front());
  // One that follows an open size has no value of its own to list.
  if (numbers.size() != sizes->size())
    return success();
  if (generic.isPack())
    bindings.set(name, builder.getDenseI64ArrayAttr(numbers));
  else
    bindings.set(name, builder.getI64IntegerAttr(numbers.front()));
  return success();
}

LogicalResult linnet::bind::bindGiven(const Request &request,
                                      ArrayAttr generics, StringRef owner,
                                      StringRef entry, Location loc,
                                      Scope &scope, NamedAttrList &bindings,
                                      SmallVectorImpl<std::string> *open) {
  SmallVector<std::string> missing;
  for (auto generic : generics.getAsRange<GenericAttr>()) {
    std::optional<StringRef> text = request.find(generic.getName(), entry);
    if (open && !text && !generic.getDefaultValue() && generic.isDim()) {
      scope.bindDim(generic.getName(), dims::symbol(generic.getName()));
      open->push_back(generic.getName().str());
      continue;
    }
    if (!text && !generic.getDefaultValue()) {
      missing.push_back(generic.getName().str());
      continue;
    }
    // A default may name a generic that is missing.
    if (!missing.empty())
      continue;
    if (failed(text ? bindText(generic, *text, loc, scope, bindings)
                    : bindDefault(generic, loc, scope, bindings)))
      return failure();
  }
  if (missing.empty())
    return success();
  InFlightDiagnostic error = emitError(loc)
                             << "[usage] `" << owner << "` needs a value for "
                             << list(missing);
  error.attachNote() << "give --bind " << missing.front() << "=VALUE";
  return error;
}

LogicalResult linnet::bind::refuseUnknownGenerics(ModuleOp module, BlockOp root,
                                                  const Request &request) {
  SmallVector<std::string> known;
  StringSet<> accepted;
  auto add = [&](ArrayAttr generics, StringRef entry) {
    for (auto generic : generics.getAsRange<GenericAttr>()) {
      if (accepted.insert(generic.getName()).second)
        known.push_back(generic.getName().str());
      if (!entry.empty())
        accepted.insert((entry + "." + generic.getName()).str());
    }
  };
  if (root)
    add(root.getGenerics(), "");
  Block &scope = root ? root.getBody().front() : *module.getBody();
  for (FuncOp function : scope.getOps<FuncOp>())
    if (function.getKind() == FuncKind::Entry)
      add(function.getGenerics(), shortName(function.getSymName()));
  for (const std::string &name : request.genericNames)
    if (!accepted.contains(name))
      return emitError(module.getLoc())
             << "[usage] there is no generic `" << name
             << "`; the generics are " << list(known);
  return success();
}

/// The known path with the fewest slips from `path`, empty where none is near.
/// Two swapped letters count as two.
static std::string nearest(StringRef path, const StringSet<> &known) {
  unsigned fewest = path.size() / 3 + 2;
  std::string found;
  for (StringRef candidate : known.keys()) {
    unsigned slips = path.edit_distance(candidate, true, fewest);
    if (slips > fewest ||
        (slips == fewest && (found.empty() || found < candidate)))
      continue;
    fewest = slips;
    found = candidate.str();
  }
  return found;
}

LogicalResult linnet::bind::refuseUnknownPaths(ModuleOp module,
                                               const Presence &presence,
                                               const StringSet<> &known) {
  SmallVector<std::string> unknown;
  for (StringRef path : presence.paths.keys())
    if (!known.contains(path))
      unknown.push_back(path.str());
  if (unknown.empty())
    return success();
  llvm::sort(unknown);
  InFlightDiagnostic error =
      emitError(module.getLoc())
      << "[usage] no member or optional input has the path " << list(unknown);
  if (std::string near = nearest(unknown.front(), known); !near.empty())
    error.attachNote() << "did you mean `" << near << "`?";
  return error;
}
