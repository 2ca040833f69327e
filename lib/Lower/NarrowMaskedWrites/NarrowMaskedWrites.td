// The pass `linnet-narrow-masked-writes`.

include "mlir/Pass/PassBase.td"

def NarrowMaskedWrites : Pass<"linnet-narrow-masked-writes"> {
  let summary = "turns a select over a whole cache into an update of the part it changes";
  let description = [{
    `select(mask, new, cache)` becomes `update_slice(cache, block, start)` where the mask is
    provably false outside a window of known size along one or more axes, and the window is
    smaller than the axis. The block is the same select, computed for the window alone, so what
    the program means does not change: a window that lies partly or wholly outside of the cache
    writes only what lies inside. `select(mask, cache, new)` is read the other way round.

    A window whose start differs along another axis (one position a row) becomes one update for
    each place of that axis; a row named by one of `M` slots becomes one update for each slot.

    Understands masks made of `and`, `or`, `not`, comparisons of positions (`iota` and integer
    scalars, with sums and differences, which wrap), and `any` or `all` over those. Needs lowered
    comprehensions. Leaves every other select as it was, also one whose kept side is no argument
    of a function or loop, and no update of one: of what was only just computed all is written.

    [[example: test/Lower/narrow-masked-writes/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
  let options = [
    Option<"maxUpdates", "max-updates", "int64_t", /*default=*/"64",
           "updates that one select may become; a select that needs more is kept">
  ];
}
