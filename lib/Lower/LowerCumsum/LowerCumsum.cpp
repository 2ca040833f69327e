// Turns running sums into additions of slices.

#include "lib/Lower/LowerCumsum/LowerCumsum.h"
#include "lib/Lower/TensorBuilder/TensorBuilder.h"

namespace linnet {
#define GEN_PASS_DEF_LOWERCUMSUM
#include "lib/Lower/LowerCumsum/LowerCumsum.h.inc"
} // namespace linnet

using namespace mlir;
using namespace linnet;

// cumsum(x)  =>  y1 = x;  y2w = concat(yw[:w], yw[w:] + yw[:N - w]);  yN
static Value runningSum(Value x, int64_t axis, TensorBuilder &build) {
  int64_t size = *shapeOf(x)[axis].known();
  // Unsigned, so that the last doubling cannot wrap.
  for (uint64_t width = 1; width < static_cast<uint64_t>(size); width *= 2) {
    int64_t rest = size - width;
    Value later = build.slice(x, axis, width, rest);
    Value earlier = build.slice(x, axis, 0, rest);
    Value sums = build.binary<AddOp>(later, earlier);
    x = build.concat({build.slice(x, axis, 0, width), sums}, axis);
  }
  return x;
}

namespace {

struct LowerCumsum : linnet::impl::LowerCumsumBase<LowerCumsum> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    SmallVector<CumsumOp> sums;
    getOperation()->walk([&](CumsumOp op) { sums.push_back(op); });
    for (CumsumOp op : sums) {
      if (!hasKnownAxes(op)) {
        op.emitError("needs plain dimensions, which `linnet-bind` gives");
        return signalPassFailure();
      }
      if (Size size = shapeOf(op.getInput())[op.getAxis()]; !size.known()) {
        op.emitError("[capability] running sums along an axis of open size `")
            << dims::toString(size.expr())
            << "` cannot be compiled yet; bind it to a number";
        return signalPassFailure();
      }
      builder.setInsertionPoint(op);
      TensorBuilder build(builder, op.getLoc());
      Value sum = runningSum(op.getInput(), op.getAxis(), build);
      keepNames(op, sum);
      op.replaceAllUsesWith(sum);
      op.erase();
    }
  }
};

} // namespace
