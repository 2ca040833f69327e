// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_row(
linnet.func fn @a_row(%x: !linnet.tensor<[4, 8], f32>, %v: !linnet.tensor<[1, 8], f32>, %i0: !linnet.tensor<[], i32>, %i1: !linnet.tensor<[], i32>) {
  // CHECK: linnet.update_slice %{{.*}}, %{{.*}} at [%{{.*}}, %{{.*}}] : !linnet.tensor<[4, 8], f32>, !linnet.tensor<[1, 8], f32>, !linnet.tensor<[], i32>
  %y = linnet.update_slice %x, %v at [%i0, %i1] : !linnet.tensor<[4, 8], f32>, !linnet.tensor<[1, 8], f32>, !linnet.tensor<[], i32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_scalar(
linnet.func fn @a_scalar(%x: !linnet.tensor<[], f32>, %v: !linnet.tensor<[], f32>) {
  // CHECK: linnet.update_slice %{{.*}}, %{{.*}} at [] : !linnet.tensor<[], f32>, !linnet.tensor<[], f32>
  %y = linnet.update_slice %x, %v at [] : !linnet.tensor<[], f32>, !linnet.tensor<[], f32>
  linnet.return
}
