// Evaluation of dimensions and substitution in types.
#include "lib/Bind/Scope.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

static std::optional<int64_t> narrow(const dims::Integer &value) {
  if (value > dims::Integer(std::numeric_limits<int64_t>::max()) ||
      value < dims::Integer(std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  return int64_t(value);
}

void Scope::bindDim(StringRef name, const dims::Expr &size) {
  if (std::optional<dims::Integer> number = size.asConstant())
    numbers[name.str()] = *number;
  else
    openSizes[name.str()] = size;
  cache.clear();
}

void Scope::bindPack(StringRef name, ArrayRef<dims::Expr> sizes) {
  dims::Expr product = dims::constant(1);
  for (const dims::Expr &size : sizes)
    product = product * size;
  bindDim("*" + name.str(), product);
  packs[name.str()].assign(sizes.begin(), sizes.end());
}

void Scope::bindElement(StringRef name, Type type) {
  elements[name.str()] = type;
  cache.clear();
}

std::optional<int64_t> Scope::evaluate(const dims::Expr &expr) const {
  std::optional<dims::Integer> value = dims::evaluate(expr, numbers);
  return value ? narrow(*value) : std::nullopt;
}

bool Scope::isOpen(const dims::Expr &expr) const {
  if (openSizes.empty())
    return false;
  std::set<std::string> names;
  dims::collectSymbols(expr, names);
  return llvm::any_of(names, [&](const std::string &name) {
    return openSizes.count(name) != 0;
  });
}

std::optional<dims::Constraint>
Scope::openConstraint(const dims::Constraint &constraint) const {
  if (!isOpen(constraint.lhs) && !isOpen(constraint.rhs))
    return std::nullopt;
  std::map<std::string, dims::Expr> values = openSizes;
  for (const auto &[name, number] : numbers)
    values.emplace(name, dims::constant(number));
  return dims::substitute(constraint, values);
}

bool Scope::holds(const dims::Constraint &constraint) const {
  if (std::optional<dims::Constraint> claim = openConstraint(constraint))
    return facts && dims::isProvable(*facts, *claim);
  return dims::evaluate(constraint, numbers).value_or(false);
}

const Scope::Sizes *Scope::findPack(StringRef name) const {
  auto found = packs.find(name);
  return found == packs.end() ? nullptr : &found->second;
}

FailureOr<int64_t> Scope::number(const dims::Expr &expr, Location loc) const {
  if (isOpen(expr)) {
    FailureOr<dims::Expr> open = size(expr, loc);
    if (failed(open))
      return failure();
    if (std::optional<dims::Integer> value = open->asConstant())
      return int64_t(*value);
    return emitError(loc) << "[capability] `" << dims::toString(*open)
                          << "` is open, and must be a number here; give it "
                             "one with --bind";
  }
  if (std::optional<int64_t> value = evaluate(expr))
    return *value;
  if (dims::isOpaque(expr))
    return emitError(loc)
           << "[E2208] this dimension is too large an expression to compute";
  return emitError(loc) << "[E2208] `" << dims::toString(expr)
                        << "` has no 64-bit value: " << show(expr);
}

FailureOr<dims::Expr> Scope::size(const dims::Expr &expr, Location loc) const {
  if (!isOpen(expr)) {
    FailureOr<int64_t> value = number(expr, loc);
    if (failed(value))
      return failure();
    return dims::constant(*value);
  }
  std::map<std::string, dims::Expr> values = openSizes;
  for (const auto &[name, number] : numbers)
    values.emplace(name, dims::constant(number));
  dims::Expr open = dims::substitute(expr, values);
  return facts ? dims::simplify(*facts, open) : open;
}

FailureOr<Scope::Sizes> Scope::expand(ArrayRef<Attribute> shape,
                                      Location loc) const {
  Sizes sizes;
  for (Attribute element : shape) {
    if (auto pack = dyn_cast<PackAttr>(element)) {
      llvm::append_range(sizes, *findPack(pack.getName()));
      continue;
    }
    const dims::Expr &expr = cast<DimAttr>(element).getValue();
    FailureOr<dims::Expr> bound = size(expr, loc);
    if (failed(bound))
      return failure();
    if (std::optional<dims::Integer> value = bound->asConstant();
        value && *value < 0)
      return emitError(loc)
             << "[E2208] dimension `" << dims::toString(expr) << "` is "
             << dims::toString(*bound) << ": " << show(expr);
    sizes.push_back(*bound);
  }
  return sizes;
}

SmallVector<int64_t> Scope::widths(ArrayRef<Attribute> shape) const {
  SmallVector<int64_t> widths;
  for (Attribute element : shape) {
    auto pack = dyn_cast<PackAttr>(element);
    widths.push_back(pack ? findPack(pack.getName())->size() : 1);
  }
  return widths;
}

void Scope::show(const dims::Expr &expr,
                 SmallVectorImpl<std::string> &shown) const {
  dims::walkAtoms(expr, [&](const dims::Atom &atom) {
    if (!atom.isNamed())
      return;
    std::string key = atom.getKey(), text;
    llvm::raw_string_ostream os(text);
    os << key << " = ";
    if (atom.getKind() == dims::AtomKind::PackProduct) {
      os << "[";
      if (const Sizes *sizes = findPack(atom.getName()))
        llvm::interleaveComma(*sizes, os);
      os << "]";
    } else if (auto found = numbers.find(key); found != numbers.end()) {
      os << found->second;
    } else if (auto open = openSizes.find(key); open != openSizes.end()) {
      os << open->second;
    } else {
      os << "?";
    }
    if (!llvm::is_contained(shown, text))
      shown.push_back(text);
  });
}

std::string Scope::show(const dims::Expr &expr) const {
  SmallVector<std::string> shown;
  show(expr, shown);
  return llvm::join(shown, ", ");
}

std::string Scope::show(const dims::Constraint &constraint) const {
  SmallVector<std::string> shown;
  show(constraint.lhs, shown);
  show(constraint.rhs, shown);
  return llvm::join(shown, ", ");
}

std::string Scope::show(GenericAttr generic) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef name = generic.getName();
  os << name << '=';
  if (generic.isPack()) {
    os << '[';
    llvm::interleaveComma(*findPack(name), os, [&](const dims::Expr &size) {
      os << dims::toString(size);
    });
    os << ']';
  } else if (generic.isDtype()) {
    os << elements.find(name)->second;
  } else if (auto number = numbers.find(name.str()); number != numbers.end()) {
    os << number->second;
  } else {
    os << dims::toString(openSizes.at(name.str()));
  }
  return text;
}

Type Scope::element(Type type) const {
  auto variable = dyn_cast<DtypeType>(type);
  if (!variable)
    return type;
  auto found = elements.find(variable.getName());
  assert(found != elements.end() && "a dtype variable out of scope");
  return found->second;
}

Type Scope::substitute(Type type, Location loc) {
  if (Type known = cache.lookup(type))
    return known;
  Type result = type;
  if (auto tensor = dyn_cast<linnet::TensorType>(type)) {
    FailureOr<Sizes> sizes = expand(tensor.getShape(), loc);
    if (failed(sizes))
      return {};
    SmallVector<Attribute> shape;
    for (const dims::Expr &size : *sizes)
      shape.push_back(DimAttr::get(type.getContext(), size));
    result = linnet::TensorType::get(ArrayRef<Attribute>(shape),
                                     element(tensor.getElementType()));
  } else if (auto optional = dyn_cast<OptionalType>(type)) {
    Type inner = substitute(optional.getValueType(), loc);
    if (!inner)
      return {};
    result = OptionalType::get(inner);
  } else if (auto tuple = dyn_cast<TupleType>(type)) {
    SmallVector<Type> parts;
    for (Type part : tuple.getTypes()) {
      parts.push_back(substitute(part, loc));
      if (!parts.back())
        return {};
    }
    result = TupleType::get(type.getContext(), parts);
  } else if (isa<DtypeType>(type)) {
    result = element(type);
  }
  cache[type] = result;
  return result;
}
