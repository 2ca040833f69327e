// Where the scale goes when a matrix of integers is used in other ways.
// RUN: linnet-opt %s --linnet-store-weights=dtype=i8 | FileCheck %s

// CHECK-LABEL: linnet.func entry @weight_on_the_left_is_scaled_along_the_first_axis(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "w1", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "w1.scale", linnet.stored = {axis = 0 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[V0]], %[[A0]] batch [] x [] contract [1] x [1] : !linnet.tensor<[5, 3], f32>, !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[5, 2], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[A2]] axes = [0] : !linnet.tensor<[5], f32> -> !linnet.tensor<[5, 2], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V1]], %[[V2]] : !linnet.tensor<[5, 2], f32>
// CHECK-NEXT:    linnet.return %[[V3]] : !linnet.tensor<[5, 2], f32>
linnet.func entry @weight_on_the_left_is_scaled_along_the_first_axis(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "w1"}) -> !linnet.tensor<[5, 2], f32> {
  %0 = linnet.contract %w, %x batch [] x [] contract [1] x [1] : !linnet.tensor<[5, 3], f32>, !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[5, 2], f32>
  linnet.return %0 : !linnet.tensor<[5, 2], f32>
}

// The second sum runs along the scales' axis: its other operand takes them.
// CHECK-LABEL: linnet.func entry @transposed_use_scales_the_other_operand(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "w2", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "w2.scale", linnet.stored = {axis = 0 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[V0]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V1]], %[[V2]] : !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.mul %[[V3]], %[[V4]] : !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V6:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V7:.*]] = linnet.contract %[[V5]], %[[V6]] batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 5], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    linnet.return %[[V7]] : !linnet.tensor<[2, 3], f32>
linnet.func entry @transposed_use_scales_the_other_operand(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "w2"}) -> !linnet.tensor<[2, 3], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
  %1 = linnet.contract %0, %w batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 5], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 3], f32>
  linnet.return %1 : !linnet.tensor<[2, 3], f32>
}

// CHECK-LABEL: linnet.func entry @slice_takes_the_scales_of_its_rows(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[8, 4], i8> {linnet.kind = "param", linnet.path = "w3", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 8, 4>}}
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[8], f32> {linnet.kind = "param", linnet.path = "w3.scale", linnet.stored = {axis = 0 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 8, 4>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.slice %[[A0]] starts [1, 0] steps [3, 1] : !linnet.tensor<[8, 4], i8> -> !linnet.tensor<[2, 3], i8>
// CHECK-NEXT:    %[[V1:.*]] = linnet.slice %[[A1]] starts [1] steps [3] : !linnet.tensor<[8], f32> -> !linnet.tensor<[2], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.cast %[[V0]] : !linnet.tensor<[2, 3], i8> -> !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.broadcast %[[V1]] axes = [0] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.mul %[[V2]], %[[V3]] : !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[2, 3], f32>
linnet.func entry @slice_takes_the_scales_of_its_rows(
    %w: !linnet.tensor<[8, 4], f32> {linnet.kind = "param", linnet.path = "w3"}) -> !linnet.tensor<[2, 3], f32> {
  %0 = linnet.slice %w starts [1, 0] steps [3, 1] : !linnet.tensor<[8, 4], f32> -> !linnet.tensor<[2, 3], f32>
  linnet.return %0 : !linnet.tensor<[2, 3], f32>
}

// Scales by row because of the product; a column has all of them.
// CHECK-LABEL: linnet.func entry @column_is_scaled_by_row(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[2], i32>
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "w4", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    %[[A3:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "w4.scale", linnet.stored = {axis = 0 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A2]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[V0]] batch [] x [] contract [0] x [1] : !linnet.tensor<[3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[5], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.mul %[[V1]], %[[A3]] : !linnet.tensor<[5], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.take %[[A2]], %[[A1]] axis = 1 : !linnet.tensor<[5, 3], i8>, !linnet.tensor<[2], i32> -> !linnet.tensor<[5, 2], i8>
// CHECK-NEXT:    %[[V4:.*]] = linnet.cast %[[V3]] : !linnet.tensor<[5, 2], i8> -> !linnet.tensor<[5, 2], f32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.broadcast %[[A3]] axes = [0] : !linnet.tensor<[5], f32> -> !linnet.tensor<[5, 2], f32>
// CHECK-NEXT:    %[[V6:.*]] = linnet.mul %[[V4]], %[[V5]] : !linnet.tensor<[5, 2], f32>
// CHECK-NEXT:    linnet.return %[[V2]], %[[V6]] : !linnet.tensor<[5], f32>, !linnet.tensor<[5, 2], f32>
linnet.func entry @column_is_scaled_by_row(
    %x: !linnet.tensor<[3], f32> {linnet.kind = "input", linnet.name = "x"},
    %i: !linnet.tensor<[2], i32> {linnet.kind = "input", linnet.name = "i"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "w4"}) -> (!linnet.tensor<[5], f32>, !linnet.tensor<[5, 2], f32>) {
  %0 = linnet.contract %x, %w batch [] x [] contract [0] x [1] : !linnet.tensor<[3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[5], f32>
  %1 = linnet.take %w, %i axis = 1 : !linnet.tensor<[5, 3], f32>, !linnet.tensor<[2], i32> -> !linnet.tensor<[5, 2], f32>
  linnet.return %0, %1 : !linnet.tensor<[5], f32>, !linnet.tensor<[5, 2], f32>
}

// Sums and scales in f32, one rounding at the end.
// CHECK-LABEL: linnet.func entry @bf16_program_accumulates_in_f32(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], bf16>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "w5", linnet.stored = {axis = 0 : i64, dtype = bf16, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "w5.scale", linnet.stored = {axis = 0 : i64, dtype = bf16, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], bf16>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[V0]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], bf16>, !linnet.tensor<[5, 3], bf16> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V1]], %[[V2]] : !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.cast %[[V3]] : !linnet.tensor<[2, 5], f32> -> !linnet.tensor<[2, 5], bf16>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[2, 5], bf16>
linnet.func entry @bf16_program_accumulates_in_f32(
    %x: !linnet.tensor<[2, 3], bf16> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], bf16> {linnet.kind = "param", linnet.path = "w5"}) -> !linnet.tensor<[2, 5], bf16> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], bf16>, !linnet.tensor<[5, 3], bf16> -> !linnet.tensor<[2, 5], bf16>
  linnet.return %0 : !linnet.tensor<[2, 5], bf16>
}

// CHECK-LABEL: linnet.func entry @cast_of_a_weight_goes(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "w6", linnet.stored = {axis = 0 : i64, dtype = bf16, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "w6.scale", linnet.stored = {axis = 0 : i64, dtype = bf16, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[V0]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V1]], %[[V2]] : !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    linnet.return %[[V3]] : !linnet.tensor<[2, 5], f32>
linnet.func entry @cast_of_a_weight_goes(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], bf16> {linnet.kind = "param", linnet.path = "w6"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.cast %w : !linnet.tensor<[5, 3], bf16> -> !linnet.tensor<[5, 3], f32>
  %1 = linnet.contract %x, %0 batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %1 : !linnet.tensor<[2, 5], f32>
}
