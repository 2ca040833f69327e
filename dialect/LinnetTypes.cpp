// Types: their text, verifiers and conveniences.
#include "dialect/Reader.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;

#define GET_TYPEDEF_CLASSES
#include "dialect/LinnetTypes.cpp.inc"

void LinnetDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/LinnetTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static FailureOr<Type> readArray(Reader &reader) {
  if (failed(reader.expect("<")) || failed(reader.expect("!linnet.instance")))
    return failure();
  FailureOr<linnet::InstanceType> instance = reader.readInstance();
  if (failed(instance) || failed(reader.expect(",")))
    return failure();
  FailureOr<DimAttr> size = reader.readDim();
  if (failed(size) || failed(reader.expect(">")))
    return failure();
  return Type(linnet::ArrayType::get(*instance, *size));
}

static FailureOr<Type> readIndex(Reader &reader) {
  SmallVector<Attribute> extents;
  if (failed(reader.expect("<")) || failed(reader.readShape(extents)) ||
      failed(reader.expect(">")))
    return failure();
  auto type = linnet::IndexType::getChecked(reader.getErrorEmitter(),
                                            reader.getContext(),
                                            ArrayRef<Attribute>(extents));
  if (!type)
    return failure();
  return Type(type);
}

static FailureOr<Type> readRef(Reader &reader) {
  if (failed(reader.expect("<")) || failed(reader.expect("!linnet.tensor")))
    return failure();
  FailureOr<linnet::TensorType> tensor = reader.readTensor();
  if (failed(tensor) || failed(reader.expect(">")))
    return failure();
  return Type(linnet::RefType::get(*tensor));
}

static FailureOr<Type> readDtypeVariable(Reader &reader) {
  if (failed(reader.expect("<")))
    return failure();
  FailureOr<Type> type = reader.readDtype();
  if (failed(type))
    return failure();
  if (!isa<DtypeType>(*type))
    return reader.fail("expected a dtype variable, such as `T: Float`");
  if (failed(reader.expect(">")))
    return failure();
  return type;
}

Type LinnetDialect::parseType(DialectAsmParser &parser) const {
  Reader reader(parser);
  StringRef mnemonic = reader.takeName();
  FailureOr<Type> type = failure();
  if (mnemonic == linnet::TensorType::getMnemonic())
    type = reader.readTensor();
  else if (mnemonic == linnet::InstanceType::getMnemonic())
    type = reader.readInstance();
  else if (mnemonic == linnet::ArrayType::getMnemonic())
    type = readArray(reader);
  else if (mnemonic == linnet::IndexType::getMnemonic())
    type = readIndex(reader);
  else if (mnemonic == linnet::RefType::getMnemonic())
    type = readRef(reader);
  else if (mnemonic == DtypeType::getMnemonic())
    type = readDtypeVariable(reader);
  else {
    // These hold no dimension expressions of their own.
    StringRef keyword;
    Type parsed;
    SMLoc loc = parser.getCurrentLocation();
    OptionalParseResult result = generatedTypeParser(parser, &keyword, parsed);
    if (!result.has_value()) {
      parser.emitError(loc, "the dialect has no type `") << keyword << "`";
      return {};
    }
    return parsed;
  }
  if (failed(type) || failed(reader.expectEnd()))
    return {};
  return *type;
}

void LinnetDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)generatedTypePrinter(type, printer);
}

// An op never writes these types without their prefix, so nothing asks for the
// body alone.
static Type refuseBody(AsmParser &parser) {
  parser.emitError(parser.getCurrentLocation(),
                   "expected a type with its `!linnet.` prefix");
  return {};
}
Type linnet::TensorType::parse(AsmParser &parser) { return refuseBody(parser); }
Type linnet::InstanceType::parse(AsmParser &parser) {
  return refuseBody(parser);
}
Type linnet::ArrayType::parse(AsmParser &parser) { return refuseBody(parser); }
Type linnet::IndexType::parse(AsmParser &parser) { return refuseBody(parser); }
Type linnet::RefType::parse(AsmParser &parser) { return refuseBody(parser); }
Type DtypeType::parse(AsmParser &parser) { return refuseBody(parser); }

void linnet::TensorType::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<';
  printShape(os, getShape());
  os << ", ";
  printDtype(os, getElementType());
  os << '>';
}

void linnet::InstanceType::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<';
  printer.printSymbolName(getBlock().getValue());
  if (!getArguments().empty()) {
    os << '<';
    llvm::interleaveComma(getArguments(), os, [&](Attribute argument) {
      printArgument(os, argument);
    });
    os << '>';
  }
  os << '>';
}

void linnet::ArrayType::print(AsmPrinter &printer) const {
  printer.getStream() << "<!linnet.instance";
  getInstance().print(printer);
  printer.getStream() << ", " << getSize().getValue() << '>';
}

void linnet::IndexType::print(AsmPrinter &printer) const {
  printer.getStream() << '<';
  printShape(printer.getStream(), getExtents());
  printer.getStream() << '>';
}

void linnet::RefType::print(AsmPrinter &printer) const {
  printer.getStream() << "<!linnet.tensor";
  getTensor().print(printer);
  printer.getStream() << '>';
}

