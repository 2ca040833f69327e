// RUN: linnet-opt %s --linnet-simplify | FileCheck %s

// CHECK-LABEL: linnet.func fn @sum_of_product_is_contracted(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>, %[[A1:.*]]: !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3, 4], f32> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[2, 4], f32>
linnet.func fn @sum_of_product_is_contracted(%a: !linnet.tensor<[2, 3], f32>, %b: !linnet.tensor<[3, 4], f32>) -> !linnet.tensor<[2, 4], f32> {
  %0 = linnet.broadcast %a axes = [0, 2] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 4, 3], f32>
  %t = linnet.transpose %b, [1, 0] : !linnet.tensor<[3, 4], f32> -> !linnet.tensor<[4, 3], f32>
  %1 = linnet.broadcast %t axes = [1, 2] : !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[2, 4, 3], f32>
  %2 = linnet.mul %0, %1 : !linnet.tensor<[2, 4, 3], f32>
  %3 = linnet.reduce sum %2 axes [2] : !linnet.tensor<[2, 4, 3], f32> -> !linnet.tensor<[2, 4], f32>
  linnet.return %3 : !linnet.tensor<[2, 4], f32>
}

// Widened factors are contracted as they are, with the wider accumulator.
// CHECK-LABEL: linnet.func fn @casts_become_the_accumulator(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], bf16>, %[[A1:.*]]: !linnet.tensor<[4, 3], bf16>
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], bf16>, !linnet.tensor<[4, 3], bf16> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[2, 4], f32>
linnet.func fn @casts_become_the_accumulator(%a: !linnet.tensor<[2, 3], bf16>, %b: !linnet.tensor<[4, 3], bf16>) -> !linnet.tensor<[2, 4], f32> {
  %p = linnet.cast %a : !linnet.tensor<[2, 3], bf16> -> !linnet.tensor<[2, 3], f32>
  %q = linnet.cast %b : !linnet.tensor<[4, 3], bf16> -> !linnet.tensor<[4, 3], f32>
  %0 = linnet.contract %p, %q batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[2, 4], f32>
  linnet.return %0 : !linnet.tensor<[2, 4], f32>
}

// CHECK-LABEL: linnet.func fn @permuted_weight_becomes_dimension_numbers(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>, %[[A1:.*]]: !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3, 4], f32> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[2, 4], f32>
linnet.func fn @permuted_weight_becomes_dimension_numbers(%x: !linnet.tensor<[2, 3], f32>, %w: !linnet.tensor<[3, 4], f32>) -> !linnet.tensor<[2, 4], f32> {
  %t = linnet.transpose %w, [1, 0] : !linnet.tensor<[3, 4], f32> -> !linnet.tensor<[4, 3], f32>
  %0 = linnet.contract %x, %t batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[2, 4], f32>
  linnet.return %0 : !linnet.tensor<[2, 4], f32>
}

// CHECK-LABEL: linnet.func fn @transposed_result_swaps_the_operands(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>, %[[A1:.*]]: !linnet.tensor<[4, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A1]], %[[A0]] batch [] x [] contract [1] x [1] : !linnet.tensor<[4, 3], f32>, !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[4, 2], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[4, 2], f32>
linnet.func fn @transposed_result_swaps_the_operands(%a: !linnet.tensor<[2, 3], f32>, %b: !linnet.tensor<[4, 3], f32>) -> !linnet.tensor<[4, 2], f32> {
  %0 = linnet.contract %a, %b batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[4, 3], f32> -> !linnet.tensor<[2, 4], f32>
  %1 = linnet.transpose %0, [1, 0] : !linnet.tensor<[2, 4], f32> -> !linnet.tensor<[4, 2], f32>
  linnet.return %1 : !linnet.tensor<[4, 2], f32>
}

// CHECK-LABEL: linnet.func fn @take_of_consecutive_rows_is_a_slice(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[9, 4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.slice %[[A0]] starts [0, 0] steps [1, 1] : !linnet.tensor<[9, 4], f32> -> !linnet.tensor<[5, 4], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[5, 4], f32>
linnet.func fn @take_of_consecutive_rows_is_a_slice(%x: !linnet.tensor<[9, 4], f32>) -> !linnet.tensor<[5, 4], f32> {
  %i = linnet.iota axis = 0 : !linnet.tensor<[5], i32>
  %0 = linnet.take %x, %i axis = 0 : !linnet.tensor<[9, 4], f32>, !linnet.tensor<[5], i32> -> !linnet.tensor<[5, 4], f32>
  linnet.return %0 : !linnet.tensor<[5, 4], f32>
}

