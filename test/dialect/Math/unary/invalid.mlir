// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @neg_c1_wrong_class(%x: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.neg %x : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @abs_c1_wrong_class(%x: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.abs %x : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @exp_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.exp %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @log_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.log %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @sqrt_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.sqrt %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @rsqrt_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.rsqrt %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @sin_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.sin %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @cos_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.cos %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @tanh_c1_wrong_class(%x: !linnet.tensor<[2], i32>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.tanh %x : !linnet.tensor<[2], i32>
  linnet.return
}

// -----

linnet.func fn @not_c1_wrong_class(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{operand #0 must be tensor of integers or booleans}}
  %y = linnet.not %x : !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @exp_c1_variable_of_too_wide_a_class<V: Numeric>(%x: !linnet.tensor<[2], V: Numeric>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.exp %x : !linnet.tensor<[2], V: Numeric>
  linnet.return
}

// -----

linnet.func fn @exp_c1_no_tensor(%x: tuple<>) {
  // expected-error@+1 {{operand #0 must be tensor of floats}}
  %y = linnet.exp %x : tuple<>
  linnet.return
}

// -----

linnet.func fn @exp_c2_result_of_another_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %y = "linnet.exp"(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[3], f32>
  linnet.return
}
