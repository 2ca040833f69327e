// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @compare_c1_operands_of_two_types(%a: !linnet.tensor<[2], f32>, %b: !linnet.tensor<[2], f16>) {
  // expected-error@+1 {{requires all operands to have the same type}}
  %c = "linnet.compare"(%a, %b) <{predicate = 0 : i32}> : (!linnet.tensor<[2], f32>, !linnet.tensor<[2], f16>) -> !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @compare_c2_result_of_another_shape(%a: !linnet.tensor<[2], f32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{are incompatible with return type(s) of operation}}
  %c = "linnet.compare"(%a, %a) <{predicate = 0 : i32}> : (!linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>) -> !linnet.tensor<[3], i1>
  linnet.return
}

// -----

linnet.func fn @compare_c3_order_of_booleans(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{`lt` does not order 'i1'}}
  %c = linnet.compare lt %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @a_comparison_has_a_name(%a: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, lt, le, gt, ge]}}
  %c = linnet.compare almost %a, %a : !linnet.tensor<[2], f32>
  linnet.return
}
