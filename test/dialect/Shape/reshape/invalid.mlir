// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @reshape_c1_another_element_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has element type 'i32', expected 'f32'}}
  %y = linnet.reshape %x : !linnet.tensor<[2], f32> -> !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @reshape_c2_another_count(%x: !linnet.tensor<[2, 3], f32>) {
  // expected-error@+1 {{takes 6 elements and gives 5}}
  %y = linnet.reshape %x : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[5], f32>
  linnet.return
}