// CHECK-LABEL: linnet.func fn @moving_an_axis_of_size_one_is_a_reshape(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 1, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.reshape %[[A0]] : !linnet.tensor<[2, 1, 3], f32> -> !linnet.tensor<[1, 2, 3], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[1, 2, 3], f32>
linnet.func fn @moving_an_axis_of_size_one_is_a_reshape(%x: !linnet.tensor<[2, 1, 3], f32>) -> !linnet.tensor<[1, 2, 3], f32> {
  %0 = linnet.transpose %x, [1, 0, 2] : !linnet.tensor<[2, 1, 3], f32> -> !linnet.tensor<[1, 2, 3], f32>
  linnet.return %0 : !linnet.tensor<[1, 2, 3], f32>
}

// CHECK-LABEL: linnet.func fn @views_compose(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    linnet.return %[[A0]] : !linnet.tensor<[2, 3], f32>
linnet.func fn @views_compose(%x: !linnet.tensor<[2, 3], f32>) -> !linnet.tensor<[2, 3], f32> {
  %0 = linnet.transpose %x, [1, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[3, 2], f32>
  %1 = linnet.transpose %0, [1, 0] : !linnet.tensor<[3, 2], f32> -> !linnet.tensor<[2, 3], f32>
  %2 = linnet.reshape %1 : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[6], f32>
  %3 = linnet.reshape %2 : !linnet.tensor<[6], f32> -> !linnet.tensor<[2, 3], f32>
  linnet.return %3 : !linnet.tensor<[2, 3], f32>
}

// Ranges decide the clamp: 2 to 4 lies inside of 0 to 6. What is left is a slice.
// CHECK-LABEL: linnet.func fn @clamped_positions_inside_are_a_slice(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[7, 4], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.slice %[[A0]] starts [2, 0] steps [1, 1] : !linnet.tensor<[7, 4], f32> -> !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[3, 4], f32>
linnet.func fn @clamped_positions_inside_are_a_slice(%x: !linnet.tensor<[7, 4], f32>) -> !linnet.tensor<[3, 4], f32> {
  %i = linnet.iota axis = 0 : !linnet.tensor<[3], i32>
  %two = linnet.constant 2 : !linnet.tensor<[3], i32>
  %six = linnet.constant 6 : !linnet.tensor<[3], i32>
  %zero = linnet.constant 0 : !linnet.tensor<[3], i32>
  %0 = linnet.add %i, %two : !linnet.tensor<[3], i32>
  %1 = linnet.min %0, %six : !linnet.tensor<[3], i32>
  %2 = linnet.max %1, %zero : !linnet.tensor<[3], i32>
  %3 = linnet.take %x, %2 axis = 0 : !linnet.tensor<[7, 4], f32>, !linnet.tensor<[3], i32> -> !linnet.tensor<[3, 4], f32>
  linnet.return %3 : !linnet.tensor<[3, 4], f32>
}

// A mask that is true everywhere chooses nothing.
// CHECK-LABEL: linnet.func fn @decided_masks_are_folded(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3], f32>, %[[A1:.*]]: !linnet.tensor<[3], f32>, %[[A2:.*]]: !linnet.tensor<[3], i1>
// CHECK-NEXT:    %[[V0:.*]] = linnet.select %[[A2]], %[[A0]], %[[A1]] : !linnet.tensor<[3], i1>, !linnet.tensor<[3], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[3], f32>
linnet.func fn @decided_masks_are_folded(%x: !linnet.tensor<[3], f32>, %y: !linnet.tensor<[3], f32>, %m: !linnet.tensor<[3], i1>) -> !linnet.tensor<[3], f32> {
  %i = linnet.iota axis = 0 : !linnet.tensor<[3], i32>
  %zero = linnet.constant 0 : !linnet.tensor<[3], i32>
  %three = linnet.constant 3 : !linnet.tensor<[3], i32>
  %low = linnet.compare ge %i, %zero : !linnet.tensor<[3], i32>
  %high = linnet.compare lt %i, %three : !linnet.tensor<[3], i32>
  %both = linnet.and %low, %high : !linnet.tensor<[3], i1>
  %0 = linnet.select %both, %x, %y : !linnet.tensor<[3], i1>, !linnet.tensor<[3], f32>
  %rest = linnet.and %m, %both : !linnet.tensor<[3], i1>
  %1 = linnet.select %rest, %0, %y : !linnet.tensor<[3], i1>, !linnet.tensor<[3], f32>
  linnet.return %1 : !linnet.tensor<[3], f32>
}
