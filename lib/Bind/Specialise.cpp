// Specialisation of structure: members, and the dispatch over all ops.
#include "lib/Bind/Specialise.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

Location Frame::at(Location loc) const {
  if (auto named = dyn_cast<NameLoc>(loc))
    loc = named.getChildLoc();
  return caller ? Location(CallSiteLoc::get(loc, Location(caller))) : loc;
}

Callees::Callees(ModuleOp module) {
  for (FuncOp function : module.getOps<FuncOp>())
    functions[function.getSymNameAttr()] = function;
}

FuncOp Callees::method(BlockOp block, StringAttr name) {
  FuncOp &found = methods[{block, name}];
  if (!found)
    for (FuncOp function : block.getOps<FuncOp>())
      if (function.getSymNameAttr() == name)
        found = function;
  return found;
}

const Bound &Specialiser::lookup(Value value, Frame &frame) {
  auto found = frame.values.find(value);
  assert(found != frame.values.end() && "a use before its definition");
  return found->second;
}

Value Specialiser::runtime(Value value, Frame &frame) {
  const Bound &bound = lookup(value, frame);
  assert(bound.kind == Bound::Runtime && "a tensor exists at run time");
  return bound.value;
}

void Specialiser::assign(ValueRange values, const Results &bounds,
                         Frame &frame) {
  for (auto [value, bound] : llvm::zip_equal(values, bounds))
    frame.values.insert_or_assign(value, bound);
}

Block *Specialiser::openBlock(Region &into, TypeRange types, Location loc) {
  SmallVector<Location> locs(types.size(), loc);
  return builder.createBlock(&into, into.end(), types, locs);
}

Operation *
Specialiser::build(StringRef name, Location loc, ValueRange operands,
                   TypeRange results,
                   MutableArrayRef<std::unique_ptr<Region>> regions) {
  OperationState state(loc, name, operands, results);
  for (std::unique_ptr<Region> &region : regions)
    state.addRegion(std::move(region));
  return builder.create(state);
}

LogicalResult Specialiser::bindBody(FuncOp callee, Frame &frame,
                                    Results arguments, Results &results) {
  Block &body = callee.getBody().front();
  assign(body.getArguments(), arguments, frame);
  return bindBlock(body, frame, results);
}

LogicalResult Specialiser::bindBlock(Block &block, Frame &frame,
                                     Results &yielded) {
  for (Operation &op : block.without_terminator()) {
    if (failed(bindOp(op, frame)))
      return failure();
    if (keep == Keep::Calls && indexed == 0)
      nameResults(op, frame);
  }
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(lookup(value, frame));
  return success();
}

LogicalResult Specialiser::bindOp(Operation &op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](SelfOp self) {
        assign(self->getResults(), {Bound::of(*frame.self)}, frame);
        return success();
      })
      .Case([&](SomeOp some) {
        assign(some->getResults(),
               {Bound::present(lookup(some->getOperand(0), frame))}, frame);
        return success();
      })
      .Case([&](NoneOp none) {
        assign(none->getResults(), {Bound::absent()}, frame);
        return success();
      })
      .Case([&](EnumValueOp value) {
        assign(value->getResults(), {Bound::ofVariant(value.getVariant())},
               frame);
        return success();
      })
      .Case([&](TupleOp tuple) {
        Results parts;
        for (Value part : tuple->getOperands())
          parts.push_back(lookup(part, frame));
        assign(tuple->getResults(), {Bound::tuple(std::move(parts))}, frame);
        return success();
      })
      .Case([&](UntupleOp untuple) {
        Results parts = lookup(untuple->getOperand(0), frame).parts;
        assign(untuple->getResults(), parts, frame);
        return success();
      })
      .Case([&](CallOp op) { return bindCall(op, frame); })
      .Case([&](CallMethodOp op) { return bindCallMethod(op, frame); })
      .Case([&](MemberOp op) { return bindMember(op, frame); })
      .Case([&](ElementOp op) { return bindElement(op, frame); })
      .Case([&](AssignStateOp op) { return bindAssignState(op, frame); })
      .Case([&](AscribeOp op) { return bindAscribe(op, frame); })
      .Case([&](RequireOp op) { return bindRequire(op, frame); })
      .Case([&](MatchOptionalOp op) { return bindMatchOptional(op, frame); })
      .Case([&](MatchEnumOp op) { return bindMatchEnum(op, frame); })
      .Case([&](IfOp op) { return bindIf(op, frame); })
      .Case([&](WhileOp op) { return bindWhile(op, frame); })
      .Case([&](StaticForOp op) { return bindStaticFor(op, frame); })
      .Case([&](StaticRangeOp op) { return bindStaticRange(op, frame); })
      .Case([&](ForOp op) { return bindFor(op, frame); })
      .Case([&](ComprehensionOp op) { return bindComprehension(op, frame); })
      .Case([&](ReduceOverOp op) { return bindReduceOver(op, frame); })
      .Case([&](AccessOp op) { return bindAccess(op, frame); })
      .Default([&](Operation *op) { return bindValueOp(*op, frame); });
}

