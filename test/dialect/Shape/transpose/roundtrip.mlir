// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @axes_change_places<
linnet.func fn @axes_change_places<A: Dim, B: Dim>(%x: !linnet.tensor<[A, B, 3], f32>) {
  // CHECK: linnet.transpose %{{.*}}, [2, 0, 1] : !linnet.tensor<[A, B, 3], f32> -> !linnet.tensor<[3, A, B], f32>
  %y = linnet.transpose %x, [2, 0, 1] : !linnet.tensor<[A, B, 3], f32> -> !linnet.tensor<[3, A, B], f32>
  linnet.return
}
