// RUN: linnet-opt %s --split-input-file --verify-diagnostics

func.func @transpose_c1_axis_listed_twice(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{perm must list each of the 2 input axes once, got [1, 1]}}
  %0 = linnet.transpose %x, [1, 1] : tensor<2x3xf32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// expected-note@+1 {{axis 1 of this value has size 3}}
func.func @transpose_c2_size_not_carried_over(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error@+1 {{result axis 0 has size 2, expected 3}}
  %0 = linnet.transpose %x, [1, 0] : tensor<2x3xf32> -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @transpose_c3_element_type_changed(%x: tensor<2x3xf32>) -> tensor<3x2xf64> {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = linnet.transpose %x, [1, 0] : tensor<2x3xf32> -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
