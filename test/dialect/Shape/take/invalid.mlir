// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @take_c1_another_element_type(%x: !linnet.tensor<[2], f32>, %i: !linnet.tensor<[], i64>) {
  // expected-error@+1 {{has element type 'f16', expected 'f32'}}
  %y = linnet.take %x, %i axis = 0 : !linnet.tensor<[2], f32>, !linnet.tensor<[], i64> -> !linnet.tensor<[], f16>
  linnet.return
}

// -----

linnet.func fn @take_c2_axis_out_of_range(%x: !linnet.tensor<[2], f32>, %i: !linnet.tensor<[], i64>) {
  // expected-error@+1 {{axis 1 is no dimension of [2]}}
  %y = linnet.take %x, %i axis = 1 : !linnet.tensor<[2], f32>, !linnet.tensor<[], i64> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @take_c2_axis_in_a_pack<*S: Shape>(%x: !linnet.tensor<[*S], f32>, %i: !linnet.tensor<[], i64>) {
  // expected-error@+1 {{axis 0 is no dimension of [*S]}}
  %y = linnet.take %x, %i axis = 0 : !linnet.tensor<[*S], f32>, !linnet.tensor<[], i64> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @take_c3_another_shape(%x: !linnet.tensor<[2, 3], f32>, %i: !linnet.tensor<[4], i64>) {
  // expected-error@+1 {{has shape [3, 4], expected [4, 3]}}
  %y = linnet.take %x, %i axis = 0 : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[4], i64> -> !linnet.tensor<[3, 4], f32>
  linnet.return
}

// -----

linnet.func fn @indices_are_integers(%x: !linnet.tensor<[2], f32>, %i: !linnet.tensor<[], f32>) {
  // expected-error@+1 {{operand #1 must be tensor of integers}}
  %y = linnet.take %x, %i axis = 0 : !linnet.tensor<[2], f32>, !linnet.tensor<[], f32> -> !linnet.tensor<[], f32>
  linnet.return
}
