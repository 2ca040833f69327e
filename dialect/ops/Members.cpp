// Verifiers and claims of members and calls.
#include "dialect/Substitution.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace linnet;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

LogicalResult SelfOp::verifySymbolUses(SymbolTableCollection &) {
  auto func = (*this)->getParentOfType<FuncOp>();
  BlockOp block = func ? func.getBlock() : nullptr;
  if (!block) // C1
    return emitOpError("stands in no method");
  if (block.getGenericsAttr() &&
      !llvm::all_of(block.getGenericsAttr(), llvm::IsaPred<GenericAttr>))
    return success(); // the block is refused for this
  InstanceType expected = getSelfType(block);
  if (getType() != expected) // C1
    return emitOpError("has type ") << getType() << ", expected " << expected;
  return success();
}

LogicalResult MemberOp::verifySymbolUses(SymbolTableCollection &) {
  Substitution substitution;
  InstanceType instance = getInstance().getType();
  FailureOr<BlockOp> block = bindBlock(*this, instance, substitution);
  if (failed(block))
    return failure();
  Operation *member = lookupMember(*block, getMemberAttr().getAttr());
  if (!member) { // C1
    auto error = emitOpError("block ")
                 << instance.getBlock() << " has no member " << getMemberAttr();
    error.attachNote(block->getLoc()) << "the block stands here";
    return error;
  }
  Type expected = substitution.apply(getMemberType(member));
  if (expected == getType()) // C2
    return success();
  auto error = emitOpError("has type ") << getType() << ", expected ";
  if (!expected)
    error << "none: a dimension would be negative";
  else
    error << expected;
  error.attachNote(member->getLoc()) << "the member stands here";
  return error;
}

void MemberOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  BlockOp block = lookupBlock(*this, getInstance().getType().getBlock());
  Operation *member =
      block ? lookupMember(block, getMemberAttr().getAttr()) : nullptr;
  if (!member || isa<StateOp>(member))
    effects.emplace_back(MemoryEffects::Read::get(), StateResource::get());
}

LogicalResult AssignStateOp::verifySymbolUses(SymbolTableCollection &) {
  auto func = (*this)->getParentOfType<FuncOp>();
  BlockOp block = func ? func.getBlock() : nullptr;
  auto state = dyn_cast_or_null<StateOp>(
      block ? lookupMember(block, getMemberAttr().getAttr()) : nullptr);
  if (!state) // C1
    return emitOpError("stands in no method of a block with state ")
           << getMemberAttr();
  if (state.getType() == getValue().getType()) // C2
    return success();
  auto error = emitOpError("assigns ")
               << getValue().getType() << ", expected " << state.getType();
  error.attachNote(state.getLoc()) << "the state stands here";
  return error;
}

LogicalResult ElementOp::verify() {
  linnet::ArrayType array = getArray().getType();
  if (getType() != array.getInstance()) // C1
    return emitOpError("has type ")
           << getType() << ", expected " << array.getInstance();
  std::optional<int64_t> position = getPosition().asInteger(),
                         size = array.getSize().asInteger();
  if (position && (*position < 0 || (size && *position >= *size))) // C2
    return emitOpError("position ")
           << *position << " lies outside an array of "
           << dims::toString(array.getSize().getValue());
  return success();
}

