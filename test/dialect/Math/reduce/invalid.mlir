// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @reduce_c1_axis_out_of_range(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{axes [1] do not ascend within [2]}}
  %y = linnet.reduce sum %x axes [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @reduce_c1_axis_twice(%x: !linnet.tensor<[2, 2], f32>) {
  // expected-error@+1 {{axes [0, 0] do not ascend within [2, 2]}}
  %y = linnet.reduce sum %x axes [0, 0] : !linnet.tensor<[2, 2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @reduce_c2_other_axes_left(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{has type '!linnet.tensor<[2], f32>', expected '!linnet.tensor<[3], f32>'}}
  %y = linnet.reduce sum %x axes [0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @reduce_c2_other_element_type(%x: !linnet.tensor<[2], f16>) {
  // expected-error@+1 {{expected '!linnet.tensor<[], f16>'}}
  %y = linnet.reduce sum %x axes [0] : !linnet.tensor<[2], f16> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @reduce_c3_sum_of_booleans(%x: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{`sum` does not combine 'i1'}}
  %y = linnet.reduce sum %x axes [0] : !linnet.tensor<[2], i1> -> !linnet.tensor<[], i1>
  linnet.return
}

// -----

linnet.func fn @reduce_c3_any_of_numbers(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{`any` does not combine 'f32'}}
  %y = linnet.reduce any %x axes [0] : !linnet.tensor<[2], f32> -> !linnet.tensor<[], f32>
  linnet.return
}
