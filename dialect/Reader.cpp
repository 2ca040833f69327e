// Reads the text between the brackets of a type or attribute of the dialect.
#include "dialect/Reader.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace linnet;

LogicalResult Reader::fail(const Twine &message) {
  skipSpace();
  return parser.emitError(llvm::SMLoc::getFromPointer(rest.data()), message);
}

bool Reader::consume(StringRef token) {
  skipSpace();
  return rest.consume_front(token);
}

LogicalResult Reader::expect(StringRef token) {
  if (consume(token))
    return success();
  return fail("expected `" + token + "`");
}

LogicalResult Reader::expectEnd() {
  skipSpace();
  return rest.empty() ? success() : fail("expected the end of the text");
}

static StringRef getName(StringRef text) {
  if (text.empty() || !(llvm::isAlpha(text[0]) || text[0] == '_'))
    return text.take_front(0);
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

StringRef Reader::peekName() {
  skipSpace();
  return getName(rest);
}

StringRef Reader::takeName() {
  StringRef name = peekName();
  rest = rest.drop_front(name.size());
  return name;
}

FailureOr<StringRef> Reader::readQuoted() {
  if (failed(expect("\"")))
    return failure();
  StringRef text = rest.take_while([](char c) { return c != '"'; });
  if (text.size() == rest.size() || text.contains('\\'))
    return fail("expected text without escapes, and a closing quote");
  rest = rest.drop_front(text.size() + 1);
  return text;
}

FailureOr<FlatSymbolRefAttr> Reader::readSymbol() {
  if (failed(expect("@")))
    return failure();
  if (rest.starts_with("\"")) {
    FailureOr<StringRef> text = readQuoted();
    if (failed(text))
      return failure();
    if (text->empty())
      return fail("expected a name between the quotes");
    return FlatSymbolRefAttr::get(getContext(), *text);
  }
  StringRef name = rest.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
  });
  if (name.empty())
    return fail("expected a symbol name");
  rest = rest.drop_front(name.size());
  return FlatSymbolRefAttr::get(getContext(), name);
}

StringRef Reader::takeExpression() {
  skipSpace();
  size_t end = 0;
  for (unsigned depth = 0; end < rest.size(); ++end) {
    char c = rest[end];
    if (c == '(')
      ++depth;
    else if (c == ')' && depth > 0)
      --depth;
    else if (depth == 0 && StringRef(",]>[<\"").contains(c))
      break;
  }
  StringRef text = rest.take_front(end);
  rest = rest.drop_front(end);
  return text.rtrim(" \t\r\n");
}

FailureOr<DimAttr> Reader::readDim() {
  skipSpace();
  StringRef before = rest;
  StringRef text = takeExpression();
  std::string error;
  std::optional<dims::Expr> value = dims::parseExpr(text, error);
  if (!value) {
    rest = before;
    return fail("expected a dimension: " + error);
  }
  return DimAttr::get(getContext(), *value);
}

LogicalResult Reader::readShape(SmallVectorImpl<Attribute> &shape) {
  if (failed(expect("[")))
    return failure();
  if (consume("]"))
    return success();
  do {
    if (consume("*")) {
      StringRef name = takeName();
      if (name.empty())
        return fail("expected the name of a pack");
      shape.push_back(PackAttr::get(getContext(), name));
      continue;
    }
    FailureOr<DimAttr> dim = readDim();
    if (failed(dim))
      return failure();
    shape.push_back(*dim);
  } while (consume(","));
  return expect("]");
}

FailureOr<Type> Reader::readDtype() {
  StringRef before = (skipSpace(), rest);
  StringRef name = takeName();
  if (consume(":")) {
    std::optional<DtypeClass> dtypeClass = symbolizeDtypeClass(peekName());
    if (!dtypeClass || name.empty())
      return fail("expected `DType`, `Numeric`, `Integer` or `Float` after the "
                  "name of a dtype variable");
    takeName();
    return DtypeType::get(getContext(), name, *dtypeClass);
  }
  if (Type type = dtype::get(getContext(), name))
    return type;
  rest = before;
  return fail("expected an element type, such as `f32` or `T: Float`");
}

