// Parts of the ops' assembly that no declarative format can say.
#include "dialect/Assembly.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace linnet;

//===----------------------------------------------------------------------===//
// Dims and constraints
//===----------------------------------------------------------------------===//

ParseResult linnet::parseDim(AsmParser &parser, DimAttr &dim) {
  SMLoc loc = parser.getCurrentLocation();
  MLIRContext *context = parser.getContext();
  std::string text;
  int64_t value;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (integer.has_value()) {
    if (failed(*integer))
      return failure();
    dim = DimAttr::get(context, value);
    return success();
  }
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    text = keyword.str();
  else if (failed(parser.parseOptionalString(&text)))
    return parser.emitError(
        loc, "expected a dimension: an integer, a name or quoted text");

  std::string error;
  std::optional<dims::Expr> expr = dims::parseExpr(text, error);
  if (!expr)
    return parser.emitError(loc, "expected a dimension: ") << error;
  dim = DimAttr::get(context, *expr);
  return success();
}

static bool isPlain(StringRef text) {
  return llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

void linnet::printDim(AsmPrinter &printer, Operation *, DimAttr dim) {
  std::string text = dims::toString(dim.getValue());
  if (isPlain(text))
    printer << text;
  else
    printer << '"' << text << '"';
}

ParseResult linnet::parseDims(OpAsmParser &parser, ArrayAttr &dims) {
  SmallVector<Attribute> elements;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        DimAttr dim;
        if (parseDim(parser, dim))
          return failure();
        elements.push_back(dim);
        return success();
      }))
    return failure();
  dims = parser.getBuilder().getArrayAttr(elements);
  return success();
}

void linnet::printDims(OpAsmPrinter &printer, Operation *op, ArrayAttr dims) {
  printer << '[';
  llvm::interleaveComma(dims.getAsRange<DimAttr>(), printer,
                        [&](DimAttr dim) { printDim(printer, op, dim); });
  printer << ']';
}

ParseResult linnet::parseConstraint(OpAsmParser &parser,
                                    ConstraintAttr &constraint) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text, error;
  if (parser.parseString(&text))
    return failure();
  std::optional<dims::Constraint> value = dims::parseConstraint(text, error);
  if (!value)
    return parser.emitError(loc, "expected a constraint: ") << error;
  constraint = ConstraintAttr::get(parser.getContext(), *value);
  return success();
}

void linnet::printConstraint(OpAsmPrinter &printer, Operation *,
                             ConstraintAttr constraint) {
  printer << '"' << dims::toString(constraint.getValue()) << '"';
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

// `f32`, or `Float` after `T:`
static ParseResult parseDtypeClass(AsmParser &parser, DtypeClass &dtypeClass) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<DtypeClass> value = symbolizeDtypeClass(keyword);
  if (!value)
    return parser.emitError(
        loc, "expected `DType`, `Numeric`, `Integer` or `Float`");
  dtypeClass = *value;
  return success();
}

// A dim, a shape in brackets, a builtin dtype or `T: Float`.
static ParseResult parseArgument(AsmParser &parser, Attribute &argument) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalLSquare())) {
    SmallVector<Attribute> shape;
    if (succeeded(parser.parseOptionalRSquare())) {
      argument = ShapeAttr::get(context, shape);
      return success();
    }
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          if (succeeded(parser.parseOptionalStar())) {
            StringRef name;
            if (parser.parseKeyword(&name))
              return failure();
            shape.push_back(PackAttr::get(context, name));
            return success();
          }
          DimAttr dim;
          if (parseDim(parser, dim))
            return failure();
          shape.push_back(dim);
          return success();
        }) ||
        parser.parseRSquare())
      return failure();
    argument = ShapeAttr::get(context, shape);
    return success();
  }

  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name))) {
    DimAttr dim;
    if (parseDim(parser, dim))
      return failure();
    argument = dim;
    return success();
  }
  if (succeeded(parser.parseOptionalColon())) {
    DtypeClass dtypeClass;
    if (parseDtypeClass(parser, dtypeClass))
      return failure();
    argument = TypeAttr::get(DtypeType::get(context, name, dtypeClass));
    return success();
  }
  if (Type type = dtype::get(context, name)) {
    argument = TypeAttr::get(type);
    return success();
  }
  std::string error;
  std::optional<dims::Expr> expr = dims::parseExpr(name, error);
  if (!expr)
    return parser.emitError(loc, "expected a dimension: ") << error;
  argument = DimAttr::get(context, *expr);
  return success();
}

