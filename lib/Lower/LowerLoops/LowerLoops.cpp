// Turns counted loops into `while` loops that fill their stacks.

#include "lib/Lower/LowerLoops/LowerLoops.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

#include <cmath>

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
  Sizes shape = shapeOf(element);
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
  keepNames(loop, results);
  loop->replaceAllUsesWith(results);
  loop->erase();
}

namespace {

/// A `while` that counts; its first carried value is the position.
struct Counted {
  WhileOp loop;
  Block &body() { return loop.getBody().front(); }
  Value position() { return body().getArgument(0); }
};

} // namespace

/// `while (i = first, inits...) { i < end }` over `body`, or over an empty body
/// with these arguments.
static Counted count(Value first, Value end, ValueRange inits, Region *body,
                     OpBuilder &builder, Location loc) {
  SmallVector<Value> carried{first};
  llvm::append_range(carried, inits);
  TypeRange types = ValueRange(carried).getTypes();
  OperationState state(loc, WhileOp::getOperationName(), carried, types);
  state.addRegion();
  state.addRegion();
  auto loop = cast<WhileOp>(builder.create(state));

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(types.size(), loc);
  Block *test = builder.createBlock(&loop.getBefore(), {}, types, locs);
  TensorBuilder build(builder, loc);
  ConditionOp::create(builder, loc,
                      build.compare(Predicate::Lt, test->getArgument(0), end));
  if (body)
    loop.getBody().takeBody(*body);
  else
    builder.createBlock(&loop.getBody(), {}, types, locs);
  return {loop};
}

/// Lets `counted` keep the names of `loop`; it carries a position in front.
static void keepCarriedNames(ForOp loop, Counted &counted) {
  auto names = loop->getAttrOfType<ArrayAttr>("linnet.names");
  if (!names)
    return;
  SmallVector<Attribute> all(names.begin(), names.end());
  all.insert(all.begin(), StringAttr::get(loop.getContext(), ""));
  counted.loop->setAttr("linnet.names", ArrayAttr::get(loop.getContext(), all));
}

/// `stack` with the rows `rows` from `at` on.
static Value write(Value stack, Value rows, Value at, TensorBuilder &build) {
  SmallVector<Value> starts{at};
  if (rankOf(rows) > 1)
    starts.append(rankOf(rows) - 1, build.integer(0, elementOf(at)));
  return UpdateSliceOp::create(build.builder, build.loc, stack.getType(), stack,
                               rows, starts);
}

/// Lets the body of a loop that was a `linnet.for` from `first` on carry the
/// stacks `types` and write its elements into them.
static void fill(Counted &counted, size_t carried, ArrayRef<Type> types,
                 Value first, OpBuilder &builder) {
  Operation *yield = counted.body().getTerminator();
  builder.setInsertionPoint(yield);
  TensorBuilder build(builder, counted.loop.getLoc());
  Value position = counted.position(), at = position;
  if (constantInteger(first) != 0)
    at = build.binary<SubOp>(position, first);
  SmallVector<Value> next{
      build.binary<AddOp>(position, build.integer(1, elementOf(position)))};
  llvm::append_range(next, yield->getOperands().take_front(carried));
  for (auto [element, type] :
       llvm::zip_equal(yield->getOperands().drop_front(carried), types)) {
    Value stack = counted.body().addArgument(type, counted.loop.getLoc());
    next.push_back(write(stack, asRow(element, build), at, build));
  }
  yield->setOperands(next);
}

// for i = lo to hi (x = x0) stack (S) { y(i, x), e(i, x) }
//   =>  while (i = lo, x = x0, s = 0) { i < hi }
//       do { i + 1, y(i, x), update_slice(s, [e(i, x)] at i - lo) }
static void lowerMany(ForOp loop, int64_t lower, int64_t upper,
                      OpBuilder &builder) {
  Location loc = loop.getLoc();
  TensorBuilder build(builder, loc);
  Type counter = builder.getI64Type();
  SmallVector<Type> types(loop.getStacks().getTypes());
  SmallVector<Value> inits(loop.getInits());
  for (Type type : types)
    inits.push_back(blank(type, builder, loc));
  Value first = build.integer(lower, counter);
  Value end = build.integer(upper, counter);
  Counted built = count(first, end, inits, &loop.getBody(), builder, loc);
  fill(built, loop.getInits().size(), types, first, builder);
  keepCarriedNames(loop, built);
  loop->replaceAllUsesWith(built.loop->getResults().drop_front());
  loop->erase();
}

/// `stack` with `rows` rows.
static linnet::TensorType withRows(Type stack, int64_t rows) {
  auto type = cast<linnet::TensorType>(stack);
  SmallVector<int64_t> sizes = type.getStaticShape();
  Sizes shape(sizes.begin(), sizes.end());
  shape.front() = rows;
  return tensorType(shape, type.getElementType());
}

