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

    - `i4`: matrices only, in groups of `group` elements that are summed together, or of a half,
      a quarter, ... of that where the sum is no multiple of it. The argument becomes
      `[rows, groups, group / 2]` of `ui8`, two numbers `q` in 0..15 a byte, whose rows lie along
      the same axis as the scales of `i8`; behind it stand `PATH.scale` and `PATH.zero`, f32
      `[rows, groups]`, so that an element is about `(q - zero) * scale`. Rows are taken first,
      then made floating; before a contraction the whole matrix is, in the form that
      `dequantize_int4_groups` of std.quant has, by which backends find it. A matrix that is used
      along both of its axes stays, and so does one whose sums have no whole groups of 16.

    Argument attributes say what was done: `linnet.stored` holds the scheme, the role (`values`,
    `scale` or `zero`), the axis, the group of `i4`, and the dtype and shape that the program has;
    `linnet.unstored` says why a parameter of two axes or more stays. Vectors, buffers, states and
    whatever is not wider than the narrow dtype stay without a word.

    With `plan` the parameters it names, and no others, are stored, each with its axis
    (`blocks.0.up.weight:1`), so that functions lowered one by one agree; a use of another kind
    then reads the whole matrix made floating again.

    Needs CORE with `linnet.kind` and `linnet.path` on its arguments.

    [[example: test/Lower/store-weights/example.mlir]]
  }];
  let dependentDialects = ["::linnet::LinnetDialect"];
  let options = [
    Option<"dtype", "dtype", "std::string", /*default=*/"\"bf16\"",
           "the narrow dtype: `bf16`, `f16`, `i8` or `i4`">,
    Option<"group", "group", "int64_t", /*default=*/"64",
           "of `i4`: how many summed elements share a scale at most, a power of two from 16 on">,
    ListOption<"plan", "plan", "std::string",
               "`PATH:AXIS` of the parameters to store; empty: all that can be">
  ];
}
