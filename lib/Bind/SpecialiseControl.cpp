// Specialisation of matches, conditions and loops.
#include "lib/Bind/Specialise.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

/// The runtime values of all `bounds`, in order.
static SmallVector<Value> flatten(ArrayRef<Bound> bounds) {
  SmallVector<Value> values;
  for (const Bound &bound : bounds)
    bound.flatten(values);
  return values;
}

/// `bounds` over the runtime values `values`.
static std::vector<Bound> rebuild(ArrayRef<Bound> bounds, ValueRange values) {
  std::vector<Bound> built;
  for (const Bound &bound : bounds)
    built.push_back(bound.rebuild(values));
  return built;
}

/// Whether one op can yield either of them at run time: only values that exist
/// at run time may depend on what happens there.
static LogicalResult agree(ArrayRef<Bound> a, ArrayRef<Bound> b, Location loc) {
  for (auto [one, other] : llvm::zip_equal(a, b))
    if (!one.isLike(other))
      return emitError(loc)
             << "[capability] whether an optional has a value, and which "
                "variant an enum is, must be known when the model is compiled; "
                "here it depends on a value of the run";
  return success();
}

LogicalResult Specialiser::inlineRegion(Region &from, Frame &frame,
                                        const Results &arguments,
                                        ValueRange results) {
  assign(from.getArguments(), arguments, frame);
  Results yielded;
  if (failed(bindBlock(from.front(), frame, yielded)))
    return failure();
  assign(results, yielded, frame);
  return success();
}

LogicalResult Specialiser::bindMatchOptional(MatchOptionalOp op, Frame &frame) {
  const Bound &scrutinee = lookup(op.getOptional(), frame);
  if (scrutinee.kind == Bound::Present) {
    Bound inner = scrutinee.parts.front();
    return inlineRegion(op.getSomeRegion(), frame, {inner}, op->getResults());
  }
  assert(scrutinee.kind == Bound::Absent && "an optional is decided by now");
  return inlineRegion(op.getNoneRegion(), frame, {}, op->getResults());
}

LogicalResult Specialiser::bindMatchEnum(MatchEnumOp op, Frame &frame) {
  const Bound &scrutinee = lookup(op.getValue(), frame);
  assert(scrutinee.kind == Bound::Variant && "a variant is known by now");
  for (auto [name, region] :
       llvm::zip(op.getCases().getAsRange<StringAttr>(), op.getCaseRegions()))
    if (name.getValue() == scrutinee.variant)
      return inlineRegion(region, frame, {}, op->getResults());
  return inlineRegion(op.getDefaultRegion(), frame, {}, op->getResults());
}

LogicalResult Specialiser::bindIf(IfOp op, Frame &frame) {
  Value condition = runtime(op.getCondition(), frame);
  // A condition that is known decides alone, also what is optional in it.
  if (ConstantOp known = constantOf(condition))
    if (auto value = dyn_cast<BoolAttr>(known.getLiteral()))
      return inlineRegion(value.getValue() ? op.getThenRegion()
                                           : op.getElseRegion(),
                          frame, {}, op->getResults());

  Location loc = frame.at(op.getLoc());
  Results yielded[2];
  std::unique_ptr<Region> regions[2];
  {
    OpBuilder::InsertionGuard guard(builder);
    for (unsigned branch : {0, 1}) {
      regions[branch] = std::make_unique<Region>();
      openBlock(*regions[branch], {}, loc);
      if (failed(
              bindBlock(op->getRegion(branch).front(), frame, yielded[branch])))
        return failure();
      YieldOp::create(builder, loc, flatten(yielded[branch]));
    }
  }
  if (failed(agree(yielded[0], yielded[1], loc)))
    return failure();
  SmallVector<Value> values = flatten(yielded[0]);
  Operation *built = build(IfOp::getOperationName(), loc, condition,
                           ValueRange(values).getTypes(), regions);
  assign(op->getResults(), rebuild(yielded[0], built->getResults()), frame);
  return success();
}

LogicalResult Specialiser::bindWhile(WhileOp op, Frame &frame) {
  Location loc = frame.at(op.getLoc());
  Results inits;
  for (Value init : op.getInits())
    inits.push_back(lookup(init, frame));
  SmallVector<Value> values = flatten(inits);
  TypeRange types = ValueRange(values).getTypes();

  std::unique_ptr<Region> regions[2];
  {
    OpBuilder::InsertionGuard guard(builder);
    regions[0] = std::make_unique<Region>();
    Block *before = openBlock(*regions[0], types, loc);
    assign(op.getBefore().getArguments(),
           rebuild(inits, before->getArguments()), frame);
    Results condition;
    if (failed(bindBlock(op.getBefore().front(), frame, condition)))
      return failure();
    ConditionOp::create(builder, loc, flatten(condition).front());

    regions[1] = std::make_unique<Region>();
    Block *body = openBlock(*regions[1], types, loc);
    assign(op.getBody().getArguments(), rebuild(inits, body->getArguments()),
           frame);
    Results yielded;
    if (failed(bindBlock(op.getBody().front(), frame, yielded)) ||
        failed(agree(inits, yielded, loc)))
      return failure();
    YieldOp::create(builder, loc, flatten(yielded));
  }
  Operation *built =
      build(WhileOp::getOperationName(), loc, values, types, regions);
  assign(op->getResults(), rebuild(inits, built->getResults()), frame);
  return success();
}

