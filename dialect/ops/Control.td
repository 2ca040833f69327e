//===- Control.td - choices, loops, optionals, tuples -----------*- tablegen -*-===//
#ifndef LINNET_OPS_CONTROL_TD
#define LINNET_OPS_CONTROL_TD

include "dialect/ops/Structure.td"

//===----------------------------------------------------------------------===//
// Compound values
//===----------------------------------------------------------------------===//

def Linnet_SomeOp : Linnet_Op<"some", [Pure]> {
  let summary = "an optional that holds a value";
  let description = [{
    Constraints:
    - (C1) The result is the optional of the operand's type.

    Example:
    ```mlir
    %s = linnet.some %v : !linnet.tensor<[N], f32>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Linnet_Optional:$result);
  let assemblyFormat = [{
    $value attr-dict `:` custom<OptionalOf>(type($value), type($result))
  }];
  let hasVerifier = 1;
}

def Linnet_NoneOp : Linnet_Op<"none", [Pure]> {
  let summary = "an optional that holds nothing";
  let description = [{
    Example:
    ```mlir
    %n = linnet.none : !linnet.optional<!linnet.tensor<[N], f32>>
    ```
  }];
  let results = (outs Linnet_Optional:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Linnet_TupleOp : Linnet_Op<"tuple", [Pure]> {
  let summary = "builds a tuple";
  let description = [{
    Constraints:
    - (C1) The result lists the types of the operands.

    Example:
    ```mlir
    %t = linnet.tuple %a, %b : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], i32>>
    ```
  }];
  let arguments = (ins Variadic<Linnet_Value>:$elements);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = [{
    $elements attr-dict `:` custom<TupleOf>(type($elements), type($result))
  }];
  let hasVerifier = 1;
}

def Linnet_UntupleOp : Linnet_Op<"untuple", [Pure]> {
  let summary = "takes a tuple apart";
  let description = [{
    Constraints:
    - (C1) The operand's type lists the types of the results.

    Example:
    ```mlir
    %a, %b = linnet.untuple %t : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], i32>>
    ```
  }];
  let arguments = (ins AnyTuple:$input);
  let results = (outs Variadic<Linnet_Value>:$elements);
  let assemblyFormat = [{
    $input attr-dict `:` custom<TupleOf>(type($elements), type($input))
  }];
  let hasVerifier = 1;
}

def Linnet_EnumValueOp : Linnet_Op<"enum_value", [Pure, Linnet_UsesSymbols]> {
  let summary = "a variant of an enum";
  let description = [{
    Constraints:
    - (C1) The enum of the result has the variant.

    Example:
    ```mlir
    %e = linnet.enum_value "Fast" : !linnet.enum<@"m::Mode">
    ```
  }];
  let arguments = (ins StrAttr:$variant);
  let results = (outs Linnet_Enumerated:$result);
  let assemblyFormat = "$variant attr-dict `:` qualified(type($result))";
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

def Linnet_YieldOp : Linnet_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<[
    "::linnet::IfOp", "::linnet::WhileOp", "::linnet::ForOp", "::linnet::StaticForOp",
    "::linnet::StaticRangeOp",
    "::linnet::MatchOptionalOp", "::linnet::MatchEnumOp", "::linnet::ComprehensionOp",
    "::linnet::ReduceOverOp", "::linnet::ScopeOp"]> /*C1*/]> {
  let summary = "gives the values of a region";
  let description = [{
    Constraints:
    - (C1) It stands in a choice, a loop, a scope or index notation, which says what it
      gives.

    Example:
    ```mlir
    linnet.yield %a, %b : !linnet.tensor<[N], f32>, !linnet.tensor<[], i1>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` qualified(type($values)))?";
}

def Linnet_IfOp : Linnet_Op<"if", [RecursiveMemoryEffects]> {
  let summary = "runs one of two regions [EXP-7]";
  let description = [{
    Constraints:
    - (C1) Both regions end in a `linnet.yield` of the result types and take no
      arguments.

    Example:
    ```mlir
    %r = linnet.if %c -> !linnet.tensor<[N], f32> {
      linnet.yield %a : !linnet.tensor<[N], f32>
    } else {
      linnet.yield %b : !linnet.tensor<[N], f32>
    }
    ```
  }];
  let arguments = (ins Linnet_BoolScalar:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition (`->` qualified(type($results))^)? attr-dict-with-keyword
    $then_region `else` $else_region
  }];
  let hasRegionVerifier = 1;
}

def Linnet_MatchOptionalOp : Linnet_Op<"match_optional", [RecursiveMemoryEffects]> {
  let summary = "runs one region for a present value, one for an absent one [EXP-8]";
  let description = [{
    Constraints:
    - (C1) Both regions end in a `linnet.yield` of the result types.
    - (C2) The first region takes the value, the second nothing.

    Example:
    ```mlir
    %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[N], f32>> -> !linnet.tensor<[N], f32> some {
    ^bb0(%v: !linnet.tensor<[N], f32>):
      linnet.yield %v : !linnet.tensor<[N], f32>
    } none {
      linnet.yield %x : !linnet.tensor<[N], f32>
    }
    ```
  }];
  let arguments = (ins Linnet_Optional:$optional);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$some_region, SizedRegion<1>:$none_region);
  let assemblyFormat = [{
    $optional attr-dict `:` qualified(type($optional)) (`->` qualified(type($results))^)?
    `some` $some_region `none` $none_region
  }];
  let hasRegionVerifier = 1;
}

def Linnet_MatchEnumOp : Linnet_Op<"match_enum",
    [RecursiveMemoryEffects, Linnet_UsesSymbols]> {
  let summary = "runs the region of an enum value's variant [EXP-8]";
  let description = [{
    The default region is empty where there is none.

    Constraints:
    - (C1) Each region ends in a `linnet.yield` of the result types and takes no
      arguments.
    - (C2) There is one region for each case, and no case repeats.
    - (C3) The enum has each case; without a default each variant has a case.

    Example:
    ```mlir
    %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[], i32> case "Fast" {
      linnet.yield %a : !linnet.tensor<[], i32>
    } default {
      linnet.yield %b : !linnet.tensor<[], i32>
    }
    ```
  }];
  let arguments = (ins Linnet_Enumerated:$value, StrArrayAttr:$cases);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MaxSizedRegion<1>:$default_region,
                        VariadicRegion<SizedRegion<1>>:$case_regions);
  let assemblyFormat = [{
    $value attr-dict `:` qualified(type($value)) (`->` qualified(type($results))^)?
    custom<Cases>($cases, $case_regions, $default_region)
  }];
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def Linnet_ConditionOp : Linnet_Op<"condition",
    [Pure, Terminator, HasParent<"::linnet::WhileOp"> /*C1*/]> {
  let summary = "says whether a `linnet.while` goes on";
  let description = [{
    Constraints:
    - (C1) It stands in a `linnet.while`.

    Example:
    ```mlir
    linnet.condition %c
    ```
  }];
  let arguments = (ins Linnet_BoolScalar:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Linnet_WhileOp : Linnet_Op<"while", [RecursiveMemoryEffects]> {
  let summary = "repeats while a condition holds [CTL-4]";
  let description = [{
    Both regions take the carried values. The first ends in `linnet.condition`, the
    second in a `linnet.yield` of the next values. The results are the last ones.

    Constraints:
    - (C1) Operands, results and the arguments of both regions have the same types.
    - (C2) The first region ends in `linnet.condition`.
    - (C3) The second ends in a `linnet.yield` of the carried types.

    Example:
    ```mlir
    %r = linnet.while (%n = %n0 : !linnet.tensor<[], i32>) {
      %c = linnet.compare lt %n, %end : !linnet.tensor<[], i32>
      linnet.condition %c
    } do {
    ^bb0(%m: !linnet.tensor<[], i32>):
      %next = linnet.add %m, %one : !linnet.tensor<[], i32>
      linnet.yield %next : !linnet.tensor<[], i32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Linnet_ForOp : Linnet_Op<"for", [RecursiveMemoryEffects, Linnet_Claims]> {
  let summary = "repeats a region for each integer of a range, at run time [LAT-4]";
  let description = [{
    Runs for `lower <= i < upper`. The region takes `i`, then the carried values, and
    yields their next values, then one element for each stack. The results are the last
    carried values, then the stacks: element `i - lower` of a stack is what the region
    yielded for `i` [LAT-5].

    Claims `lower <= upper`: E2206.

    Constraints:
    - (C1) The first results have the types of the operands, and so have the carried
      arguments.
    - (C2) The first argument of the region is `!linnet.tensor<[], i64>`.
    - (C3) The region ends in a `linnet.yield` of the carried types and of one tensor for
      each stack.
    - (C4) A stack has the dims of its element behind a leading `upper - lower`, and its
      element type.
    - (C5) Constant bounds satisfy the claim.

    Example:
    ```mlir
    %last, %all = linnet.for %i = 0 to N iter (%x = %x0 : !linnet.tensor<[], f32>) stack (!linnet.tensor<[N], f32>) {
      %y = linnet.exp %x : !linnet.tensor<[], f32>
      linnet.yield %y, %y : !linnet.tensor<[], f32>, !linnet.tensor<[], f32>
    }
    ```
  }];
  let arguments = (ins Linnet_DimAttr:$lower, Linnet_DimAttr:$upper,
                       Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The last values of what is carried.
    ::mlir::ResultRange getCarried() { return getResults().take_front(getInits().size()); }
    ::mlir::ResultRange getStacks() { return getResults().drop_front(getInits().size()); }
  }];
}

def Linnet_StaticForOp : Linnet_Op<"static_for", [RecursiveMemoryEffects]> {
  let summary = "repeats a region for each element of a structural array [CTL-3]";
  let description = [{
    The region takes the element, then the carried values.

    Constraints:
    - (C1) Operands, results and the carried arguments have the same types.
    - (C2) The first argument of the region is the array's instance.
    - (C3) The region ends in a `linnet.yield` of the carried types.

    Example:
    ```mlir
    %r = linnet.static_for %layer in %layers : !linnet.array<!linnet.instance<@"m::Block">, 12>
        iter (%x = %x0 : !linnet.tensor<[N], f32>) {
      %y = linnet.call_method %layer, @forward(%x) : !linnet.instance<@"m::Block">, (!linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32>
      linnet.yield %y : !linnet.tensor<[N], f32>
    }
    ```
  }];
  let arguments = (ins Linnet_Array:$array, Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Linnet_StaticRangeOp : Linnet_Op<"static_range", [RecursiveMemoryEffects]> {
  let summary = "repeats a region for each integer of a range [CTL-3]";
  let description = [{
    Runs for `lower <= i < upper`. The region takes `i`, then the carried values.

    Constraints:
    - (C1) Operands, results and the carried arguments have the same types.
    - (C2) The first argument of the region is `!linnet.tensor<[], i64>`.
    - (C3) The region ends in a `linnet.yield` of the carried types.

    Example:
    ```mlir
    %r = linnet.static_range %i = 0 to "N / 2" iter (%x = %x0 : !linnet.tensor<[], i64>) {
      %y = linnet.add %x, %i : !linnet.tensor<[], i64>
      linnet.yield %y : !linnet.tensor<[], i64>
    }
    ```
  }];
  let arguments = (ins Linnet_DimAttr:$lower, Linnet_DimAttr:$upper,
                       Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Inlined calls
//===----------------------------------------------------------------------===//

def Linnet_ScopeOp : Linnet_Op<"scope",
    [RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "the body of an inlined call, kept together";
  let description = [{
    What `linnet-bind{keep=calls}` leaves of a call: its body, once, with the run-time
    tensors among its arguments as operands. The region takes them and yields the
    results; it may use what is defined outside of the scope too, such as members.

    `callee` is the function's name in full, with the method's behind a dot. `path` is
    that of the instance whose method it is, `names` are the callee's parameters, one for
    each operand, `generics` the generics of block and callee with their values. `states`
    are the paths of the states that the last results give, once states are threaded.

    Constraints:
    - (C1) The kind is `fn`, `op` or `method`; only a method has a path.
    - (C2) The region takes the operands, and there is a name for each.
    - (C3) The region ends in a `linnet.yield` of the result types.
    - (C4) There are no more states than results.

    Example:
    ```mlir
    %r = linnet.scope method "m::Scale.apply" at "layers.0" (%x = %a : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {generics = ["N=4"], names = ["x"]} {
      %y = linnet.mul %x, %gain : !linnet.tensor<[4], f32>
      linnet.yield %y : !linnet.tensor<[4], f32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$callee, StrAttr:$kind,
                       DefaultValuedAttr<StrAttr, "\"\"">:$path,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$names,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$generics,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$states,
                       Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Moves the body in place of the scope, which goes.
    void inlineBody();
  }];
}

#endif // LINNET_OPS_CONTROL_TD
