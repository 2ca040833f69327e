// Verifiers and assembly of choices, loops and compound values.
#include "dialect/Assembly.h"
#include "dialect/Substitution.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace linnet;

//===----------------------------------------------------------------------===//
// Compound values
//===----------------------------------------------------------------------===//

LogicalResult SomeOp::verify() {
  if (getType().getValueType() != getValue().getType()) // C1
    return emitOpError("holds ")
           << getValue().getType() << ", expected " << getType().getValueType();
  return success();
}

static LogicalResult verifyTuple(Operation *op, Type tuple,
                                 TypeRange elements) {
  if (llvm::equal(cast<TupleType>(tuple).getTypes(), elements))
    return success();
  return op->emitOpError("has the elements (")
         << elements << "), expected those of " << tuple;
}

LogicalResult TupleOp::verify() {
  return verifyTuple(*this, getType(), getElements().getTypes()); // C1
}

LogicalResult UntupleOp::verify() {
  return verifyTuple(*this, getInput().getType(),
                     getElements().getTypes()); // C1
}

static FailureOr<EnumOp> getEnum(Operation *op, linnet::EnumType type) {
  if (EnumOp decl = lookupEnum(op, type.getSymbol()))
    return decl;
  return op->emitOpError("the module has no enum ") << type.getSymbol();
}

LogicalResult EnumValueOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<EnumOp> decl = getEnum(*this, getType());
  if (failed(decl))
    return failure();
  if (!llvm::is_contained(decl->getVariants(), getVariantAttr())) // C1
    return emitOpError("enum ")
           << getType().getSymbol() << " has no variant " << getVariantAttr();
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static LogicalResult verifyArguments(Operation *op, Region &region,
                                     TypeRange expected, StringRef what) {
  if (llvm::equal(region.getArgumentTypes(), expected))
    return success();
  return op->emitOpError() << what << " takes (" << region.getArgumentTypes()
                           << "), expected (" << expected << ')';
}

static LogicalResult verifyYield(Operation *op, Region &region,
                                 TypeRange expected, StringRef what) {
  Block &block = region.front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError() << what << " needs to end in `linnet.yield`";
  if (llvm::equal(yield.getOperandTypes(), expected))
    return success();
  auto error = op->emitOpError()
               << what << " gives (" << yield.getOperandTypes()
               << "), expected (" << expected << ')';
  error.attachNote(yield.getLoc()) << "it gives them here";
  return error;
}

LogicalResult IfOp::verifyRegions() {
  for (auto [region, what] :
       {std::pair<Region *, StringRef>{&getThenRegion(), "the first region"},
        {&getElseRegion(), "the second region"}})
    if (failed(verifyArguments(*this, *region, {}, what)) ||
        failed(verifyYield(*this, *region, getResultTypes(), what))) // C1
      return failure();
  return success();
}

LogicalResult MatchOptionalOp::verifyRegions() {
  Type value = getOptional().getType().getValueType();
  if (failed(verifyArguments(*this, getSomeRegion(), value,
                             "the `some` region")) || // C2
      failed(verifyArguments(*this, getNoneRegion(), {}, "the `none` region")))
    return failure();
  if (failed(verifyYield(*this, getSomeRegion(), getResultTypes(),
                         "the `some` region"))) // C1
    return failure();
  return verifyYield(*this, getNoneRegion(), getResultTypes(),
                     "the `none` region"); // C1
}

LogicalResult MatchEnumOp::verifyRegions() {
  if (getCases().size() != getCaseRegions().size()) // C2
    return emitOpError("has ")
           << getCaseRegions().size() << " case regions, expected "
           << getCases().size();
  llvm::StringSet<> names;
  for (auto name : getCases().getAsRange<StringAttr>())
    if (!names.insert(name.getValue()).second) // C2
      return emitOpError("case ") << name << " is listed twice";
  SmallVector<Region *> regions;
  for (Region &region : getCaseRegions())
    regions.push_back(&region);
  if (!getDefaultRegion().empty())
    regions.push_back(&getDefaultRegion());
  for (Region *region : regions)
    if (failed(verifyArguments(*this, *region, {}, "a region")) ||
        failed(verifyYield(*this, *region, getResultTypes(), "a region"))) // C1
      return failure();
  return success();
}

LogicalResult MatchEnumOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<EnumOp> decl = getEnum(*this, getValue().getType());
  if (failed(decl))
    return failure();
  for (Attribute name : getCases())
    if (!llvm::is_contained(decl->getVariants(), name)) // C3
      return emitOpError("enum ")
             << getValue().getType().getSymbol() << " has no variant " << name;
  if (!getDefaultRegion().empty())
    return success();
  for (Attribute name : decl->getVariants())
    if (!llvm::is_contained(getCases(), name)) // C3
      return emitOpError("has no case for variant ") << name;
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static LogicalResult verifyCarried(Operation *op, TypeRange inits) {
  if (llvm::equal(inits, op->getResultTypes()))
    return success();
  return op->emitOpError("begins with (")
         << inits << ") and gives (" << op->getResultTypes() << ')';
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parseCarried(parser, result, arguments) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseKeyword("do") || parser.parseRegion(*result.addRegion()))
    return failure();
  return success();
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printCarried(printer, getBefore().getArguments(), getInits());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBefore(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody());
}

