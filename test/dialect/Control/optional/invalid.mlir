// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @some_c1_another_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{holds '!linnet.tensor<[2], f32>', expected '!linnet.tensor<[3], f32>'}}
  %s = "linnet.some"(%x) : (!linnet.tensor<[2], f32>) -> !linnet.optional<!linnet.tensor<[3], f32>>
  linnet.return
}

// -----

linnet.func fn @some_of_an_optional(%x: !linnet.tensor<[2], f32>) {
  %s = linnet.some %x : !linnet.tensor<[2], f32>
  // expected-error@+1 {{an optional holds no optional}}
  %t = linnet.some %s : !linnet.optional<!linnet.tensor<[2], f32>>
  linnet.return
}
