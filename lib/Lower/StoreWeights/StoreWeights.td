// The pass `linnet-store-weights`.

include "mlir/Pass/PassBase.td"

def StoreWeights : Pass<"linnet-store-weights"> {
  let summary = "gives parameters a narrower dtype than the program computes with";
  let description = [{
    A floating `param` of two axes or more becomes an argument of the narrow dtype where all that
    the functions of the module do with it is to contract it, to take rows of it, or to slice it.
    Each use reads it through a `cast` that stands right before; rows are taken first, then cast.

    - `bf16`, `f16`: the numbers, rounded.
    - `i8`: matrices only. The integers `q` and, in the argument after them, `PATH.scale`, one
      f32 for each place along one axis, so that `w[i, j]` is about `q[i, j] * scale[i]`. The axis
      is the one that the first contraction keeps (the outputs of a projection), else the one
      along which rows are taken. The scale multiplies the *result* of a contraction; one that
      runs along the scale's own axis takes it into its other operand. The whole matrix is never
      made floating.

    Argument attributes say what was done: `linnet.stored` holds the scheme, the role (`values`
    or `scale`), the axis, and the dtype and shape that the program has; `linnet.unstored` says why a parameter of two
    axes or more stays. Vectors, buffers, states and whatever is not wider than the narrow dtype
    stay without a word.

    With `plan` the parameters it names, and no others, are stored, each with its axis
    (`blocks.0.up.weight:1`), so that functions lowered one by one agree; a use of another kind
    then reads the whole matrix made floating again.

    Needs CORE with `linnet.kind` and `linnet.path` on its arguments.

    [[example: test/Lower/store-weights/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
  let options = [
    Option<"dtype", "dtype", "std::string", /*default=*/"\"bf16\"",
           "the narrow dtype: `bf16`, `f16` or `i8`">,
    ListOption<"plan", "plan", "std::string",
               "`PATH:AXIS` of the parameters to store; empty: all that can be">
  ];
}