SmallVector<Claim> ElementOp::getClaims() {
  const dims::Expr &position = getPosition().getValue();
  const dims::Expr &size = getArray().getType().getSize().getValue();
  return {
      {"E2209", {dims::constant(0), dims::Relation::Le, position}, getLoc()},
      {"E2209", {position, dims::Relation::Lt, size}, getLoc()}};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

// Checks operands and result against the callee's signature.
static LogicalResult verifyCall(Operation *op, FuncOp callee,
                                const Substitution &substitution) {
  auto refuse = [&](const Twine &place, Type found,
                    Type expected) -> LogicalResult {
    auto error = op->emitOpError()
                 << place << " has type " << found << ", expected ";
    if (!expected)
      error << "none: a dimension would be negative";
    else
      error << expected;
    error.attachNote(callee.getLoc()) << "the callee stands here";
    return error;
  };
  ArrayRef<Type> parameters = callee.getArgumentTypes(),
                 results = callee.getResultTypes();
  // The first operand of a method call is the instance.
  OperandRange operands = op->getOperands().drop_front(isa<CallMethodOp>(op));
  if (operands.size() != parameters.size()) {
    auto error = op->emitOpError("passes ")
                 << operands.size() << " arguments, expected "
                 << parameters.size();
    error.attachNote(callee.getLoc()) << "the callee stands here";
    return error;
  }
  for (auto [index, operand, parameter] :
       llvm::enumerate(operands, parameters)) {
    Type expected = substitution.apply(parameter);
    if (operand.getType() != expected)
      return refuse("argument " + Twine(index), operand.getType(), expected);
  }
  if (op->getNumResults() != results.size())
    return op->emitOpError("has ")
           << op->getNumResults() << " results, expected " << results.size();
  for (auto [result, type] : llvm::zip(op->getResultTypes(), results)) {
    Type expected = substitution.apply(type);
    if (result != expected)
      return refuse("the result", result, expected);
  }
  return success();
}

// Binds the callee's own generics to the call's arguments.
static LogicalResult bindCallee(Operation *op, FuncOp callee,
                                FlatSymbolRefAttr name, ArrayAttr arguments,
                                Substitution &substitution) {
  std::string error;
  if (succeeded(
          substitution.bind(callee.getGenerics(), arguments.getValue(), error)))
    return success();
  auto diagnostic = op->emitOpError("callee ") << name << ' ' << error;
  diagnostic.attachNote(callee.getLoc()) << "the callee stands here";
  return failure();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &) {
  FuncOp callee = lookupFunction(*this, getCalleeAttr());
  if (!callee) // C1
    return emitOpError("the module has no function ") << getCalleeAttr();
  Substitution substitution;
  if (failed(bindCallee(*this, callee, getCalleeAttr(), getGenericArgs(),
                        substitution))) // C1
    return failure();
  return verifyCall(*this, callee, substitution); // C2
}

SmallVector<Claim> CallOp::getClaims() {
  SmallVector<Claim> claims;
  Substitution substitution;
  std::string error;
  FuncOp callee = lookupFunction(*this, getCalleeAttr());
  if (callee && succeeded(substitution.bind(
                    callee.getGenerics(), getGenericArgs().getValue(), error)))
    addWhereClaims(claims, *this, callee.getWhere(), substitution);
  return claims;
}

LogicalResult CallMethodOp::verifySymbolUses(SymbolTableCollection &) {
  Substitution substitution;
  InstanceType instance = getInstance().getType();
  FailureOr<BlockOp> block = bindBlock(*this, instance, substitution);
  if (failed(block))
    return failure();
  FuncOp callee = lookupMethod(*block, getMethodAttr().getAttr());
  if (!callee) { // C1
    auto error = emitOpError("block ")
                 << instance.getBlock() << " has no method " << getMethodAttr();
    error.attachNote(block->getLoc()) << "the block stands here";
    return error;
  }
  if (failed(bindCallee(*this, callee, getMethodAttr(), getGenericArgs(),
                        substitution))) // C1
    return failure();
  return verifyCall(*this, callee, substitution); // C2
}

SmallVector<Claim> CallMethodOp::getClaims() {
  SmallVector<Claim> claims;
  Substitution substitution;
  std::string error;
  FailureOr<BlockOp> block =
      bindBlock(*this, getInstance().getType(), substitution, /*isQuiet=*/true);
  if (failed(block))
    return claims;
  FuncOp callee = lookupMethod(*block, getMethodAttr().getAttr());
  if (callee && succeeded(substitution.bind(
                    callee.getGenerics(), getGenericArgs().getValue(), error)))
    addWhereClaims(claims, *this, callee.getWhere(), substitution);
  return claims;
}
