// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @add_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.add %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @sub_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.sub %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @mul_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.mul %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @div_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.div %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @rem_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.rem %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @min_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.min %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @max_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of numbers}}
  %y = linnet.max %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @and_c1_wrong_class(%a: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{operand #0 must be tensor of integers or booleans}}
  %y = linnet.and %a, %a : !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @or_c1_wrong_class(%a: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{operand #0 must be tensor of integers or booleans}}
  %y = linnet.or %a, %a : !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @xor_c1_wrong_class(%a: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{operand #0 must be tensor of integers or booleans}}
  %y = linnet.xor %a, %a : !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @shl_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of integers}}
  %y = linnet.shl %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @shr_c1_wrong_class(%a: !linnet.tensor<[2], i1>) {
  // expected-error@+1 {{operand #0 must be tensor of integers}}
  %y = linnet.shr %a, %a : !linnet.tensor<[2], i1>
  linnet.return
}

// -----

linnet.func fn @add_c2_operands_of_two_types(%a: !linnet.tensor<[2], f32>, %b: !linnet.tensor<[1], f32>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %y = "linnet.add"(%a, %b) : (!linnet.tensor<[2], f32>, !linnet.tensor<[1], f32>) -> !linnet.tensor<[2], f32>
  linnet.return
}