LogicalResult WhileOp::verifyRegions() {
  TypeRange carried = getInits().getTypes();
  if (failed(verifyCarried(*this, carried)) || // C1
      failed(
          verifyArguments(*this, getBefore(), carried, "the first region")) ||
      failed(verifyArguments(*this, getBody(), carried, "the second region")))
    return failure();
  Block &before = getBefore().front();
  if (before.empty() || !isa<ConditionOp>(before.back())) // C2
    return emitOpError("the first region needs to end in `linnet.condition`");
  return verifyYield(*this, getBody(), carried, "the second region"); // C3
}

// The carried values of a counted loop, if any: ` iter (%x = %x0 : type)`.
static ParseResult
parseIter(OpAsmParser &parser, OperationState &result,
          SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  if (succeeded(parser.parseOptionalKeyword("iter")) &&
      parseCarried(parser, result, arguments))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

static void printIter(OpAsmPrinter &printer, Region &body, ValueRange inits,
                      Operation *op, ArrayRef<StringRef> elided) {
  if (!inits.empty()) {
    printer << " iter ";
    printCarried(printer, body.getArguments().drop_front(), inits);
  }
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

static LogicalResult verifyIter(Operation *op, Region &body, Type first,
                                TypeRange carried) {
  if (failed(verifyCarried(op, carried))) // C1
    return failure();
  SmallVector<Type> expected{first};
  llvm::append_range(expected, carried);
  if (failed(verifyArguments(op, body, expected, "the region"))) // C1, C2
    return failure();
  return verifyYield(op, body, carried, "the region"); // C3
}

ParseResult StaticForOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  OpAsmParser::UnresolvedOperand array;
  Type type;
  SMLoc loc;
  if (parser.parseArgument(arguments[0]) || parser.parseKeyword("in") ||
      parser.parseOperand(array) || parser.parseColon() ||
      parser.getCurrentLocation(&loc) || parser.parseType(type) ||
      parser.resolveOperand(array, type, result.operands))
    return failure();
  auto arrayType = dyn_cast<linnet::ArrayType>(type);
  if (!arrayType)
    return parser.emitError(loc, "expected the type of a structural array");
  arguments[0].type = arrayType.getInstance();
  return parseIter(parser, result, arguments);
}

void StaticForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBody().getArgument(0) << " in " << getArray() << " : "
          << getArray().getType();
  printIter(printer, getBody(), getInits(), *this, {});
}

LogicalResult StaticForOp::verifyRegions() {
  return verifyIter(*this, getBody(), getArray().getType().getInstance(),
                    getInits().getTypes());
}

static linnet::TensorType getCounterType(MLIRContext *context) {
  return linnet::TensorType::get(ArrayRef<Attribute>(),
                                 IntegerType::get(context, 64));
}

// ` %i = lower to upper`, which both ranges begin with.
template <typename Op>
static ParseResult parseRange(OpAsmParser &parser, OperationState &result,
                              OpAsmParser::Argument &position) {
  DimAttr lower, upper;
  if (parser.parseArgument(position) || parser.parseEqual() ||
      parseDim(parser, lower) || parser.parseKeyword("to") ||
      parseDim(parser, upper))
    return failure();
  position.type = getCounterType(parser.getContext());
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  properties.lower = lower;
  properties.upper = upper;
  return success();
}

template <typename Op> static void printRange(OpAsmPrinter &printer, Op op) {
  printer << ' ' << op.getBody().getArgument(0) << " = ";
  printDim(printer, op, op.getLowerAttr());
  printer << " to ";
  printDim(printer, op, op.getUpperAttr());
}

ParseResult StaticRangeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  if (parseRange<StaticRangeOp>(parser, result, arguments[0]))
    return failure();
  return parseIter(parser, result, arguments);
}

void StaticRangeOp::print(OpAsmPrinter &printer) {
  printRange(printer, *this);
  printIter(printer, getBody(), getInits(), *this,
            {getLowerAttrName(), getUpperAttrName()});
}

LogicalResult StaticRangeOp::verifyRegions() {
  return verifyIter(*this, getBody(), getCounterType(getContext()),
                    getInits().getTypes());
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  if (parseRange<ForOp>(parser, result, arguments[0]) ||
      (succeeded(parser.parseOptionalKeyword("iter")) &&
       parseCarried(parser, result, arguments)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("stack")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
        return parser.parseType(result.types.emplace_back());
      }))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

