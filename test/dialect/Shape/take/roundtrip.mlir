// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @rows_of_a_table<
linnet.func fn @rows_of_a_table<V: Dim, H: Dim, *S: Shape>(%x: !linnet.tensor<[V, H], f32>, %i: !linnet.tensor<[*S], i32>) {
  // CHECK: linnet.take %{{.*}}, %{{.*}} axis = 0 : !linnet.tensor<[V, H], f32>, !linnet.tensor<[*S], i32> -> !linnet.tensor<[*S, H], f32>
  %y = linnet.take %x, %i axis = 0 : !linnet.tensor<[V, H], f32>, !linnet.tensor<[*S], i32> -> !linnet.tensor<[*S, H], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @one_position(
linnet.func fn @one_position(%x: !linnet.tensor<[2, 3, 4], f32>, %i: !linnet.tensor<[], i64>) {
  // CHECK: linnet.take %{{.*}}, %{{.*}} axis = 1 : !linnet.tensor<[2, 3, 4], f32>, !linnet.tensor<[], i64> -> !linnet.tensor<[2, 4], f32>
  %y = linnet.take %x, %i axis = 1 : !linnet.tensor<[2, 3, 4], f32>, !linnet.tensor<[], i64> -> !linnet.tensor<[2, 4], f32>
  linnet.return
}
