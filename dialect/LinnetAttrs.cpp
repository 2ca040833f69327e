// Attributes: their text, verifiers and conveniences.
#include "dialect/Reader.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;

#include "dialect/LinnetEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/LinnetAttrs.cpp.inc"

void LinnetDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/LinnetAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

template <typename T> static Attribute orNull(FailureOr<T> attr) {
  return succeeded(attr) ? Attribute(*attr) : Attribute();
}

static Attribute readBody(Reader &reader, StringRef mnemonic) {
  if (mnemonic == DimAttr::getMnemonic())
    return orNull(reader.readDim());
  if (mnemonic == ConstraintAttr::getMnemonic())
    return orNull(reader.readConstraint());
  if (mnemonic == GenericAttr::getMnemonic())
    return orNull(reader.readGeneric());
  if (mnemonic == ShapeAttr::getMnemonic()) {
    SmallVector<Attribute> shape;
    if (failed(reader.readShape(shape)))
      return {};
    return ShapeAttr::get(reader.getContext(), shape);
  }
  if (mnemonic == PackAttr::getMnemonic()) {
    if (failed(reader.expect("*")))
      return {};
    StringRef name = reader.takeName();
    if (!name.empty())
      return PackAttr::get(reader.getContext(), name);
  }
  (void)reader.fail("expected a `dim`, `pack`, `shape`, `constraint` or "
                    "`generic` of this dialect");
  return {};
}

Attribute LinnetDialect::parseAttribute(DialectAsmParser &parser,
                                        Type type) const {
  Reader reader(parser);
  StringRef mnemonic = reader.takeName();
  if (failed(reader.expect("<")))
    return {};
  Attribute attr = readBody(reader, mnemonic);
  if (!attr || failed(reader.expect(">")) || failed(reader.expectEnd()))
    return {};
  return attr;
}

void LinnetDialect::printAttribute(Attribute attr,
                                   DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

// An op never writes these attributes without their prefix, so nothing asks for
// the body alone.
static Attribute refuseBody(AsmParser &parser) {
  parser.emitError(parser.getCurrentLocation(),
                   "expected an attribute with its `#linnet.` prefix");
  return {};
}
Attribute DimAttr::parse(AsmParser &parser, Type) { return refuseBody(parser); }
Attribute PackAttr::parse(AsmParser &parser, Type) {
  return refuseBody(parser);
}
Attribute ShapeAttr::parse(AsmParser &parser, Type) {
  return refuseBody(parser);
}
Attribute ConstraintAttr::parse(AsmParser &parser, Type) {
  return refuseBody(parser);
}
Attribute GenericAttr::parse(AsmParser &parser, Type) {
  return refuseBody(parser);
}

void DimAttr::print(AsmPrinter &printer) const {
  printer.getStream() << '<' << getValue() << '>';
}
void PackAttr::print(AsmPrinter &printer) const {
  printer.getStream() << "<*" << getName() << '>';
}
void ShapeAttr::print(AsmPrinter &printer) const {
  printer.getStream() << '<';
  printShape(printer.getStream(), getElements());
  printer.getStream() << '>';
}
void ConstraintAttr::print(AsmPrinter &printer) const {
  printer.getStream() << "<\"" << getValue() << "\">";
}
void GenericAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<' << (isPack() ? "*" : "") << getName() << ": "
     << stringifyGenericKind(getKind());
  if (getDefaultValue()) {
    os << " = ";
    printArgument(os, getDefaultValue());
  }
  os << '>';
}

//===----------------------------------------------------------------------===//
// Verifiers and conveniences
//===----------------------------------------------------------------------===//

std::optional<int64_t> DimAttr::asInteger() const {
  std::optional<dims::Integer> value = getValue().asConstant();
  if (!value || *value < std::numeric_limits<int64_t>::min() ||
      *value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(*value);
}

LogicalResult ShapeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<Attribute> elements) {
  for (Attribute element : elements)
    if (!element || !isa<DimAttr, PackAttr>(element)) // C1
      return emitError() << "a shape holds dims and packs, found " << element;
  return success();
}

LogicalResult GenericAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringRef name, GenericKind kind,
                                  Attribute defaultValue) {
  if (!defaultValue)
    return success();
  if (kind == GenericKind::Dim && isa<DimAttr>(defaultValue))
    return success();
  if (kind == GenericKind::Shape && isa<ShapeAttr>(defaultValue))
    return success();
  auto type = dyn_cast<TypeAttr>(defaultValue);
  if (kind == GenericKind::Dim || kind == GenericKind::Shape || !type ||
      !dtype::isDtype(type.getValue())) // C1
    return emitError() << "the default of `" << name << "` is no "
                       << stringifyGenericKind(kind);
  auto dtypeClass = *symbolizeDtypeClass(stringifyGenericKind(kind));
  if (!dtype::isInClass(type.getValue(), dtypeClass)) // C2
    return emitError() << "the default of `" << name << "` is "
                       << type.getValue() << ", which is not in "
                       << stringifyDtypeClass(dtypeClass);
  return success();
}

DtypeClass GenericAttr::getDtypeClass() const {
  assert(isDtype() && "only a dtype generic has a class");
  return *symbolizeDtypeClass(stringifyGenericKind(getKind()));
}

bool linnet::isGenericArgument(Attribute attr) {
  if (auto type = dyn_cast_or_null<TypeAttr>(attr))
    return dtype::isDtype(type.getValue());
  return isa_and_nonnull<DimAttr, ShapeAttr>(attr);
}

bool linnet::isLiteral(Attribute attr) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return integer.getType().isSignlessInteger(64) ||
           integer.getType().isSignlessInteger(1);
  auto number = dyn_cast_or_null<FloatAttr>(attr);
  return number && number.getType().isF64();
}

DimAttr linnet::getDimSymbol(MLIRContext *context, StringRef name) {
  return DimAttr::get(context, dims::symbol(name));
}

std::optional<dims::Expr> linnet::getDim(Attribute element) {
  if (auto dim = dyn_cast<DimAttr>(element))
    return dim.getValue();
  return std::nullopt;
}

dims::Expr linnet::getProduct(ArrayRef<Attribute> shape) {
  dims::Expr product = dims::constant(1);
  for (Attribute element : shape) {
    if (auto pack = dyn_cast<PackAttr>(element))
      product = product * dims::packProduct(pack.getName());
    else
      product = product * cast<DimAttr>(element).getValue();
  }
  return product;
}

std::string linnet::toString(ArrayRef<Attribute> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printShape(os, shape);
  return text;
}
