// linnet-thread-state: state cells become arguments and results.
#include "lib/Lower/ThreadState/ThreadState.h"

#include "dialect/LinnetDialect.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace linnet {
#define GEN_PASS_DEF_THREADSTATE
#include "lib/Lower/ThreadState/ThreadState.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

namespace {

/// The current value of each cell, cells in argument order.
using Current = llvm::MapVector<Value, Value>;

/// The cells that something in `regions` writes, in argument order.
SmallVector<Value> writtenCells(MutableArrayRef<Region> regions,
                                const Current &current) {
  llvm::SmallPtrSet<void *, 8> written;
  for (Region &region : regions)
    region.walk([&](WriteStateOp write) {
      written.insert(write.getCell().getAsOpaquePointer());
    });
  SmallVector<Value> cells;
  for (const auto &[cell, value] : current)
    if (written.contains(cell.getAsOpaquePointer()))
      cells.push_back(cell);
  return cells;
}

/// The paths of cells, which are arguments of a function.
ArrayAttr pathsOf(ArrayRef<Value> cells) {
  SmallVector<Attribute> paths;
  for (Value cell : cells) {
    auto argument = cast<BlockArgument>(cell);
    auto function = cast<FuncOp>(argument.getOwner()->getParentOp());
    auto path = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      "linnet.path");
    paths.push_back(path ? path : StringAttr::get(function.getContext(), ""));
  }
  return ArrayAttr::get(cells.front().getContext(), paths);
}

SmallVector<Value> valuesOf(ArrayRef<Value> cells, const Current &current) {
  SmallVector<Value> values;
  for (Value cell : cells)
    values.push_back(current.lookup(cell));
  return values;
}

void appendOperands(Operation *op, ValueRange values) {
  op->insertOperands(op->getNumOperands(), values);
}

/// `op` once more, with results of the types of `cells` inserted at `at`, its
/// regions moved. The old op's results give way to those of the new one.
Operation *withResults(Operation *op, ValueRange moreOperands,
                       ArrayRef<Value> cells, unsigned at) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(moreOperands);
  state.addTypes(op->getResults().take_front(at).getTypes());
  for (Value cell : cells)
    state.addTypes(cast<RefType>(cell.getType()).getTensor());
  state.addTypes(op->getResults().drop_front(at).getTypes());
  state.attributes = op->getDiscardableAttrDictionary();
  if (auto names = op->getAttrOfType<ArrayAttr>("linnet.names")) {
    SmallVector<Attribute> all(names.begin(), names.end());
    all.insert(all.begin() + at, cells.size(), builder.getStringAttr(""));
    state.attributes.set("linnet.names", builder.getArrayAttr(all));
  }
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *built = builder.create(state);
  for (auto [to, from] : llvm::zip(built->getRegions(), op->getRegions()))
    to.takeBody(from);
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    result.replaceAllUsesWith(
        built->getResult(number < at ? number : number + cells.size()));
  op->erase();
  return built;
}

/// The results for `cells` are their values from here on.
void setCurrent(ArrayRef<Value> cells, ValueRange values, Current &current) {
  for (auto [cell, value] : llvm::zip_equal(cells, values))
    current[cell] = value;
}

// while (x = x0) { c(x) } do { f(x) }  =>
// k = c(x0); while (x = x0, k = k) { k } do { y = f(x); y, c(y) }
WhileOp rotate(WhileOp loop) {
  OpBuilder builder(loop);
  Block &before = loop.getBefore().front();
  auto evaluate = [&](ValueRange carried) {
    IRMapping mapping;
    mapping.map(before.getArguments(), carried);
    for (Operation &op : before.without_terminator())
      builder.clone(op, mapping);
    return mapping.lookupOrDefault(before.getTerminator()->getOperand(0));
  };
  Value first = evaluate(loop.getInits());
  Block &body = loop.getBody().front();
  Operation *yield = body.getTerminator();
  builder.setInsertionPoint(yield);
  appendOperands(yield, evaluate(yield->getOperands()));
  Type type = first.getType();
  body.addArgument(type, loop.getLoc());
  Value carried = before.addArgument(type, loop.getLoc());
  Operation *condition = before.getTerminator();
  condition->setOperand(0, carried);
  // Nothing else of the condition is left.
  while (&before.front() != condition)
    condition->getPrevNode()->erase();

  builder.setInsertionPoint(loop);
  OperationState state(loop.getLoc(), loop->getName());
  state.addOperands(loop.getInits());
  state.addOperands(first);
  state.addTypes(loop.getResultTypes());
  state.addTypes(type);
  state.addRegion()->takeBody(loop.getBefore());
  state.addRegion()->takeBody(loop.getBody());
  auto rotated = cast<WhileOp>(builder.create(state));
  loop->replaceAllUsesWith(
      rotated->getResults().take_front(loop->getNumResults()));
  loop->erase();
  return rotated;
}

