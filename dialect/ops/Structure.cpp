// Verifiers, claims and assembly of blocks, functions, members and calls.
#include "dialect/Assembly.h"
#include "dialect/Substitution.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;

//===----------------------------------------------------------------------===//
// Names in scope
//===----------------------------------------------------------------------===//

namespace {
// The names of generics that an op may mention: its own and those around it.
class Scope {
public:
  LogicalResult declare(Operation *op, ArrayAttr generics, StringRef label) {
    for (auto generic : generics.getAsRange<GenericAttr>())
      if (!names.insert(generic.getName()).second)
        return op->emitOpError("generic `")
               << generic.getName() << "` is declared twice" << label;
    return success();
  }

  /// Refuses a name in `type` that is not declared.
  LogicalResult check(Operation *op, Type type, const Twine &where) {
    LogicalResult result = success();
    auto use = [&](StringRef name) {
      if (failed(result) || names.contains(name))
        return;
      result = op->emitOpError() << where << " mentions `" << name
                                 << "`, which is no generic in scope";
    };
    type.walk([&](DimAttr dim) { useAll(dim.getValue(), use); });
    type.walk([&](PackAttr pack) { use(pack.getName()); });
    type.walk([&](DtypeType variable) { use(variable.getName()); });
    return result;
  }

  LogicalResult check(Operation *op, ArrayAttr where) {
    LogicalResult result = success();
    auto use = [&](StringRef name) {
      if (failed(result) || names.contains(name))
        return;
      result = op->emitOpError("`where` mentions `")
               << name << "`, which is no generic in scope";
    };
    for (auto constraint : where.getAsRange<ConstraintAttr>()) {
      useAll(constraint.getValue().lhs, use);
      useAll(constraint.getValue().rhs, use);
    }
    return result;
  }

private:
  static void useAll(const dims::Expr &expr,
                     function_ref<void(StringRef)> use) {
    std::set<std::string> symbols;
    dims::collectSymbols(expr, symbols);
    for (StringRef symbol : symbols) {
      symbol.consume_front("*");
      use(symbol);
    }
  }

  llvm::StringSet<> names;
};
} // namespace

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

LogicalResult BlockOp::verifyRegions() {
  Scope scope;
  if (failed(scope.declare(*this, getGenerics(), ""))) // C3
    return failure();
  if (failed(scope.check(*this, getWhere()))) // C4
    return failure();
  for (Operation &op : getBody().front()) {
    if (!isa<ParamOp, BufferOp, StateOp, SubBlockOp, EnumOp, RequireOp, FuncOp>(
            op)) { // C2
      auto error = emitOpError("holds members, claims and methods only");
      error.attachNote(op.getLoc()) << "this is `" << op.getName() << "`";
      return error;
    }
    if (Type type = getMemberType(&op))
      if (failed(scope.check(&op, type, "the type"))) // C4
        return failure();
  }
  return success();
}

LogicalResult ParamOp::verify() {
  auto optional = dyn_cast<OptionalType>(getType());
  if (optional && !isa<linnet::TensorType>(optional.getValueType())) // C2
    return emitOpError("needs a tensor or an optional tensor, got ")
           << getType();
  return success();
}

LogicalResult SubBlockOp::verify() {
  auto optional = dyn_cast<OptionalType>(getType());
  if (optional && !isa<InstanceType>(optional.getValueType())) // C2
    return emitOpError("needs an instance, an array of instances or an "
                       "optional instance, got ")
           << getType();
  return success();
}

static InstanceType getInstance(SubBlockOp op) {
  return llvm::TypeSwitch<Type, InstanceType>(op.getType())
      .Case<InstanceType>([](InstanceType type) { return type; })
      .Case<linnet::ArrayType>(
          [](linnet::ArrayType type) { return type.getInstance(); })
      .Case<OptionalType>([](OptionalType type) {
        return dyn_cast<InstanceType>(type.getValueType());
      })
      .Default(InstanceType());
}

LogicalResult SubBlockOp::verifySymbolUses(SymbolTableCollection &) {
  Substitution substitution;
  InstanceType instance = getInstance(*this);
  return success(instance &&
                 succeeded(bindBlock(*this, instance, substitution))); // C3
}

SmallVector<Claim> SubBlockOp::getClaims() {
  SmallVector<Claim> claims;
  Substitution substitution;
  FailureOr<BlockOp> block =
      bindBlock(*this, getInstance(*this), substitution, /*isQuiet=*/true);
  if (succeeded(block))
    addWhereClaims(claims, *this, block->getWhere(), substitution);
  return claims;
}