LogicalResult Specialiser::bindStaticFor(StaticForOp op, Frame &frame) {
  const Bound &array = lookup(op.getArray(), frame);
  assert(array.kind == Bound::Array && "static_for runs over instances");
  const auto *instances = array.array;
  Results carried;
  for (Value init : op.getInits())
    carried.push_back(lookup(init, frame));

  for (const std::unique_ptr<Instance> &instance : *instances) {
    Results arguments;
    arguments.push_back(Bound::of(*instance));
    llvm::append_range(arguments, carried);
    assign(op.getBody().getArguments(), arguments, frame);
    carried.clear();
    if (failed(bindBlock(op.getBody().front(), frame, carried)))
      return failure();
  }
  assign(op->getResults(), carried, frame);
  return success();
}

std::unique_ptr<Region> Specialiser::bindCounted(Operation *op,
                                                 const Results &inits,
                                                 TypeRange carried,
                                                 Frame &frame) {
  Location loc = frame.at(op->getLoc());
  Block &from = op->getRegion(0).front();
  SmallVector<Type> types{from.getArgument(0).getType()};
  llvm::append_range(types, carried);

  OpBuilder::InsertionGuard guard(builder);
  auto region = std::make_unique<Region>();
  Block *body = openBlock(*region, types, loc);
  Results arguments =
      rebuild(inits, ValueRange(body->getArguments()).drop_front());
  arguments.insert(arguments.begin(), Bound::runtime(body->getArgument(0)));
  assign(from.getArguments(), arguments, frame);
  Results yielded;
  if (failed(bindBlock(from, frame, yielded)) ||
      failed(
          agree(inits, ArrayRef<Bound>(yielded).take_front(inits.size()), loc)))
    return nullptr;
  YieldOp::create(builder, loc, flatten(yielded));
  return region;
}

LogicalResult Specialiser::bindStaticRange(StaticRangeOp op, Frame &frame) {
  Location loc = frame.at(op.getLoc());
  FailureOr<int64_t> lo = frame.scope.number(op.getLower().getValue(), loc);
  FailureOr<int64_t> hi = frame.scope.number(op.getUpper().getValue(), loc);
  if (failed(lo) || failed(hi))
    return failure();
  Results inits;
  for (Value init : op.getInits())
    inits.push_back(lookup(init, frame));
  SmallVector<Value> values = flatten(inits);
  TypeRange types = ValueRange(values).getTypes();
  std::unique_ptr<Region> region = bindCounted(op, inits, types, frame);
  if (!region)
    return failure();

  MutableArrayRef<std::unique_ptr<Region>> regions(region);
  auto range = cast<StaticRangeOp>(
      build(StaticRangeOp::getOperationName(), loc, values, types, regions));
  range.setLowerAttr(DimAttr::get(op.getContext(), *lo));
  range.setUpperAttr(DimAttr::get(op.getContext(), *hi));
  assign(op->getResults(), rebuild(inits, range->getResults()), frame);
  return success();
}

LogicalResult Specialiser::bindFor(ForOp op, Frame &frame) {
  Location loc = frame.at(op.getLoc());
  for (const Claim &claim : op.getClaims())
    if (!frame.scope.holds(claim.constraint))
      return emitError(loc)
             << "[" << claim.code << "] `" << dims::toString(claim.constraint)
             << "` does not hold: " << frame.scope.show(claim.constraint);
  FailureOr<int64_t> lo = frame.scope.number(op.getLower().getValue(), loc);
  FailureOr<int64_t> hi = frame.scope.number(op.getUpper().getValue(), loc);
  if (failed(lo) || failed(hi))
    return failure();
  Results inits;
  for (Value init : op.getInits())
    inits.push_back(lookup(init, frame));
  SmallVector<Value> values = flatten(inits);
  SmallVector<Type> types(ValueRange(values).getTypes());
  std::unique_ptr<Region> region = bindCounted(op, inits, types, frame);
  if (!region)
    return failure();
  for (Value stack : op.getStacks()) {
    Type type = frame.scope.substitute(stack.getType(), loc);
    if (!type)
      return failure();
    types.push_back(type);
  }

  MutableArrayRef<std::unique_ptr<Region>> regions(region);
  auto loop = cast<ForOp>(
      build(ForOp::getOperationName(), loc, values, types, regions));
  loop.setLowerAttr(DimAttr::get(op.getContext(), *lo));
  loop.setUpperAttr(DimAttr::get(op.getContext(), *hi));
  Results results = rebuild(inits, loop.getCarried());
  for (Value stack : loop.getStacks())
    results.push_back(Bound::runtime(stack));
  assign(op->getResults(), results, frame);
  return success();
}
