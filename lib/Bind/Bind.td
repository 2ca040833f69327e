//===- Bind.td - the pass linnet-bind ---------------------------*- tablegen -*-===//
#ifndef LINNET_BIND_BIND_TD
#define LINNET_BIND_BIND_TD

include "mlir/Pass/PassBase.td"

def Bind : Pass<"linnet-bind", "mlir::ModuleOp"> {
  let summary = "instantiates a root block and its entries";
  let description = [{
    Takes a GENERIC module and leaves one function for each entry: every generic has a
    number or a dtype, every call is inlined, every loop over a structural array is
    expanded, every match is decided, and members are arguments of the function.
    Constraints are checked on the numbers: E2206 names the one that does not hold.
    Needs verified IR. Keeps `if`, `while`, `static_range` and index notation.

    With `open`, the entry's own dimensions that are given no number stay symbols: they
    are the function's generics, `where` holds what is known of them, and
    `linnet.ranges` the least and the greatest size that this leaves each. What
    cannot be decided then is a capability error.

    With `keep`, the body of a call stays together as a `linnet.scope`, but for calls in
    index notation and those that neither give a tensor nor write a state. With
    `keep=calls` values also keep the names that the source gives them: `linnet.names`
    on the op that computes them.

    The arguments are the entry's inputs, then params and buffers in manifest order,
    then states as references [LOW-2] [LOW-3]. `linnet.optional` marks what another
    choice of `optionals` could leave out.

    [[example: test/Bind/bind/example.mlir]]
  }];
  let options = [
    Option<"root", "root", "std::string", /*default=*/"",
           "the block to instantiate, such as `m::Model` or, where no other block has "
           "that name, `Model`; without one the entries are functions of modules">,
    Option<"entries", "entries", "std::string", /*default=*/"",
           "names of entries, with commas between; all of the root without any">,
    Option<"generics", "generics", "std::string", /*default=*/"",
           "values by name, `H=768,T=f32,S=[2,3]`; `forward.S=8` is for one entry">,
    Option<"optionals", "optionals", "std::string", /*default=*/"",
           "`present`, `absent`, or the paths of what is present; `absent` without it">,
    Option<"open", "open", "bool", /*default=*/"false",
           "keep an entry's dimensions that have no value as symbols">,
    Option<"keep", "keep", "std::string", /*default=*/"",
           "`calls` keeps the body of each call together in a `linnet.scope`, `ops` those "
           "of ops alone">
  ];
}

#endif // LINNET_BIND_BIND_TD
