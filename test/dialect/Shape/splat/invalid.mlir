// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @splat_c1_another_element_type(%x: !linnet.tensor<[], f32>) {
  // expected-error@+1 {{has element type 'f64', expected 'f32'}}
  %y = linnet.splat %x : !linnet.tensor<[], f32> -> !linnet.tensor<[2], f64>
  linnet.return
}

// -----

linnet.func fn @splat_c1_no_scalar(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{operand #0 must be scalar tensor}}
  %y = linnet.splat %x : !linnet.tensor<[2], f32> -> !linnet.tensor<[2, 2], f32>
  linnet.return
}
