// RUN: linnet-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

linnet.func fn @if_c1_no_yield(%c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{the first region needs to end in `linnet.yield`}}
  linnet.if %c {
    "test.end"() : () -> ()
  } else {
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @if_c1_regions_differ(%x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>, %c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{the second region gives ('!linnet.tensor<[3], f32>'), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.if %c -> !linnet.tensor<[2], f32> {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } else {
    // expected-note@+1 {{it gives them here}}
    linnet.yield %y : !linnet.tensor<[3], f32>
  }
  linnet.return
}

// -----

linnet.func fn @if_c1_region_with_an_argument(%c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{the first region takes ('!linnet.tensor<[], i1>'), expected ()}}
  linnet.if %c {
  ^bb0(%d: !linnet.tensor<[], i1>):
    linnet.yield
  } else {
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @the_condition_is_a_boolean(%n: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{operand #0 must be scalar boolean tensor}}
  "linnet.if"(%n) ({
    linnet.yield
  }, {
    linnet.yield
  }) : (!linnet.tensor<[], i32>) -> ()
  linnet.return
}

// -----

linnet.func fn @a_region_is_no_empty_one(%c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{region #0 ('then_region') failed to verify constraint: region with 1 blocks}}
  "linnet.if"(%c) ({}, {
    linnet.yield
  }) : (!linnet.tensor<[], i1>) -> ()
  linnet.return
}
