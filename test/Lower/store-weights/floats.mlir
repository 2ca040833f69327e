// RUN: linnet-opt %s --linnet-store-weights | FileCheck %s

// CHECK-LABEL: linnet.func entry @rows_are_taken_and_then_cast(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2], i32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[9, 4], bf16> {linnet.kind = "param", linnet.path = "wte", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "bf16", shape = array<i64: 9, 4>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.take %[[A1]], %[[A0]] axis = 0 : !linnet.tensor<[9, 4], bf16>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 4], bf16>
// CHECK-NEXT:    %[[V1:.*]] = linnet.cast %[[V0]] : !linnet.tensor<[2, 4], bf16> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[9, 4], bf16> -> !linnet.tensor<[9, 4], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.contract %[[V1]], %[[V2]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[9, 4], f32> -> !linnet.tensor<[2, 9], f32>
// CHECK-NEXT:    linnet.return %[[V3]] : !linnet.tensor<[2, 9], f32>
linnet.func entry @rows_are_taken_and_then_cast(
    %ids: !linnet.tensor<[2], i32> {linnet.kind = "input", linnet.name = "ids"},
    %wte: !linnet.tensor<[9, 4], f32> {linnet.kind = "param", linnet.path = "wte"}) -> !linnet.tensor<[2, 9], f32> {
  %0 = linnet.take %wte, %ids axis = 0 : !linnet.tensor<[9, 4], f32>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 4], f32>
  %1 = linnet.contract %0, %wte batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[9, 4], f32> -> !linnet.tensor<[2, 9], f32>
  linnet.return %1 : !linnet.tensor<[2, 9], f32>
}

// Rounding needs no scale, so any contraction will do.
// CHECK-LABEL: linnet.func entry @experts_are_stored_too(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 4], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[2, 3, 4], bf16> {linnet.kind = "param", linnet.path = "experts", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "bf16", shape = array<i64: 2, 3, 4>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[2, 3, 4], bf16> -> !linnet.tensor<[2, 3, 4], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[V0]] batch [0] x [0] contract [1] x [2] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[2, 3], f32>
linnet.func entry @experts_are_stored_too(
    %x: !linnet.tensor<[2, 4], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[2, 3, 4], f32> {linnet.kind = "param", linnet.path = "experts"}) -> !linnet.tensor<[2, 3], f32> {
  %0 = linnet.contract %x, %w batch [0] x [0] contract [1] x [2] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[2, 3], f32>
  linnet.return %0 : !linnet.tensor<[2, 3], f32>
}