static void printArgument(AsmPrinter &printer, Operation *op,
                          Attribute argument) {
  if (auto dim = dyn_cast<DimAttr>(argument))
    return printDim(printer, op, dim);
  if (auto shape = dyn_cast<ShapeAttr>(argument)) {
    printer << '[';
    llvm::interleaveComma(shape.getElements(), printer, [&](Attribute element) {
      if (auto pack = dyn_cast<PackAttr>(element))
        printer << '*' << pack.getName();
      else
        printDim(printer, op, cast<DimAttr>(element));
    });
    printer << ']';
    return;
  }
  Type type = cast<TypeAttr>(argument).getValue();
  if (auto variable = dyn_cast<DtypeType>(type))
    printer << variable.getName() << ": "
            << stringifyDtypeClass(variable.getDtypeClass());
  else
    printer << type;
}

ParseResult linnet::parseGenerics(OpAsmParser &parser, ArrayAttr &generics) {
  SmallVector<Attribute> elements;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    bool isPack = succeeded(parser.parseOptionalStar());
    StringRef name, kindName;
    if (parser.parseKeyword(&name) || parser.parseColon() ||
        parser.parseKeyword(&kindName))
      return failure();
    std::optional<GenericKind> kind = symbolizeGenericKind(kindName);
    if (!kind || isPack != (kind == GenericKind::Shape))
      return parser.emitError(
          loc, "expected `N: Dim`, `*S: Shape` or a dtype class");
    Attribute defaultValue;
    if (succeeded(parser.parseOptionalEqual()) &&
        parseArgument(parser, defaultValue))
      return failure();
    auto generic = parser.getChecked<GenericAttr>(loc, parser.getContext(),
                                                  name, *kind, defaultValue);
    if (!generic)
      return failure();
    elements.push_back(generic);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalLessGreater,
                                     parseOne))
    return failure();
  generics = parser.getBuilder().getArrayAttr(elements);
  return success();
}

void linnet::printGenerics(OpAsmPrinter &printer, Operation *op,
                           ArrayAttr generics) {
  if (generics.empty())
    return;
  printer << '<';
  llvm::interleaveComma(
      generics.getAsRange<GenericAttr>(), printer, [&](GenericAttr generic) {
        printer << (generic.isPack() ? "*" : "") << generic.getName() << ": "
                << stringifyGenericKind(generic.getKind());
        if (generic.getDefaultValue()) {
          printer << " = ";
          printArgument(printer, op, generic.getDefaultValue());
        }
      });
  printer << '>';
}

ParseResult linnet::parseGenericArgs(OpAsmParser &parser,
                                     ArrayAttr &arguments) {
  SmallVector<Attribute> elements;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::OptionalLessGreater, [&]() -> ParseResult {
            return parseArgument(parser, elements.emplace_back());
          }))
    return failure();
  arguments = parser.getBuilder().getArrayAttr(elements);
  return success();
}

void linnet::printGenericArgs(OpAsmPrinter &printer, Operation *op,
                              ArrayAttr arguments) {
  if (arguments.empty())
    return;
  printer << '<';
  llvm::interleaveComma(arguments, printer, [&](Attribute argument) {
    printArgument(printer, op, argument);
  });
  printer << '>';
}

ParseResult linnet::parseWhere(OpAsmParser &parser, ArrayAttr &where) {
  SmallVector<Attribute> constraints;
  if (succeeded(parser.parseOptionalKeyword("where")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() -> ParseResult {
                                       ConstraintAttr constraint;
                                       if (parseConstraint(parser, constraint))
                                         return failure();
                                       constraints.push_back(constraint);
                                       return success();
                                     }))
    return failure();
  where = parser.getBuilder().getArrayAttr(constraints);
  return success();
}

void linnet::printWhere(OpAsmPrinter &printer, Operation *op, ArrayAttr where) {
  if (where.empty())
    return;
  printer << " where [";
  llvm::interleaveComma(where.getAsRange<ConstraintAttr>(), printer,
                        [&](ConstraintAttr constraint) {
                          printConstraint(printer, op, constraint);
                        });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ParseResult linnet::parseLiteral(OpAsmParser &parser, TypedAttr &literal) {
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("true"))) {
    literal = builder.getBoolAttr(true);
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("false"))) {
    literal = builder.getBoolAttr(false);
    return success();
  }
  // The parser cannot look at a number without taking it: look at the text,
  // which ends in a zero. A float has a point, or is written in hexadecimal.
  const char *text = parser.getCurrentLocation().getPointer();
  text += *text == '-';
  bool isFloat = text[0] == '0' && text[1] == 'x';
  while (llvm::isDigit(*text))
    ++text;
  isFloat |= *text == '.';
  if (isFloat) {
    double value;
    if (parser.parseFloat(value))
      return failure();
    literal = builder.getF64FloatAttr(value);
    return success();
  }
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  literal = builder.getI64IntegerAttr(value);
  return success();
}

