// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @broadcast_c1_another_element_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has element type 'f16', expected 'f32'}}
  %y = linnet.broadcast %x : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f16>
  linnet.return
}

// -----

linnet.func fn @broadcast_c2_axes_descend(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{axes must give each of the 2 input axes one of the 2 result axes, ascending, got [1, 0]}}
  %y = linnet.broadcast %x axes = [1, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[3, 2], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c2_axis_out_of_range(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{ascending, got [1]}}
  %y = linnet.broadcast %x axes = [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c2_axis_missing(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{ascending, got [0]}}
  %y = linnet.broadcast %x axes = [0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c3_fewer_axes(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{takes 2 axes to 1}}
  %y = linnet.broadcast %x : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[3], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c3_pack_along_a_dim<*S: Shape, N: Dim>(%x: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{cannot lay [*S] along [N]}}
  %y = linnet.broadcast %x : !linnet.tensor<[*S], f32> -> !linnet.tensor<[N], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c3_dim_along_a_pack<*S: Shape>(%x: !linnet.tensor<[1], f32>) {
  // expected-error@+1 {{cannot lay [1] along [*S]}}
  %y = linnet.broadcast %x : !linnet.tensor<[1], f32> -> !linnet.tensor<[*S], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c3_pack_along_another<*S: Shape, *R: Shape>(%x: !linnet.tensor<[*S], f32>) {
  // expected-error@+1 {{cannot lay [*S] along [*R]}}
  %y = linnet.broadcast %x : !linnet.tensor<[*S], f32> -> !linnet.tensor<[*R], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_c4_sizes_differ(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{axis 0 has size 2, expected 1 or 3}}
  %y = linnet.broadcast %x : !linnet.tensor<[2], f32> -> !linnet.tensor<[3], f32>
  linnet.return
}
