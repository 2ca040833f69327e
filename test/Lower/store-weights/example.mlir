// RUN: linnet-opt %s --linnet-store-weights=dtype=i8 | FileCheck %s

// A tied embedding, as rows and as the head: one matrix of integers, one scale a row.
// CHECK-LABEL: linnet.func entry @tied_embedding_is_scaled_by_row(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2], i32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[9, 4], i8> {linnet.kind = "param", linnet.path = "wte", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 9, 4>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[9], f32> {linnet.kind = "param", linnet.path = "wte.scale", linnet.stored = {axis = 0 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 9, 4>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.take %[[A1]], %[[A0]] axis = 0 : !linnet.tensor<[9, 4], i8>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 4], i8>
// CHECK-NEXT:    %[[V1:.*]] = linnet.cast %[[V0]] : !linnet.tensor<[2, 4], i8> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.take %[[A2]], %[[A0]] axis = 0 : !linnet.tensor<[9], f32>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.broadcast %[[V2]] axes = [0] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.mul %[[V1]], %[[V3]] : !linnet.tensor<[2, 4], f32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[9, 4], i8> -> !linnet.tensor<[9, 4], f32>
// CHECK-NEXT:    %[[V6:.*]] = linnet.contract %[[V4]], %[[V5]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[9, 4], f32> -> !linnet.tensor<[2, 9], f32>
// CHECK-NEXT:    %[[V7:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[9], f32> -> !linnet.tensor<[2, 9], f32>
// CHECK-NEXT:    %[[V8:.*]] = linnet.mul %[[V6]], %[[V7]] : !linnet.tensor<[2, 9], f32>
// CHECK-NEXT:    linnet.return %[[V8]] : !linnet.tensor<[2, 9], f32>
linnet.func entry @tied_embedding_is_scaled_by_row(
    %ids: !linnet.tensor<[2], i32> {linnet.kind = "input", linnet.name = "ids"},
    %wte: !linnet.tensor<[9, 4], f32> {linnet.kind = "param", linnet.path = "wte"}) -> !linnet.tensor<[2, 9], f32> {
  %0 = linnet.take %wte, %ids axis = 0 : !linnet.tensor<[9, 4], f32>, !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 4], f32>
  %1 = linnet.contract %0, %wte batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[9, 4], f32> -> !linnet.tensor<[2, 9], f32>
  linnet.return %1 : !linnet.tensor<[2, 9], f32>
}

// Stored input-first, the outputs are columns.
// CHECK-LABEL: linnet.func entry @projection_is_scaled_by_output(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[3, 5], i8> {linnet.kind = "param", linnet.path = "up.weight", linnet.stored = {axis = 1 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 3, 5>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "up.weight.scale", linnet.stored = {axis = 1 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 3, 5>}}
// CHECK-SAME:    %[[A3:.*]]: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "up.bias"}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[3, 5], i8> -> !linnet.tensor<[3, 5], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[V0]] batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3, 5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[V1]], %[[V2]] : !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.broadcast %[[A3]] axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.add %[[V3]], %[[V4]] : !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    linnet.return %[[V5]] : !linnet.tensor<[2, 5], f32>
linnet.func entry @projection_is_scaled_by_output(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[3, 5], f32> {linnet.kind = "param", linnet.path = "up.weight"},
    %b: !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "up.bias"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3, 5], f32> -> !linnet.tensor<[2, 5], f32>
  %1 = linnet.broadcast %b axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[2, 5], f32>
  %2 = linnet.add %0, %1 : !linnet.tensor<[2, 5], f32>
  linnet.return %2 : !linnet.tensor<[2, 5], f32>
}