void DtypeType::print(AsmPrinter &printer) const {
  printer.getStream() << '<';
  printDtype(printer.getStream(), *this);
  printer.getStream() << '>';
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult verifyShape(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Attribute> shape) {
  for (Attribute element : shape) {
    if (!element || !isa<DimAttr, PackAttr>(element)) // C1
      return emitError() << "a shape holds dims and packs, found " << element;
    auto dim = dyn_cast<DimAttr>(element);
    std::optional<dims::Integer> value;
    if (dim && (value = dim.getValue().asConstant()) && *value < 0) // C3
      return emitError() << "dimension " << dims::toString(dim.getValue())
                         << " is negative";
  }
  return success();
}

LogicalResult
linnet::TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                           ArrayRef<Attribute> shape, Type elementType) {
  if (failed(verifyShape(emitError, shape)))
    return failure();
  if (!dtype::isDtype(elementType)) // C2
    return emitError() << "a tensor has no elements of type " << elementType;
  return success();
}

LogicalResult
linnet::IndexType::verify(function_ref<InFlightDiagnostic()> emitError,
                          ArrayRef<Attribute> extents) {
  return verifyShape(emitError, extents);
}

LogicalResult OptionalType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Type valueType) {
  if (isa<OptionalType>(valueType)) // C1
    return emitError() << "an optional holds no optional";
  return success();
}

LogicalResult
linnet::InstanceType::verify(function_ref<InFlightDiagnostic()> emitError,
                             FlatSymbolRefAttr block,
                             ArrayRef<Attribute> arguments) {
  for (Attribute argument : arguments)
    if (!isGenericArgument(argument)) // C1
      return emitError() << "a generic argument is a dim, a shape or a dtype, "
                            "found "
                         << argument;
  return success();
}

//===----------------------------------------------------------------------===//
// Conveniences
//===----------------------------------------------------------------------===//

bool linnet::TensorType::hasPacks() const {
  return llvm::any_of(getShape(), llvm::IsaPred<PackAttr>);
}

bool linnet::TensorType::isStatic() const {
  return llvm::all_of(getShape(), [](Attribute element) {
    auto dim = dyn_cast<DimAttr>(element);
    return dim && dim.asInteger();
  });
}

SmallVector<int64_t> linnet::TensorType::getStaticShape() const {
  SmallVector<int64_t> sizes;
  for (int64_t axis = 0, rank = getRank(); axis < rank; ++axis)
    sizes.push_back(getStaticSize(axis));
  return sizes;
}

int64_t linnet::TensorType::getStaticSize(int64_t axis) const {
  return *cast<DimAttr>(getShape()[axis]).asInteger();
}

int64_t linnet::TensorType::getNumElements() const {
  // Unsigned, because a shape that no machine holds may be written all the
  // same.
  uint64_t count = 1;
  for (int64_t size : getStaticShape())
    count *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(count);
}

dims::Expr linnet::TensorType::getDim(int64_t axis) const {
  return cast<DimAttr>(getShape()[axis]).getValue();
}

dims::Expr linnet::TensorType::getProduct() const {
  return linnet::getProduct(getShape());
}

linnet::TensorType linnet::TensorType::clone(ArrayRef<Attribute> shape) const {
  return get(shape, getElementType());
}
linnet::TensorType linnet::TensorType::clone(ArrayRef<int64_t> sizes) const {
  return get(sizes, getElementType());
}
linnet::TensorType linnet::TensorType::clone(Type elementType) const {
  return get(getShape(), elementType);
}

bool dtype::isBool(Type type) { return type.isSignlessInteger(1); }

bool dtype::isInteger(Type type) {
  if (auto variable = dyn_cast<DtypeType>(type))
    return variable.getDtypeClass() == DtypeClass::Integer;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  return width == 8 || width == 16 || width == 32 || width == 64;
}

bool dtype::isFloat(Type type) {
  if (auto variable = dyn_cast<DtypeType>(type))
    return variable.getDtypeClass() == DtypeClass::Float;
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool dtype::isNumeric(Type type) {
  if (auto variable = dyn_cast<DtypeType>(type))
    return variable.getDtypeClass() != DtypeClass::DType;
  return isInteger(type) || isFloat(type);
}

bool dtype::isDtype(Type type) {
  return isa<DtypeType>(type) || isBool(type) || isNumeric(type);
}

bool dtype::isInClass(Type type, DtypeClass dtypeClass) {
  switch (dtypeClass) {
  case DtypeClass::DType:
    return isDtype(type);
  case DtypeClass::Numeric:
    return isNumeric(type);
  case DtypeClass::Integer:
    return isInteger(type);
  case DtypeClass::Float:
    return isFloat(type);
  }
  llvm_unreachable("all classes are listed");
}

Type dtype::get(MLIRContext *context, StringRef name) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(name)
      .Case("i1", builder.getI1Type())
      .Case("i8", builder.getI8Type())
      .Case("i16", builder.getIntegerType(16))
      .Case("i32", builder.getI32Type())
      .Case("i64", builder.getI64Type())
      .Case("ui8", builder.getIntegerType(8, /*isSigned=*/false))
      .Case("ui16", builder.getIntegerType(16, /*isSigned=*/false))
      .Case("ui32", builder.getIntegerType(32, /*isSigned=*/false))
      .Case("ui64", builder.getIntegerType(64, /*isSigned=*/false))
      .Case("f16", builder.getF16Type())
      .Case("bf16", builder.getBF16Type())
      .Case("f32", builder.getF32Type())
      .Case("f64", builder.getF64Type())
      .Default(Type());
}

bool linnet::isValueType(Type type) {
  if (auto optional = dyn_cast<OptionalType>(type))
    return isValueType(optional.getValueType());
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isValueType);
  return isa<linnet::TensorType, linnet::EnumType>(type);
}
