// The select is kept where it would become more updates than allowed.
// RUN: linnet-opt %s --linnet-narrow-masked-writes=max-updates=2 | FileCheck %s

// CHECK-LABEL: linnet.func fn @three_rows_are_too_many(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3, 8], f32>, %[[A1:.*]]: !linnet.tensor<[3, 8], f32>, %[[A2:.*]]: !linnet.tensor<[3], i32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 1 : !linnet.tensor<[3, 8], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A2]] axes = [0] : !linnet.tensor<[3], i32> -> !linnet.tensor<[3, 8], i32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.compare eq %[[V0]], %[[V1]] : !linnet.tensor<[3, 8], i32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.select %[[V2]], %[[A1]], %[[A0]] : !linnet.tensor<[3, 8], i1>, !linnet.tensor<[3, 8], f32>
// CHECK-NEXT:    linnet.return %[[V3]] : !linnet.tensor<[3, 8], f32>
linnet.func fn @three_rows_are_too_many(%cache: !linnet.tensor<[3, 8], f32>, %value: !linnet.tensor<[3, 8], f32>, %at: !linnet.tensor<[3], i32>) -> !linnet.tensor<[3, 8], f32> {
  %places = linnet.iota axis = 1 : !linnet.tensor<[3, 8], i32>
  %all = linnet.broadcast %at axes = [0] : !linnet.tensor<[3], i32> -> !linnet.tensor<[3, 8], i32>
  %mask = linnet.compare eq %places, %all : !linnet.tensor<[3, 8], i32>
  %y = linnet.select %mask, %value, %cache : !linnet.tensor<[3, 8], i1>, !linnet.tensor<[3, 8], f32>
  linnet.return %y : !linnet.tensor<[3, 8], f32>
}
