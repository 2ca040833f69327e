// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @select_c1_choices_of_two_types(%c: !linnet.tensor<[2], i1>, %a: !linnet.tensor<[2], f32>, %b: !linnet.tensor<[2], f16>) {
  // expected-error@+1 {{all of {on_true, on_false, result} have same type}}
  %y = "linnet.select"(%c, %a, %b) : (!linnet.tensor<[2], i1>, !linnet.tensor<[2], f32>, !linnet.tensor<[2], f16>) -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @select_c2_condition_of_another_shape(%c: !linnet.tensor<[1], i1>, %a: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the condition has shape [1], expected [2]}}
  %y = linnet.select %c, %a, %a : !linnet.tensor<[1], i1>, !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @select_c2_condition_no_boolean(%c: !linnet.tensor<[2], i8>, %a: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{operand #0 must be tensor of booleans}}
  %y = linnet.select %c, %a, %a : !linnet.tensor<[2], i8>, !linnet.tensor<[2], f32>
  linnet.return
}