// The same in two loops, the inner one over the rows of one block:
//   =>  while (b = lo, x = x0, s = 0) { b < hi } do {
//         e = min(b + rows, hi)
//         while (i = b, x, t = 0) { i < e }
//         do { i + 1, y(i, x), update_slice(t, [e(i, x)] at i - b) }
//         e, x, update_slice(s, t at b - lo)
//       }
static void lowerInBlocks(ForOp loop, int64_t lower, int64_t upper,
                          int64_t rows, OpBuilder &builder) {
  Location loc = loop.getLoc();
  TensorBuilder build(builder, loc);
  Type counter = builder.getI64Type();
  int64_t size = upper - lower, blocks = (size + rows - 1) / rows;
  size_t carried = loop.getInits().size();
  SmallVector<Type> blockTypes;
  SmallVector<Value> inits(loop.getInits());
  for (Type type : loop.getStacks().getTypes()) {
    blockTypes.push_back(withRows(type, rows));
    inits.push_back(blank(withRows(type, blocks * rows), builder, loc));
  }
  Value first = build.integer(lower, counter);
  Value end = build.integer(upper, counter);
  Counted outer = count(first, end, inits, nullptr, builder, loc);

  builder.setInsertionPointToEnd(&outer.body());
  Value begin = outer.position();
  Value blockEnd = build.binary<MinOp>(
      build.binary<AddOp>(begin, build.integer(rows, counter)), end);
  SmallVector<Value> innerInits(
      outer.body().getArguments().drop_front().take_front(carried));
  for (Type type : blockTypes)
    innerInits.push_back(blank(type, builder, loc));
  Counted inner =
      count(begin, blockEnd, innerInits, &loop.getBody(), builder, loc);
  fill(inner, carried, blockTypes, begin, builder);
  keepCarriedNames(loop, inner);
  keepCarriedNames(loop, outer);

  builder.setInsertionPointToEnd(&outer.body());
  ResultRange results = inner.loop->getResults();
  SmallVector<Value> next{blockEnd};
  llvm::append_range(next, results.drop_front().take_front(carried));
  Value at = lower == 0 ? begin : build.binary<SubOp>(begin, first);
  for (auto [stack, block] :
       llvm::zip_equal(outer.body().getArguments().drop_front(1 + carried),
                       results.drop_front(1 + carried)))
    next.push_back(write(stack, block, at, build));
  YieldOp::create(builder, loc, next);

  builder.setInsertionPointAfter(outer.loop);
  SmallVector<Value> whole(outer.loop->getResults().drop_front());
  for (Value &stack : MutableArrayRef<Value>(whole).drop_front(carried))
    stack = build.slice(stack, 0, 0, size);
  loop->replaceAllUsesWith(whole);
  loop->erase();
}

/// The number of rows of a block, or 0 where one loop does.
///
/// A target that copies the stacks of a loop in every pass would copy `passes *
/// bytes` bytes; blocks of `sqrt(passes)` rows make that `sqrt(passes)` times
/// less.
static int64_t rowsOfBlock(ForOp loop, double passes, int64_t mostCopied) {
  double bytes = 0;
  for (Type type : loop.getStacks().getTypes()) {
    auto tensor = cast<linnet::TensorType>(type);
    double size = tensor.getElementType().getIntOrFloatBitWidth() / 8.0;
    for (int64_t dim : tensor.getStaticShape())
      size *= dim;
    bytes += size;
  }
  if (passes < 4 || bytes * passes <= mostCopied)
    return 0;
  return std::llround(std::sqrt(passes));
}

namespace {

struct LowerLoops : linnet::impl::LowerLoopsBase<LowerLoops> {
  using LowerLoopsBase::LowerLoopsBase;

  void runOnOperation() override {
    OpBuilder builder(&getContext());
    SmallVector<ForOp> loops;
    int64_t mostCopied = maxCopied.getValue();
    getOperation()->walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      std::optional<int64_t> lower = loop.getLower().asInteger();
      std::optional<int64_t> upper = loop.getUpper().asInteger();
      if (!lower || !upper) {
        loop.emitError("needs constant bounds, which `linnet-bind` gives");
        return signalPassFailure();
      }
      if (!llvm::all_of(loop.getStacks(), isStaticTensor)) {
        loop.emitError("[capability] a loop that collects values of an open "
                       "size cannot be compiled yet; bind the size");
        return signalPassFailure();
      }
      builder.setInsertionPoint(loop);
      if (*lower == *upper)
        lowerNever(loop, builder);
      else if (*lower == *upper - 1)
        lowerOnce(loop, *lower, builder);
      else if (int64_t rows = rowsOfBlock(
                   loop, static_cast<double>(*upper) - *lower, mostCopied))
        lowerInBlocks(loop, *lower, *upper, rows, builder);
      else
        lowerMany(loop, *lower, *upper, builder);
    }
  }
};

} // namespace
