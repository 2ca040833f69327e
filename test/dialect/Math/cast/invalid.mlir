// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @cast_c1_another_shape(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has shape [3], expected [2]}}
  %y = linnet.cast %x : !linnet.tensor<[2], f32> -> !linnet.tensor<[3], f16>
  linnet.return
}
