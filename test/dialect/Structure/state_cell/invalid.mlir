// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @read_state_c1_another_tensor(%s: !linnet.ref<!linnet.tensor<[2], f32>>) {
  // expected-error@+1 {{failed to verify that the result is the tensor of the cell}}
  %v = "linnet.read_state"(%s) : (!linnet.ref<!linnet.tensor<[2], f32>>) -> !linnet.tensor<[3], f32>
  linnet.return
}

// -----

linnet.func fn @write_state_c1_another_tensor(%s: !linnet.ref<!linnet.tensor<[2], f32>>, %v: !linnet.tensor<[3], f32>) {
  // expected-error@+1 {{failed to verify that the value is the tensor of the cell}}
  "linnet.write_state"(%s, %v) : (!linnet.ref<!linnet.tensor<[2], f32>>, !linnet.tensor<[3], f32>) -> ()
  linnet.return
}

// -----

linnet.func fn @a_cell_is_a_reference(%s: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{'cell' must be state cell, but got '!linnet.tensor<[2], f32>'}}
  %v = linnet.read_state %s : !linnet.tensor<[2], f32>
  linnet.return
}
