// Specialisation of index notation: a pack index becomes several plain ones.
#include "lib/Bind/Specialise.h"

using namespace mlir;
using namespace linnet;
using namespace linnet::bind;

/// Plain index types for the arguments of `block`, one for each axis. `widths`
/// says how many belong to each argument.
static LogicalResult expandIndices(Block &block, const Scope &scope,
                                   Location loc, SmallVectorImpl<Type> &types,
                                   SmallVectorImpl<size_t> &widths) {
  MLIRContext *context = loc.getContext();
  for (BlockArgument argument : block.getArguments()) {
    auto index = cast<linnet::IndexType>(argument.getType());
    FailureOr<Scope::Sizes> sizes = scope.expand(index.getExtents(), loc);
    if (failed(sizes))
      return failure();
    for (const dims::Expr &size : *sizes) {
      Attribute extent = DimAttr::get(context, size);
      types.push_back(linnet::IndexType::get(context, extent));
    }
    widths.push_back(sizes->size());
  }
  return success();
}

/// The bound indices for the arguments of `from` out of the plain ones of `to`.
static std::vector<Bound> bindIndices(Block &from, Block &to,
                                      ArrayRef<size_t> widths) {
  std::vector<Bound> bounds;
  size_t next = 0;
  for (auto [argument, width] : llvm::zip_equal(from.getArguments(), widths)) {
    std::vector<Bound> plain;
    for (size_t i = 0; i < width; ++i)
      plain.push_back(Bound::runtime(to.getArgument(next++)));
    auto extents = cast<linnet::IndexType>(argument.getType()).getExtents();
    bool isPlain = extents.size() == 1 && isa<DimAttr>(extents.front());
    bounds.push_back(isPlain ? plain.front() : Bound::tuple(std::move(plain)));
  }
  return bounds;
}

Operation *Specialiser::bindOverIndices(Operation *op, Block &from,
                                        Frame &frame) {
  Location loc = frame.at(op->getLoc());
  Type type = frame.scope.substitute(op->getResult(0).getType(), loc);
  SmallVector<Type> indices;
  SmallVector<size_t> widths;
  if (!type || failed(expandIndices(from, frame.scope, loc, indices, widths)))
    return nullptr;

  std::unique_ptr<Region> region = std::make_unique<Region>();
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *to = openBlock(*region, indices, loc);
    assign(from.getArguments(), bindIndices(from, *to, widths), frame);
    Results yielded;
    ++indexed;
    LogicalResult bound = bindBlock(from, frame, yielded);
    --indexed;
    if (failed(bound))
      return nullptr;
    YieldOp::create(builder, loc, yielded.front().value);
  }
  Operation *built = build(op->getName().getStringRef(), loc, {}, type,
                           MutableArrayRef(region));
  assign(op->getResults(), {Bound::runtime(built->getResult(0))}, frame);
  return built;
}

LogicalResult Specialiser::bindComprehension(ComprehensionOp op, Frame &frame) {
  return success(bindOverIndices(op, op.getBody().front(), frame) != nullptr);
}

LogicalResult Specialiser::bindReduceOver(ReduceOverOp op, Frame &frame) {
  Operation *built = bindOverIndices(op, op.getBody().front(), frame);
  if (!built)
    return failure();
  cast<ReduceOverOp>(built).setKind(op.getKind());
  return success();
}

LogicalResult Specialiser::bindAccess(AccessOp op, Frame &frame) {
  Location loc = frame.at(op.getLoc());
  Type type = frame.scope.substitute(op.getType(), loc);
  if (!type)
    return failure();
  SmallVector<Value> parts;
  for (Value part : op.getParts())
    lookup(part, frame).flatten(parts);
  auto built =
      AccessOp::create(builder, loc, type, runtime(op.getBase(), frame), parts);
  assign(op->getResults(), {Bound::runtime(built)}, frame);
  return success();
}