void ForOp::print(OpAsmPrinter &printer) {
  printRange(printer, *this);
  if (!getInits().empty()) {
    printer << " iter ";
    printCarried(printer, getBody().getArguments().drop_front(), getInits());
  }
  if (!getStacks().empty())
    printer << " stack (" << getStacks().getTypes() << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getLowerAttrName(), getUpperAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

SmallVector<Claim> ForOp::getClaims() {
  return {{"E2206",
           {getLower().getValue(), dims::Relation::Le, getUpper().getValue()},
           getLoc()}};
}

LogicalResult ForOp::verify() {
  std::optional<int64_t> lower = getLower().asInteger();
  std::optional<int64_t> upper = getUpper().asInteger();
  if (lower && upper && *lower > *upper) // C5
    return emitOpError("runs from ")
           << *lower << " to " << *upper << ", expected no lower end";
  if (getNumResults() < getInits().size() ||
      !llvm::equal(getInits().getTypes(), getCarried().getTypes())) // C1
    return emitOpError("begins with (")
           << getInits().getTypes() << ") and gives (" << getResultTypes()
           << ')';
  return success();
}

LogicalResult ForOp::verifyRegions() {
  SmallVector<Type> expected{getCounterType(getContext())};
  llvm::append_range(expected, getInits().getTypes());
  if (failed(verifyArguments(*this, getBody(), expected,
                             "the region"))) // C1, C2
    return failure();

  SmallVector<Type> yielded(getInits().getTypes());
  auto count =
      DimAttr::get(getContext(), getUpper().getValue() - getLower().getValue());
  for (Type type : getStacks().getTypes()) {
    auto stack = dyn_cast<linnet::TensorType>(type);
    if (!stack || stack.getShape().empty() ||
        stack.getShape().front() != count) // C4
      return emitOpError("the stack ")
             << type << " needs to be a tensor of leading size "
             << dims::toString(count.getValue());
    yielded.push_back(linnet::TensorType::get(stack.getShape().drop_front(),
                                              stack.getElementType()));
  }
  return verifyYield(*this, getBody(), yielded, "the region"); // C3, C4
}

//===----------------------------------------------------------------------===//
// Inlined calls
//===----------------------------------------------------------------------===//

static constexpr StringLiteral scopeKinds[] = {"fn", "op", "method"};

ParseResult ScopeOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  StringRef kind;
  std::string callee, path;
  if (parser.parseKeyword(&kind) || parser.parseString(&callee))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at")) && parser.parseString(&path))
    return failure();
  properties.kind = builder.getStringAttr(kind);
  properties.callee = builder.getStringAttr(callee);
  properties.path = builder.getStringAttr(path);

  SmallVector<OpAsmParser::Argument> arguments;
  if (parseCarried(parser, result, arguments))
    return failure();
  result.types.clear();
  if (parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  return success();
}

void ScopeOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getKind() << ' ' << getCalleeAttr();
  if (!getPath().empty())
    printer << " at " << getPathAttr();
  printer << ' ';
  printCarried(printer, getBody().getArguments(), getInputs());
  printer.printOptionalArrowTypeList(getResultTypes());
  SmallVector<StringRef> elided = {getKindAttrName(), getCalleeAttrName(),
                                   getPathAttrName()};
  for (auto [name, list] : {std::pair{getNamesAttrName(), getNames()},
                            std::pair{getGenericsAttrName(), getGenerics()},
                            std::pair{getStatesAttrName(), getStates()}})
    if (list.empty())
      elided.push_back(name);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void ScopeOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (auto [argument, name] :
       llvm::zip(region.getArguments(), getNames().getAsRange<StringAttr>()))
    setName(argument, name.getValue());
}

LogicalResult ScopeOp::verify() {
  if (!llvm::is_contained(scopeKinds, getKind())) // C1
    return emitOpError("is of the kind `")
           << getKind() << "`, expected `fn`, `op` or `method`";
  if (!getPath().empty() && getKind() != "method") // C1
    return emitOpError("has the path ")
           << getPathAttr() << ", which only a method has";
  if (getNames().size() != getInputs().size()) // C2
    return emitOpError("has ") << getNames().size() << " names for "
                               << getInputs().size() << " operands";
  if (getStates().size() > getNumResults()) // C4
    return emitOpError("has ") << getStates().size() << " states among "
                               << getNumResults() << " results";
  return success();
}

LogicalResult ScopeOp::verifyRegions() {
  if (failed(verifyArguments(*this, getBody(), getInputs().getTypes(),
                             "the region"))) // C2
    return failure();
  return verifyYield(*this, getBody(), getResultTypes(), "the region"); // C3
}

void ScopeOp::inlineBody() {
  Block &body = getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), getInputs()))
    argument.replaceAllUsesWith(input);
  Operation *yield = body.getTerminator();
  (*this)->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  (*this)->getBlock()->getOperations().splice((*this)->getIterator(),
                                              body.getOperations());
  erase();
}