class Threader {
public:
  /// Threads the cells through `block`. `current` goes in with the values at
  /// its start and comes out with those at its end.
  void thread(Block &block, Current &current) {
    for (Operation *op = &block.front(); op;) {
      Operation *next = op->getNextNode();
      if (auto read = dyn_cast<ReadStateOp>(op)) {
        read.replaceAllUsesWith(current.lookup(read.getCell()));
        read.erase();
      } else if (auto write = dyn_cast<WriteStateOp>(op)) {
        // The value may be an argument that still has the type of a cell.
        current[write.getCell()] = write->getOperand(1);
        write.erase();
      } else if (isa<IfOp, ScopeOp>(op)) {
        threadChoice(op, current);
      } else if (auto loop = dyn_cast<WhileOp>(op)) {
        if (!writtenCells(loop.getBefore(), current).empty()) {
          // What is evaluated before the loop comes first.
          Operation *previous = op->getPrevNode();
          rotate(loop);
          op = previous ? previous->getNextNode() : &block.front();
          continue;
        }
        threadLoop(op, current);
      } else if (isa<StaticRangeOp, ForOp>(op)) {
        threadLoop(op, current);
      } else {
        for (Region &region : op->getRegions())
          for (Block &inner : region)
            thread(inner, current);
      }
      op = next;
    }
  }

private:
  void threadChoice(Operation *op, Current &current) {
    SmallVector<Value> cells = writtenCells(op->getRegions(), current);
    for (Region &region : op->getRegions()) {
      Current inner = current;
      thread(region.front(), inner);
      appendOperands(region.front().getTerminator(), valuesOf(cells, inner));
    }
    if (cells.empty())
      return;
    Operation *built = withResults(op, {}, cells, op->getNumResults());
    setCurrent(cells, built->getResults().take_back(cells.size()), current);
    if (auto scope = dyn_cast<ScopeOp>(built))
      scope.setStatesAttr(pathsOf(cells));
  }

  void threadLoop(Operation *op, Current &current) {
    // A state is carried; what a scan stacks comes after all that is.
    auto scan = dyn_cast<ForOp>(op);
    unsigned at = scan ? scan.getInits().size() : op->getNumResults();
    SmallVector<Value> cells = writtenCells(op->getRegions(), current);
    SmallVector<Value> inits = valuesOf(cells, current);
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      Current inner = current;
      for (Value cell : cells)
        inner[cell] = block.addArgument(
            cast<RefType>(cell.getType()).getTensor(), op->getLoc());
      thread(block, inner);
      if (isa<YieldOp>(block.getTerminator()))
        block.getTerminator()->insertOperands(at, valuesOf(cells, inner));
    }
    if (cells.empty())
      return;
    Operation *built = withResults(op, inits, cells, at);
    setCurrent(cells, built->getResults().slice(at, cells.size()), current);
  }
};

void threadFunction(FuncOp function) {
  Block &body = function.getBody().front();
  Current current;
  for (BlockArgument argument : body.getArguments())
    if (isa<RefType>(argument.getType()))
      current.insert({argument, argument});
  if (current.empty())
    return;

  Threader().thread(body, current);
  Builder builder(function.getContext());
  SmallVector<Type> results(function.getResultTypes());
  SmallVector<Attribute> attributes;
  for (unsigned i = 0; i < results.size(); ++i) {
    DictionaryAttr attrs = function.getResultAttrDict(i);
    attributes.push_back(attrs ? attrs : builder.getDictionaryAttr({}));
  }
  SmallVector<Value> last;
  for (auto &[cell, value] : current) {
    auto argument = cast<BlockArgument>(cell);
    argument.setType(cast<RefType>(argument.getType()).getTensor());
    last.push_back(value);
    results.push_back(argument.getType());
    DictionaryAttr attrs = function.getArgAttrDict(argument.getArgNumber());
    attributes.push_back(attrs ? attrs : builder.getDictionaryAttr({}));
  }
  appendOperands(body.getTerminator(), last);
  function.setFunctionType(
      builder.getFunctionType(body.getArgumentTypes(), results));
  function.setResAttrsAttr(builder.getArrayAttr(attributes));
}

struct ThreadState : linnet::impl::ThreadStateBase<ThreadState> {
  void runOnOperation() override {
    for (FuncOp function : getOperation().getOps<FuncOp>())
      threadFunction(function);
  }
};

} // namespace
