// RUN: linnet-opt %s --linnet-lower-comprehensions | FileCheck %s

// CHECK-LABEL: linnet.func fn @ordinary_code_stays(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.exp %[[A0]] : !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.transpose %[[V0]], [1, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[3, 2], f32>
// CHECK-NEXT:    linnet.return %[[V1]] : !linnet.tensor<[3, 2], f32>
linnet.func fn @ordinary_code_stays(%x: !linnet.tensor<[2, 3], f32>) -> !linnet.tensor<[3, 2], f32> {
  %0 = linnet.exp %x : !linnet.tensor<[2, 3], f32>
  %1 = linnet.transpose %0, [1, 0] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[3, 2], f32>
  linnet.return %1 : !linnet.tensor<[3, 2], f32>
}

// What mentions no index is computed once.
// CHECK-LABEL: linnet.func fn @value_without_index_is_shared(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[3], f32>, %[[A1:.*]]: !linnet.tensor<[], f32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.rsqrt %[[A1]] : !linnet.tensor<[], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[V0]] axes = [] : !linnet.tensor<[], f32> -> !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.mul %[[A0]], %[[V1]] : !linnet.tensor<[3], f32>
// CHECK-NEXT:    linnet.return %[[V2]] : !linnet.tensor<[3], f32>
linnet.func fn @value_without_index_is_shared(%x: !linnet.tensor<[3], f32>, %k: !linnet.tensor<[], f32>) -> !linnet.tensor<[3], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[3], f32> {
  ^bb0(%i: !linnet.index<[3]>):
    %r = linnet.rsqrt %k : !linnet.tensor<[], f32>
    %e = linnet.access %x[%i] : !linnet.tensor<[3], f32>, (!linnet.index<[3]>) -> !linnet.tensor<[], f32>
    %p = linnet.mul %e, %r : !linnet.tensor<[], f32>
    linnet.yield %p : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[3], f32>
}
