// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @cumsum_c1_result_of_another_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{failed to verify that all of {input, result} have same type}}
  %y = "linnet.cumsum"(%x) <{axis = 0 : i64}> : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[3], f32>
  linnet.return
}

// -----

linnet.func fn @cumsum_c2_axis_out_of_range(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{axis 1 is no dimension of [2]}}
  %y = linnet.cumsum %x axis = 1 : !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @cumsum_c2_axis_is_a_pack<*S: Shape>(%x: !linnet.tensor<[*S, 2], f32>) {
  // expected-error@+1 {{axis 0 is no dimension of [*S, 2]}}
  %y = linnet.cumsum %x axis = 0 : !linnet.tensor<[*S, 2], f32>
  linnet.return
}

// -----

linnet.func fn @cumsum_c3_booleans(%x: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers, but got '!linnet.tensor<[2], i1>'}}
  %y = linnet.cumsum %x axis = 0 : !linnet.tensor<[2], i1>
  linnet.return
}
