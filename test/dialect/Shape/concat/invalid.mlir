// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @concat_c1_no_operand() {
  // expected-error@+1 {{joins no tensors}}
  %y = "linnet.concat"() <{axis = 0 : i64}> : () -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c1_another_element_type(%x0: !linnet.tensor<[1], f32>, %x1: !linnet.tensor<[1], f16>) {
  // expected-error@+1 {{has element type 'f16', expected 'f32'}}
  %y = linnet.concat %x0, %x1 axis = 0 : !linnet.tensor<[1], f32>, !linnet.tensor<[1], f16> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c2_another_rank(%x0: !linnet.tensor<[1], f32>, %x1: !linnet.tensor<[1, 1], f32>) {
  // expected-error@+1 {{joins [1, 1] along axis 0 to [2]}}
  %y = linnet.concat %x0, %x1 axis = 0 : !linnet.tensor<[1], f32>, !linnet.tensor<[1, 1], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c2_axis_out_of_range(%x0: !linnet.tensor<[1], f32>, %x1: !linnet.tensor<[1], f32>) {
  // expected-error@+1 {{axis 1 is no dimension of [2]}}
  %y = linnet.concat %x0, %x1 axis = 1 : !linnet.tensor<[1], f32>, !linnet.tensor<[1], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c2_axis_in_a_pack<*S: Shape>(%x0: !linnet.tensor<[*S], f32>, %x1: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{axis 0 is no dimension of [*S]}}
  %y = linnet.concat %x0, %x1 axis = 0 : !linnet.tensor<[*S], f32>, !linnet.tensor<[*S], f32> -> !linnet.tensor<[*S], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c2_another_pack<*S: Shape, *R: Shape>(%x0: !linnet.tensor<[*S, 1], f32>, %x1: !linnet.tensor<[*R, 1], f32>) {
  // expected-error@+1 {{an operand has [*R] on axis 0, expected [*S]}}
  %y = linnet.concat %x0, %x1 axis = 1 : !linnet.tensor<[*S, 1], f32>, !linnet.tensor<[*R, 1], f32> -> !linnet.tensor<[*S, 2], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c3_no_sum<A: Dim, B: Dim>(%x0: !linnet.tensor<[A], f32>, %x1: !linnet.tensor<[B], f32>) {
  // expected-error@+1 {{axis 0 is A, expected the sum A + B}}
  %y = linnet.concat %x0, %x1 axis = 0 : !linnet.tensor<[A], f32>, !linnet.tensor<[B], f32> -> !linnet.tensor<[A], f32>
  linnet.return
}

// -----

linnet.func fn @concat_c4_sizes_differ(%x0: !linnet.tensor<[1, 2], f32>, %x1: !linnet.tensor<[1, 3], f32>) {
  // expected-error@+1 {{an operand has [3] on axis 1, expected [2]}}
  %y = linnet.concat %x0, %x1 axis = 0 : !linnet.tensor<[1, 2], f32>, !linnet.tensor<[1, 3], f32> -> !linnet.tensor<[2, 2], f32>
  linnet.return
}