void linnet::printLiteral(OpAsmPrinter &printer, Operation *,
                          TypedAttr literal) {
  if (auto number = dyn_cast<FloatAttr>(literal))
    printer.printFloat(number.getValue());
  else if (literal.getType().isInteger(1))
    printer << (cast<IntegerAttr>(literal).getValue().isZero() ? "false"
                                                               : "true");
  else
    printer << cast<IntegerAttr>(literal).getValue().getSExtValue();
}

ParseResult linnet::parseOptionalOf(OpAsmParser &parser, Type &value,
                                    Type &optional) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(value))
    return failure();
  optional = parser.getChecked<OptionalType>(loc, parser.getContext(), value);
  return success(static_cast<bool>(optional));
}

void linnet::printOptionalOf(OpAsmPrinter &printer, Operation *, Type value,
                             Type) {
  printer << value;
}

ParseResult linnet::parseTupleOf(OpAsmParser &parser,
                                 SmallVectorImpl<Type> &elements, Type &tuple) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(tuple))
    return failure();
  auto type = dyn_cast<TupleType>(tuple);
  if (!type)
    return parser.emitError(loc, "expected a tuple type");
  llvm::append_range(elements, type.getTypes());
  return success();
}

void linnet::printTupleOf(OpAsmPrinter &printer, Operation *, TypeRange,
                          Type tuple) {
  printer << tuple;
}

ParseResult linnet::parseStartType(
    OpAsmParser &parser, SmallVectorImpl<Type> &types,
    const SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (operands.empty())
    return success();
  Type type;
  if (parser.parseComma() || parser.parseType(type))
    return failure();
  types.assign(operands.size(), type);
  return success();
}

void linnet::printStartType(OpAsmPrinter &printer, Operation *, TypeRange types,
                            OperandRange) {
  if (!types.empty())
    printer << ", " << types.front();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

ParseResult
linnet::parseCases(OpAsmParser &parser, ArrayAttr &cases,
                   SmallVectorImpl<std::unique_ptr<Region>> &regions,
                   Region &defaultRegion) {
  SmallVector<Attribute> names;
  while (succeeded(parser.parseOptionalKeyword("case"))) {
    std::string name;
    auto region = std::make_unique<Region>();
    if (parser.parseString(&name) || parser.parseRegion(*region))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    regions.push_back(std::move(region));
  }
  cases = parser.getBuilder().getArrayAttr(names);
  if (succeeded(parser.parseOptionalKeyword("default")))
    return parser.parseRegion(defaultRegion);
  return success();
}

void linnet::printCases(OpAsmPrinter &printer, Operation *, ArrayAttr cases,
                        RegionRange regions, Region &defaultRegion) {
  bool isFirst = true;
  for (auto [name, region] : llvm::zip(cases, regions)) {
    printer << (isFirst ? "" : " ") << "case " << name << ' ';
    printer.printRegion(*region);
    isFirst = false;
  }
  if (defaultRegion.empty())
    return;
  printer << (isFirst ? "" : " ") << "default ";
  printer.printRegion(defaultRegion);
}

ParseResult
linnet::parseCarried(OpAsmParser &parser, OperationState &result,
                     SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren, [&]() -> ParseResult {
            OpAsmParser::Argument &argument = arguments.emplace_back();
            if (parser.parseArgument(argument) || parser.parseEqual() ||
                parser.parseOperand(inits.emplace_back()) ||
                parser.parseColonType(argument.type))
              return failure();
            types.push_back(argument.type);
            return success();
          }))
    return failure();
  result.addTypes(types);
  return parser.resolveOperands(inits, types, loc, result.operands);
}

void linnet::printCarried(OpAsmPrinter &printer, ValueRange arguments,
                          ValueRange inits) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(arguments, inits), printer, [&](auto pair) {
    auto [argument, init] = pair;
    printer << argument << " = " << init << " : " << init.getType();
  });
  printer << ')';
}
