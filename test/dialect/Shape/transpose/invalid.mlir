// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @transpose_c1_axis_listed_twice(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{perm must list each of the 2 input axes once, got [0, 0]}}
  %y = linnet.transpose %x, [0, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 2], f32>
  linnet.return
}

// -----

linnet.func fn @transpose_c1_axis_out_of_range(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{perm must list each of the 1 input axes once, got [1]}}
  %y = linnet.transpose %x, [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @transpose_c1_axis_missing(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{perm must list each of the 2 input axes once, got [0]}}
  %y = linnet.transpose %x, [0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

// expected-note@+1 {{this value has shape [2, 3]}}
linnet.func fn @transpose_c2_size_not_carried_over(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{has shape [2, 2], expected [3, 2]}}
  %y = linnet.transpose %x, [1, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 2], f32>
  linnet.return
}

// -----

linnet.func fn @transpose_c3_another_element_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has element type 'f16', expected 'f32'}}
  %y = linnet.transpose %x, [0] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f16>
  linnet.return
}

// -----

linnet.func fn @transpose_c4_pack<*S: Shape>(%x: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{cannot reorder the pack in [*S]}}
  %y = linnet.transpose %x, [0] : !linnet.tensor<[*S], f32> -> !linnet.tensor<[*S], f32>
  linnet.return
}
