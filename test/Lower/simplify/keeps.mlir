// RUN: linnet-opt %s --linnet-simplify | FileCheck %s

// No factor has an axis of its own: a sum of squares is cheaper as it is.
// CHECK-LABEL: linnet.func fn @sum_of_squares(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.mul %[[A0]], %[[A0]] : !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.reduce sum %[[V0]] axes [1] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[2], f32>
linnet.func fn @sum_of_squares(%x: !linnet.tensor<[2, 3], f32>) -> !linnet.tensor<[2], f32> {
  %0 = linnet.mul %x, %x : !linnet.tensor<[2, 3], f32>
  %1 = linnet.reduce sum %0 axes [1] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2], f32>
  linnet.return %1 : !linnet.tensor<[2], f32>
}

// Free axes that change their order would change the result.
// CHECK-LABEL: linnet.func fn @operand_with_reordered_free_axes(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3, 4], f32>, %[[A1:.*]]: !linnet.tensor<[4, 5], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.transpose %[[A0]], [1, 0, 2] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[3, 2, 4], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[V0]], %[[A1]] batch [] x [] contract [2] x [0] : !linnet.tensor<[3, 2, 4], f32>, !linnet.tensor<[4, 5], f32> -> !linnet.tensor<[3, 2, 5], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[3, 2, 5], f32>
linnet.func fn @operand_with_reordered_free_axes(%x: !linnet.tensor<[2, 3, 4], f32>, %w: !linnet.tensor<[4, 5], f32>) -> !linnet.tensor<[3, 2, 5], f32> {
  %t = linnet.transpose %x, [1, 0, 2] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[3, 2, 4], f32>
  %0 = linnet.contract %t, %w batch [] x [] contract [2] x [0] : !linnet.tensor<[3, 2, 4], f32>, !linnet.tensor<[4, 5], f32> -> !linnet.tensor<[3, 2, 5], f32>
  linnet.return %0 : !linnet.tensor<[3, 2, 5], f32>
}

// A narrowing cast rounds: it stays before the contraction.
// CHECK-LABEL: linnet.func fn @narrowed_factors(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>, %[[A1:.*]]: !linnet.tensor<[4, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A0]] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], bf16>
// CHECK-NEXT:    %[[V1:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[4, 3], bf16>
// CHECK-NEXT:    %[[V2:.*]] = linnet.contract %[[V0]], %[[V1]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], bf16>, !linnet.tensor<[4, 3], bf16> -> !linnet.tensor<[2, 4], bf16>
// CHECK-NEXT:    linnet.return %[[V2]] : !linnet.tensor<[2, 4], bf16>
linnet.func fn @narrowed_factors(%a: !linnet.tensor<[2, 3], f32>, %b: !linnet.tensor<[4, 3], f32>) -> !linnet.tensor<[2, 4], bf16> {
  %p = linnet.cast %a : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], bf16>
  %q = linnet.cast %b : !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[4, 3], bf16>
  %0 = linnet.contract %p, %q batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], bf16>, !linnet.tensor<[4, 3], bf16> -> !linnet.tensor<[2, 4], bf16>
  linnet.return %0 : !linnet.tensor<[2, 4], bf16>
}

// Positions past the end clamp, which a slice does not.
// CHECK-LABEL: linnet.func fn @take_past_the_end(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[5], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.take %[[A0]], %[[V0]] axis = 0 : !linnet.tensor<[3, 4], f32>, !linnet.tensor<[5], i32> -> !linnet.tensor<[5, 4], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[5, 4], f32>
linnet.func fn @take_past_the_end(%x: !linnet.tensor<[3, 4], f32>) -> !linnet.tensor<[5, 4], f32> {
  %i = linnet.iota axis = 0 : !linnet.tensor<[5], i32>
  %0 = linnet.take %x, %i axis = 0 : !linnet.tensor<[3, 4], f32>, !linnet.tensor<[5], i32> -> !linnet.tensor<[5, 4], f32>
  linnet.return %0 : !linnet.tensor<[5, 4], f32>
}

// 127 + 1 wraps to -128, which the clamp lifts.
// CHECK-LABEL: linnet.func fn @clamp_of_a_sum_that_wraps(
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[3], i8>
// CHECK-NEXT:    %[[V1:.*]] = linnet.constant 127 : !linnet.tensor<[3], i8>
// CHECK-NEXT:    %[[V2:.*]] = linnet.constant 5 : !linnet.tensor<[3], i8>
// CHECK-NEXT:    %[[V3:.*]] = linnet.add %[[V0]], %[[V1]] : !linnet.tensor<[3], i8>
// CHECK-NEXT:    %[[V4:.*]] = linnet.max %[[V3]], %[[V2]] : !linnet.tensor<[3], i8>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[3], i8>
linnet.func fn @clamp_of_a_sum_that_wraps() -> !linnet.tensor<[3], i8> {
  %i = linnet.iota axis = 0 : !linnet.tensor<[3], i8>
  %most = linnet.constant 127 : !linnet.tensor<[3], i8>
  %five = linnet.constant 5 : !linnet.tensor<[3], i8>
  %0 = linnet.add %i, %most : !linnet.tensor<[3], i8>
  %1 = linnet.max %0, %five : !linnet.tensor<[3], i8>
  linnet.return %1 : !linnet.tensor<[3], i8>
}

// A count of 200 wraps in i8, so these are no consecutive rows.
// CHECK-LABEL: linnet.func fn @take_at_positions_that_wrap(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[200], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[200], i8>
// CHECK-NEXT:    %[[V1:.*]] = linnet.take %[[A0]], %[[V0]] axis = 0 : !linnet.tensor<[200], f32>, !linnet.tensor<[200], i8> -> !linnet.tensor<[200], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[200], f32>
linnet.func fn @take_at_positions_that_wrap(%x: !linnet.tensor<[200], f32>) -> !linnet.tensor<[200], f32> {
  %i = linnet.iota axis = 0 : !linnet.tensor<[200], i8>
  %0 = linnet.take %x, %i axis = 0 : !linnet.tensor<[200], f32>, !linnet.tensor<[200], i8> -> !linnet.tensor<[200], f32>
  linnet.return %0 : !linnet.tensor<[200], f32>
}
