// RUN: linnet-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

linnet.func fn @match_optional_c1_other_type(%o: !linnet.optional<!linnet.tensor<[2], f32>>, %y: !linnet.tensor<[3], f32>) {
  // expected-error@+1 {{the `none` region gives ('!linnet.tensor<[3], f32>'), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32> some {
  ^bb0(%v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  } none {
    // expected-note@+1 {{it gives them here}}
    linnet.yield %y : !linnet.tensor<[3], f32>
  }
  linnet.return
}

// -----

linnet.func fn @match_optional_c1_no_yield(%o: !linnet.optional<!linnet.tensor<[2], f32>>) {
  // expected-error@+1 {{the `none` region needs to end in `linnet.yield`}}
  %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32> some {
  ^bb0(%v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  } none {
    "test.end"() : () -> ()
  }
  linnet.return
}

// -----

linnet.func fn @match_optional_c2_value_missing(%o: !linnet.optional<!linnet.tensor<[2], f32>>, %x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the `some` region takes (), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32> some {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } none {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// -----

linnet.func fn @match_optional_c2_value_too_many(%o: !linnet.optional<!linnet.tensor<[2], f32>>) {
  // expected-error@+1 {{the `none` region takes ('!linnet.tensor<[2], f32>'), expected ()}}
  %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32> some {
  ^bb0(%v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  } none {
  ^bb0(%v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  }
  linnet.return
}