LogicalResult EnumOp::verify() {
  llvm::StringSet<> names;
  for (auto variant : getVariants().getAsRange<StringAttr>())
    if (!names.insert(variant.getValue()).second) // C1
      return emitOpError("variant ") << variant << " is listed twice";
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

BlockOp FuncOp::getBlock() {
  return dyn_cast_or_null<BlockOp>((*this)->getParentOp());
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<FuncKind> kind = symbolizeFuncKind(keyword);
  if (!kind)
    return parser.emitError(loc, "expected `fn`, `op` or `entry`");
  auto &properties = result.getOrAddProperties<FuncOp::Properties>();
  properties.kind = FuncKindAttr::get(parser.getContext(), *kind);

  if (succeeded(parser.parseOptionalKeyword(&keyword,
                                            {"public", "private", "nested"})))
    properties.sym_visibility = builder.getStringAttr(keyword);
  StringAttr name;
  ArrayAttr generics, where;
  if (parser.parseSymbolName(name) || parseGenerics(parser, generics))
    return failure();
  properties.sym_name = name;
  if (!generics.empty())
    properties.generics = generics;

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs) ||
      parseWhere(parser, where))
    return failure();
  if (!where.empty())
    properties.where = where;
  auto argumentTypes =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &argument) {
        return argument.type;
      });
  properties.function_type =
      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttrs, getArgAttrsAttrName(result.name),
      getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyFuncKind(getKind()) << ' ';
  if (std::optional<StringRef> visibility = getSymVisibility())
    printer << *visibility << ' ';
  printer.printSymbolName(getSymName());
  printGenerics(printer, *this, getGenerics());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  printWhere(printer, *this, getWhere());
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getKindAttrName(), getGenericsAttrName(), getWhereAttrName(),
       getSymVisibilityAttrName(), getFunctionTypeAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult FuncOp::verify() {
  if (!getBody().hasOneBlock()) // C2
    return emitOpError("needs a body of one block");
  Scope scope;
  if (BlockOp block = getBlock())
    if (auto generics = block.getGenericsAttr();
        generics && llvm::all_of(generics, llvm::IsaPred<GenericAttr>) &&
        failed(scope.declare(*this, generics, " in its block")))
      return failure();
  if (failed(scope.declare(*this, getGenerics(), "")) || // C3
      failed(scope.check(*this, getWhere())))            // C4
    return failure();
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    if (!isValueType(type) && !isa<linnet::RefType>(type)) // C5
      return emitOpError("argument ")
             << index << " has type " << type << ", which no function takes";
    if (failed(scope.check(*this, type, "argument " + Twine(index)))) // C4
      return failure();
  }
  for (auto [index, type] : llvm::enumerate(getResultTypes())) {
    if (!isValueType(type)) // C5
      return emitOpError("result ")
             << index << " has type " << type << ", which no function gives";
    if (failed(scope.check(*this, type, "result " + Twine(index)))) // C4
      return failure();
  }
  return success();
}

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (!func.getFunctionTypeAttr())
    return success(); // the function is refused for this
  ArrayRef<Type> expected = func.getResultTypes();
  if (llvm::equal(getOperandTypes(), expected)) // C2
    return success();
  auto error = emitOpError("gives (")
               << getOperandTypes() << "), expected (" << expected << ')';
  error.attachNote(func.getLoc()) << "the function stands here";
  return error;
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

SmallVector<Claim> RequireOp::getClaims() {
  return {{getCode().str(), getConstraint().getValue(), getLoc()}};
}

// Visits the pairs of dims in the same place of two types of one form. Gives
// failure, and says why, where their forms differ.
static LogicalResult compareForms(
    Type from, Type to,
    function_ref<LogicalResult(const dims::Expr &, const dims::Expr &)> visit) {
  if (auto optional = dyn_cast<OptionalType>(from)) {
    auto other = dyn_cast<OptionalType>(to);
    return success(other &&
                   succeeded(compareForms(optional.getValueType(),
                                          other.getValueType(), visit)));
  }
  if (auto tuple = dyn_cast<TupleType>(from)) {
    auto other = dyn_cast<TupleType>(to);
    if (!other || tuple.size() != other.size())
      return failure();
    for (auto [a, b] : llvm::zip(tuple.getTypes(), other.getTypes()))
      if (failed(compareForms(a, b, visit)))
        return failure();
    return success();
  }
  auto tensor = dyn_cast<linnet::TensorType>(from);
  auto other = dyn_cast<linnet::TensorType>(to);
  if (!tensor || !other)
    return success(from == to);
  if (tensor.getElementType() != other.getElementType() ||
      tensor.getRank() != other.getRank())
    return failure();
  for (auto [a, b] : llvm::zip(tensor.getShape(), other.getShape())) {
    std::optional<dims::Expr> x = getDim(a), y = getDim(b);
    if (!x || !y) {
      if (a != b)
        return failure();
      continue;
    }
    if (failed(visit(*x, *y)))
      return failure();
  }
  return success();
}

LogicalResult AscribeOp::verify() {
  bool isReported = false;
  LogicalResult sameForm = compareForms(
      getInput().getType(), getType(),
      [&](const dims::Expr &a, const dims::Expr &b) -> LogicalResult {
        if (!a.asConstant() || !b.asConstant() || a == b)
          return success();
        isReported = true;
        return emitOpError("dimension ") // C2
               << dims::toString(a) << " is required to be "
               << dims::toString(b);
      });
  if (isReported)
    return failure();
  if (failed(sameForm)) // C1
    return emitOpError("cannot give ")
           << getInput().getType() << " the form of " << getType();
  return success();
}

SmallVector<Claim> AscribeOp::getClaims() {
  SmallVector<Claim> claims;
  (void)compareForms(
      getInput().getType(), getType(),
      [&](const dims::Expr &a, const dims::Expr &b) -> LogicalResult {
        claims.push_back(
            {getCode().str(), {a, dims::Relation::Eq, b}, getLoc()});
        return success();
      });
  return claims;
}

// ascribe(x) : A -> A  =>  x
OpFoldResult AscribeOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : Value();
}
