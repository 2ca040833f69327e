// Turns counted loops into `while` loops that fill their stacks.

#include "lib/Lower/LowerLoops/LowerLoops.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

namespace linnet {
#define GEN_PASS_DEF_LOWERLOOPS
#include "lib/Lower/LowerLoops/LowerLoops.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

/// What a stack begins with: zeros, or false, everywhere.
static Value blank(Type type, OpBuilder &builder, Location loc) {
  bool isLogic = cast<linnet::TensorType>(type).getElementType().isInteger(1);
  TypedAttr zero = isLogic ? TypedAttr(builder.getBoolAttr(false))
                           : TypedAttr(builder.getI64IntegerAttr(0));
  return ConstantOp::create(builder, loc, type, zero);
}

/// `element` with a leading axis of size 1.
static Value asRow(Value element, TensorBuilder &build) {
  SmallVector<int64_t> shape = shapeOf(element);
  shape.insert(shape.begin(), 1);
  return build.reshape(element, shape);
}

// for i = lo to lo (x = x0) stack (S) { .. }  =>  x0, empty S
static void lowerNever(ForOp loop, OpBuilder &builder) {
  SmallVector<Value> results(loop.getInits());
  for (Type type : loop.getStacks().getTypes())
    results.push_back(blank(type, builder, loop.getLoc()));
  loop->replaceAllUsesWith(results);
  loop->erase();
}

// for i = lo to lo + 1 (x = x0) stack (S) { y(i, x), e(i, x) }
//   =>  y(lo, x0), [e(lo, x0)]
static void lowerOnce(ForOp loop, int64_t lower, OpBuilder &builder) {
  TensorBuilder build(builder, loop.getLoc());
  Block &body = loop.getBody().front();
  Operation *yield = body.getTerminator();
  SmallVector<Value> arguments{build.integer(lower, builder.getI64Type())};
  llvm::append_range(arguments, loop.getInits());
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  SmallVector<Value> results(yield->getOperands());
  loop->getBlock()->getOperations().splice(loop->getIterator(),
                                           body.getOperations(), body.begin(),
                                           yield->getIterator());
  builder.setInsertionPoint(loop);
  for (Value &element :
       MutableArrayRef<Value>(results).drop_front(loop.getInits().size()))
    element = asRow(element, build);
  loop->replaceAllUsesWith(results);
  loop->erase();
}

// for i = lo to hi (x = x0) stack (S) { y(i, x), e(i, x) }
//   =>  while (i = lo, x = x0, s = 0) { i < hi }
//       do { i + 1, y(i, x), update_slice(s, [e(i, x)] at i - lo) }
static void lowerMany(ForOp loop, int64_t lower, int64_t upper,
                      OpBuilder &builder) {
  Location loc = loop.getLoc();
  TensorBuilder build(builder, loc);
  Type counter = builder.getI64Type();
  SmallVector<Value> inits{build.integer(lower, counter)};
  llvm::append_range(inits, loop.getInits());
  for (Type type : loop.getStacks().getTypes())
    inits.push_back(blank(type, builder, loc));
  TypeRange types = ValueRange(inits).getTypes();

  OperationState state(loc, WhileOp::getOperationName(), inits, types);
  state.addRegion();
  state.addRegion()->takeBody(loop.getBody());
  auto built = cast<WhileOp>(builder.create(state));

  SmallVector<Location> locs(types.size(), loc);
  Block *test = builder.createBlock(&built.getBefore(), {}, types, locs);
  Value goesOn = build.compare(Predicate::Lt, test->getArgument(0),
                               build.integer(upper, counter));
  ConditionOp::create(builder, loc, goesOn);

  Block &body = built.getBody().front();
  Operation *yield = body.getTerminator();
  builder.setInsertionPoint(yield);
  Value position = body.getArgument(0), at = position;
  if (lower != 0)
    at = build.binary<SubOp>(position, build.integer(lower, counter));
  size_t carried = loop.getInits().size();
  SmallVector<Value> next{
      build.binary<AddOp>(position, build.integer(1, counter))};
  llvm::append_range(next, yield->getOperands().take_front(carried));
  for (Value element : yield->getOperands().drop_front(carried)) {
    Value row = asRow(element, build);
    Value stack = body.addArgument(types[next.size()], loc);
    SmallVector<Value> starts{at};
    if (rankOf(row) > 1)
      starts.append(rankOf(row) - 1, build.integer(0, counter));
    next.push_back(UpdateSliceOp::create(builder, loc, stack.getType(), stack,
                                         row, starts));
  }
  yield->setOperands(next);
  builder.setInsertionPointAfter(built);
  loop->replaceAllUsesWith(built->getResults().drop_front());
  loop->erase();
}

namespace {

struct LowerLoops : linnet::impl::LowerLoopsBase<LowerLoops> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    SmallVector<ForOp> loops;
    getOperation()->walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      std::optional<int64_t> lower = loop.getLower().asInteger();
      std::optional<int64_t> upper = loop.getUpper().asInteger();
      if (!lower || !upper || !llvm::all_of(loop.getStacks(), isStaticTensor)) {
        loop.emitError("needs constant bounds, which `linnet-bind` gives");
        return signalPassFailure();
      }
      builder.setInsertionPoint(loop);
      if (*lower == *upper)
        lowerNever(loop, builder);
      else if (*lower == *upper - 1)
        lowerOnce(loop, *lower, builder);
      else
        lowerMany(loop, *lower, *upper, builder);
    }
  }
};

} // namespace