LogicalResult Specialiser::bindMember(MemberOp op, Frame &frame) {
  const Instance *instance = lookup(op.getInstance(), frame).object;
  const Member &member =
      instance->members.find(op.getMemberAttr().getAttr())->second;
  Bound bound;
  if (!member.isPresent)
    bound = Bound::absent();
  else if (member.kind == Member::Sub)
    bound = Bound::of(*member.subs.front());
  else if (member.kind == Member::Array)
    bound = Bound::of(member.subs);
  else if (member.kind == Member::Tensor)
    bound = Bound::runtime(places[member.place]);
  else
    bound = Bound::runtime(ReadStateOp::create(
        builder, frame.at(op.getLoc()),
        cast<RefType>(places[member.place].getType()).getTensor(),
        places[member.place]));
  if (member.isOptional && member.isPresent)
    bound = Bound::present(std::move(bound));
  assign(op->getResults(), {bound}, frame);
  return success();
}

LogicalResult Specialiser::bindElement(ElementOp op, Frame &frame) {
  const Bound &array = lookup(op.getArray(), frame);
  FailureOr<int64_t> at =
      frame.scope.number(op.getPosition().getValue(), frame.at(op.getLoc()));
  if (failed(at))
    return failure();
  int64_t count = array.array->size();
  if (*at < 0 || *at >= count)
    return emitError(frame.at(op.getLoc()))
           << "[E2209] there is no element " << *at << " in an array of "
           << count;
  assign(op->getResults(), {Bound::of(*(*array.array)[*at])}, frame);
  return success();
}

LogicalResult Specialiser::bindAssignState(AssignStateOp op, Frame &frame) {
  const Member &member =
      frame.self->members.find(op.getMemberAttr().getAttr())->second;
  WriteStateOp::create(builder, frame.at(op.getLoc()), places[member.place],
                       runtime(op.getValue(), frame));
  return success();
}

/// E2202 unless the bound types are one: true of verified IR. Open sizes that
/// are equal by the facts alone become one by a reshape.
LogicalResult Specialiser::bindAscribe(AscribeOp op, Frame &frame) {
  Location loc = frame.at(op.getLoc());
  Type from = frame.scope.substitute(op.getInput().getType(), loc);
  Type to = frame.scope.substitute(op.getType(), loc);
  if (!from || !to)
    return failure();
  auto source = dyn_cast<linnet::TensorType>(from),
       target = dyn_cast<linnet::TensorType>(to);
  auto isEqual = [&](Attribute a, Attribute b) {
    return frame.scope.isEqual(cast<DimAttr>(a).getValue(),
                               cast<DimAttr>(b).getValue());
  };
  if (from != to && source && target &&
      source.getElementType() == target.getElementType() &&
      source.getRank() == target.getRank() &&
      llvm::all_of(llvm::zip(source.getShape(), target.getShape()),
                   [&](auto pair) {
                     return isEqual(std::get<0>(pair), std::get<1>(pair));
                   })) {
    auto same =
        ReshapeOp::create(builder, loc, to, runtime(op.getInput(), frame));
    assign(op->getResults(), {Bound::runtime(same)}, frame);
    return success();
  }
  if (from != to)
    return emitError(loc) << "[" << op.getCode() << "] shape " << from
                          << " where " << to << " is required";
  Bound bound = lookup(op.getInput(), frame);
  assign(op->getResults(), {bound}, frame);
  return success();
}

LogicalResult Specialiser::bindRequire(RequireOp op, Frame &frame) {
  dims::Constraint claim = op.getConstraint().getValue();
  if (frame.scope.holds(claim))
    return success();
  if (std::optional<dims::Constraint> open = frame.scope.openConstraint(claim))
    return emitError(frame.at(op.getLoc()))
           << "[capability] `" << dims::toString(*open)
           << "` cannot be decided while its sizes are open; give them numbers "
              "with --bind";
  return emitError(frame.at(op.getLoc()))
         << "[" << op.getCode() << "] `" << dims::toString(claim)
         << "` does not hold: " << frame.scope.show(claim);
}
