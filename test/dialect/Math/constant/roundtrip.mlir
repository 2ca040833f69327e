// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_float_literal<
linnet.func fn @a_float_literal<V: Float>() {
  // CHECK: linnet.constant 5.000000e-01 : !linnet.tensor<[], V: Float>
  %c = linnet.constant 5.000000e-01 : !linnet.tensor<[], V: Float>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @an_integer_literal_takes_a_float_type(
linnet.func fn @an_integer_literal_takes_a_float_type() {
  // CHECK: linnet.constant -3 : !linnet.tensor<[], f32>
  %c = linnet.constant -3 : !linnet.tensor<[], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_bool_literal(
linnet.func fn @a_bool_literal() {
  // CHECK: linnet.constant true : !linnet.tensor<[], i1>
  %c = linnet.constant true : !linnet.tensor<[], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_splat(
linnet.func fn @a_splat() {
  // CHECK: linnet.constant 0 : !linnet.tensor<[2, 3], i8>
  %c = linnet.constant 0 : !linnet.tensor<[2, 3], i8>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @infinity_is_written_in_hexadecimal(
linnet.func fn @infinity_is_written_in_hexadecimal() {
  // CHECK: linnet.constant 0xFFF0000000000000 : !linnet.tensor<[], f32>
  %c = linnet.constant 0xFFF0000000000000 : !linnet.tensor<[], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @the_greatest_and_the_least_integer(
linnet.func fn @the_greatest_and_the_least_integer() {
  // CHECK: linnet.constant 9223372036854775807 : !linnet.tensor<[], i64>
  %c = linnet.constant 9223372036854775807 : !linnet.tensor<[], i64>
  // CHECK: linnet.constant -9223372036854775808 : !linnet.tensor<[], i64>
  %d = linnet.constant -9223372036854775808 : !linnet.tensor<[], i64>
  linnet.return
}
