// Specialisation of calls: inlined, or kept together as scopes.
#include "lib/Bind/Specialise.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

/// Adds the names of the runtime values within `bound`, which is called `name`.
static void nameParts(const Bound &bound, const Twine &name,
                      SmallVectorImpl<std::string> &names) {
  if (bound.kind == Bound::Runtime)
    names.push_back(name.str());
  for (auto [number, part] : llvm::enumerate(bound.parts)) {
    if (bound.kind == Bound::Present)
      nameParts(part, name, names);
    else
      nameParts(part, name + "." + Twine(number), names);
  }
}

static ArrayAttr stringsAttr(Builder &builder, ArrayRef<std::string> strings) {
  return builder.getStrArrayAttr(
      SmallVector<StringRef>(strings.begin(), strings.end()));
}

LogicalResult Specialiser::inlineCall(Operation *op, FuncOp callee,
                                      const Instance *self, ArrayAttr arguments,
                                      OperandRange operands, Frame &frame) {
  Location loc = frame.at(op->getLoc());
  if (frame.depth + 1 > maxDepth)
    return emitError(loc) << "[capability] calls nest deeper than " << maxDepth;
  if (++calls > maxCalls)
    return emitError(loc) << "[capability] the entry expands to more than "
                          << maxCalls << " calls";
  Frame inner;
  inner.self = self;
  inner.caller = loc;
  inner.depth = frame.depth + 1;
  if (self)
    inner.scope = self->scope;
  if (failed(bindArguments(inner.scope, callee.getGenerics(), arguments,
                           frame.scope, loc)) ||
      failed(checkConstraints(callee.getWhere(), inner.scope, loc)))
    return failure();

  Results given, results;
  for (Value operand : operands)
    given.push_back(lookup(operand, frame));
  if (failed(isKept(callee)
                 ? bindScope(callee, inner, given, results)
                 : bindBody(callee, inner, std::move(given), results)))
    return failure();
  assign(op->getResults(), results, frame);
  return success();
}

LogicalResult Specialiser::bindCall(CallOp op, Frame &frame) {
  FuncOp callee = callees.function(op.getCalleeAttr().getAttr());
  return inlineCall(op, callee, nullptr, op.getGenericArgs(), op.getInputs(),
                    frame);
}

LogicalResult Specialiser::bindCallMethod(CallMethodOp op, Frame &frame) {
  const Instance *self = lookup(op.getInstance(), frame).object;
  FuncOp callee = callees.method(self->block, op.getMethodAttr().getAttr());
  return inlineCall(op, callee, self, op.getGenericArgs(), op.getInputs(),
                    frame);
}

bool Specialiser::isKept(FuncOp callee) const {
  // Index notation is lowered element by element, calls with it.
  if (indexed != 0)
    return false;
  return keep == Keep::Calls ||
         (keep == Keep::Ops && callee.getKind() == FuncKind::Op);
}

LogicalResult Specialiser::bindScope(FuncOp callee, Frame &inner,
                                     const Results &given, Results &results) {
  Location loc(inner.caller);
  SmallVector<Value> operands;
  SmallVector<std::string> names;
  for (auto [number, bound] : llvm::enumerate(given)) {
    bound.flatten(operands);
    auto name = callee.getArgAttrOfType<StringAttr>(number, "linnet.name");
    nameParts(bound, name ? name.getValue() : "", names);
  }

  auto region = std::make_unique<Region>();
  SmallVector<Value> yielded;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = openBlock(*region, ValueRange(operands).getTypes(), loc);
    Results arguments;
    ValueRange rest = body->getArguments();
    for (const Bound &bound : given)
      arguments.push_back(bound.rebuild(rest));
    for (auto [argument, operand] :
         llvm::zip_equal(body->getArguments(), operands))
      origins[argument] = operand;
    if (failed(bindBody(callee, inner, std::move(arguments), results)))
      return failure();
    for (const Bound &bound : results)
      bound.flatten(yielded);
    YieldOp::create(builder, loc, yielded);
  }

  auto scope = cast<ScopeOp>(build(ScopeOp::getOperationName(), loc, operands,
                                   ValueRange(yielded).getTypes(),
                                   MutableArrayRef(region)));
  // What gives nothing and does nothing is no part of the program's structure:
  // its instances and variants are known.
  if (yielded.empty() &&
      !scope->walk([](WriteStateOp) { return WalkResult::interrupt(); })
           .wasInterrupted()) {
    for (BlockArgument argument : scope.getBody().getArguments())
      origins.erase(argument);
    scope.inlineBody();
    return success();
  }
  ValueRange rest = scope.getResults();
  for (Bound &bound : results)
    bound = bound.rebuild(rest);
  for (auto [result, value] : llvm::zip_equal(scope.getResults(), yielded))
    origins[result] = value;

  SmallVector<std::string> generics;
  std::string symbol = callee.getSymName().str();
  if (inner.self) {
    BlockOp block = inner.self->block;
    symbol = (block.getSymName() + "." + symbol).str();
    for (auto generic : block.getGenerics().getAsRange<GenericAttr>())
      generics.push_back(inner.scope.show(generic));
  }
  for (auto generic : callee.getGenerics().getAsRange<GenericAttr>())
    generics.push_back(inner.scope.show(generic));
  scope.setCallee(symbol);
  scope.setKind(inner.self                         ? "method"
                : callee.getKind() == FuncKind::Op ? "op"
                                                   : "fn");
  scope.setPath(inner.self ? inner.self->path : "");
  scope.setNamesAttr(stringsAttr(builder, names));
  scope.setGenericsAttr(stringsAttr(builder, generics));
  return success();
}

ConstantOp Specialiser::constantOf(Value value) const {
  for (auto found = origins.find(value); found != origins.end();
       found = origins.find(value))
    value = found->second;
  return value.getDefiningOp<ConstantOp>();
}

void Specialiser::nameResults(Operation &op, Frame &frame) {
  auto named = dyn_cast<NameLoc>(op.getLoc());
  if (!named)
    return;
  StringRef rest = named.getName();
  for (Value result : op.getResults()) {
    StringRef name;
    std::tie(name, rest) = rest.split(',');
    const Bound &bound = lookup(result, frame);
    SmallVector<Value> values;
    SmallVector<std::string> names;
    bound.flatten(values);
    nameParts(bound, name, names);
    for (auto [value, text] : llvm::zip_equal(values, names)) {
      auto at = dyn_cast<OpResult>(value);
      if (!at)
        continue;
      Operation *owner = at.getOwner();
      SmallVector<Attribute> all(owner->getNumResults(),
                                 builder.getStringAttr(""));
      if (auto known = owner->getAttrOfType<ArrayAttr>("linnet.names"))
        all.assign(known.begin(), known.end());
      // The first name is that of the place where the value came to be.
      if (!cast<StringAttr>(all[at.getResultNumber()]).empty())
        continue;
      all[at.getResultNumber()] = builder.getStringAttr(text);
      owner->setAttr("linnet.names", builder.getArrayAttr(all));
    }
  }
}