FailureOr<Attribute> Reader::readArgument() {
  skipSpace();
  if (rest.starts_with("[")) {
    SmallVector<Attribute> shape;
    if (failed(readShape(shape)))
      return failure();
    return Attribute(ShapeAttr::get(getContext(), shape));
  }
  StringRef before = rest;
  StringRef name = takeName();
  bool isDtype = consume(":") || dtype::get(getContext(), name);
  rest = before;
  if (isDtype) {
    FailureOr<Type> type = readDtype();
    if (failed(type))
      return failure();
    return Attribute(TypeAttr::get(*type));
  }
  FailureOr<DimAttr> dim = readDim();
  if (failed(dim))
    return failure();
  return Attribute(*dim);
}

FailureOr<InstanceType> Reader::readInstance() {
  if (failed(expect("<")))
    return failure();
  FailureOr<FlatSymbolRefAttr> block = readSymbol();
  if (failed(block))
    return failure();
  SmallVector<Attribute> arguments;
  if (consume("<")) {
    do {
      FailureOr<Attribute> argument = readArgument();
      if (failed(argument))
        return failure();
      arguments.push_back(*argument);
    } while (consume(","));
    if (failed(expect(">")))
      return failure();
  }
  if (failed(expect(">")))
    return failure();
  return InstanceType::get(*block, arguments);
}

FailureOr<ConstraintAttr> Reader::readConstraint() {
  StringRef before = (skipSpace(), rest);
  FailureOr<StringRef> text = readQuoted();
  if (failed(text))
    return failure();
  std::string error;
  std::optional<dims::Constraint> value = dims::parseConstraint(*text, error);
  if (!value) {
    rest = before;
    return fail("expected a constraint: " + error);
  }
  return ConstraintAttr::get(getContext(), *value);
}

FailureOr<GenericAttr> Reader::readGeneric() {
  bool isPack = consume("*");
  StringRef name = takeName();
  if (name.empty())
    return fail("expected the name of a generic");
  if (failed(expect(":")))
    return failure();
  std::optional<GenericKind> kind = symbolizeGenericKind(peekName());
  if (!kind || isPack != (kind == GenericKind::Shape))
    return fail("expected `Dim`, a dtype class, or `Shape` for a starred name");
  takeName();
  Attribute defaultValue;
  if (consume("=")) {
    FailureOr<Attribute> value = readArgument();
    if (failed(value))
      return failure();
    defaultValue = *value;
  }
  GenericAttr generic = GenericAttr::getChecked(getErrorEmitter(), getContext(),
                                                name, *kind, defaultValue);
  if (!generic)
    return failure();
  return generic;
}

FailureOr<linnet::TensorType> Reader::readTensor() {
  SmallVector<Attribute> shape;
  if (failed(expect("<")) || failed(readShape(shape)) || failed(expect(",")))
    return failure();
  FailureOr<Type> element = readDtype();
  if (failed(element) || failed(expect(">")))
    return failure();
  auto type = linnet::TensorType::getChecked(
      getErrorEmitter(), getContext(), ArrayRef<Attribute>(shape), *element);
  if (!type)
    return failure();
  return type;
}

void linnet::printShape(raw_ostream &os, ArrayRef<Attribute> shape) {
  os << '[';
  llvm::interleaveComma(shape, os, [&](Attribute element) {
    if (auto pack = dyn_cast<PackAttr>(element))
      os << '*' << pack.getName();
    else
      os << cast<DimAttr>(element).getValue();
  });
  os << ']';
}

void linnet::printDtype(raw_ostream &os, Type type) {
  if (auto variable = dyn_cast<DtypeType>(type))
    os << variable.getName() << ": "
       << stringifyDtypeClass(variable.getDtypeClass());
  else
    os << type;
}

void linnet::printArgument(raw_ostream &os, Attribute argument) {
  if (auto shape = dyn_cast<ShapeAttr>(argument))
    printShape(os, shape.getElements());
  else if (auto dim = dyn_cast<DimAttr>(argument))
    os << dim.getValue();
  else
    printDtype(os, cast<TypeAttr>(argument).getValue());
}
