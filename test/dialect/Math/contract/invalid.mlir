// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @contract_c1_operands_of_two_types(%a: !linnet.tensor<[3], f16>, %b: !linnet.tensor<[3], f32>) {
  // expected-error@+1 {{the operands have element types 'f16' and 'f32'}}
  %y = linnet.contract %a, %b batch [] x [] contract [0] x [0] : !linnet.tensor<[3], f16>, !linnet.tensor<[3], f32> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @contract_c1_booleans(%a: !linnet.tensor<[3], i1>, %b: !linnet.tensor<[3], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.contract %a, %b batch [] x [] contract [0] x [0] : !linnet.tensor<[3], i1>, !linnet.tensor<[3], i1> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @contract_c2_unpaired_axes(%a: !linnet.tensor<[3], f32>, %b: !linnet.tensor<[3], f32>) {
  // expected-error@+1 {{pairs 0 with 0 batch axes and 1 with 0 contracted ones}}
  %y = linnet.contract %a, %b batch [] x [] contract [0] x [] : !linnet.tensor<[3], f32>, !linnet.tensor<[3], f32> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @contract_c3_axis_out_of_range(%a: !linnet.tensor<[3], f32>, %b: !linnet.tensor<[3], f32>) {
  // expected-error@+1 {{lhs has no axis 1 left, its shape is [3]}}
  %y = linnet.contract %a, %b batch [] x [] contract [1] x [0] : !linnet.tensor<[3], f32>, !linnet.tensor<[3], f32> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @contract_c3_axis_listed_twice(%a: !linnet.tensor<[3, 3], f32>, %b: !linnet.tensor<[3, 3], f32>) {
  // expected-error@+1 {{rhs has no axis 0 left, its shape is [3, 3]}}
  %y = linnet.contract %a, %b batch [0] x [0] contract [1] x [0] : !linnet.tensor<[3, 3], f32>, !linnet.tensor<[3, 3], f32> -> !linnet.tensor<[3, 3], f32>
  linnet.return
}

// -----

linnet.func fn @contract_c4_sizes_differ(%a: !linnet.tensor<[3], f32>, %b: !linnet.tensor<[4], f32>) {
  // expected-error@+1 {{pairs lhs axis 0 of size 3 with rhs axis 0 of size 4}}
  %y = linnet.contract %a, %b batch [] x [] contract [0] x [0] : !linnet.tensor<[3], f32>, !linnet.tensor<[4], f32> -> !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @contract_c5_result_in_another_order(%a: !linnet.tensor<[2, 3], f32>, %b: !linnet.tensor<[3, 4], f32>) {
  // expected-error@+1 {{has shape [4, 2], expected [2, 4]}}
  %y = linnet.contract %a, %b batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3, 4], f32> -> !linnet.tensor<[4, 2], f32>
  linnet.return
}
