// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_batched_matrix_product(
linnet.func fn @a_batched_matrix_product(%a: !linnet.tensor<[2, 3, 4], f32>, %b: !linnet.tensor<[2, 4, 5], f32>) {
  // CHECK: linnet.contract %{{.*}}, %{{.*}} batch [0] x [0] contract [2] x [1] : !linnet.tensor<[2, 3, 4], f32>, !linnet.tensor<[2, 4, 5], f32> -> !linnet.tensor<[2, 3, 5], f32>
  %y = linnet.contract %a, %b batch [0] x [0] contract [2] x [1] : !linnet.tensor<[2, 3, 4], f32>, !linnet.tensor<[2, 4, 5], f32> -> !linnet.tensor<[2, 3, 5], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_wider_accumulator(
linnet.func fn @a_wider_accumulator(%a: !linnet.tensor<[3], bf16>, %b: !linnet.tensor<[3], bf16>) {
  // CHECK: linnet.contract %{{.*}}, %{{.*}} batch [] x [] contract [0] x [0] : !linnet.tensor<[3], bf16>, !linnet.tensor<[3], bf16> -> !linnet.tensor<[], f32>
  %y = linnet.contract %a, %b batch [] x [] contract [0] x [0] : !linnet.tensor<[3], bf16>, !linnet.tensor<[3], bf16> -> !linnet.tensor<[], f32>
  linnet.return
}
