// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @while_c1_result_of_another_type(%x: !linnet.tensor<[2], f32>, %c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{begins with ('!linnet.tensor<[2], f32>') and gives ('!linnet.tensor<[3], f32>')}}
  %r = "linnet.while"(%x) ({
  ^bb0(%a: !linnet.tensor<[2], f32>):
    linnet.condition %c
  }, {
  ^bb0(%a: !linnet.tensor<[2], f32>):
    linnet.yield %a : !linnet.tensor<[2], f32>
  }) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[3], f32>
  linnet.return
}

// -----

linnet.func fn @while_c1_argument_of_another_type(%x: !linnet.tensor<[2], f32>, %c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{the second region takes (), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.while (%a = %x : !linnet.tensor<[2], f32>) {
    linnet.condition %c
  } do {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// -----

linnet.func fn @while_c2_no_condition() {
  // expected-error@+1 {{the first region needs to end in `linnet.condition`}}
  linnet.while () {
    linnet.yield
  } do {
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @while_c3_yield_of_another_type(%x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>, %c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{the second region gives ('!linnet.tensor<[3], f32>'), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.while (%a = %x : !linnet.tensor<[2], f32>) {
    linnet.condition %c
  } do {
  ^bb0(%b: !linnet.tensor<[2], f32>):
    // expected-note@+1 {{it gives them here}}
    linnet.yield %y : !linnet.tensor<[3], f32>
  }
  linnet.return
}

// -----

linnet.func fn @condition_c1_no_while(%c: !linnet.tensor<[], i1>) {
  // expected-error@+1 {{'linnet.condition' op expects parent op 'linnet.while'}}
  linnet.condition %c
  linnet.return
}
