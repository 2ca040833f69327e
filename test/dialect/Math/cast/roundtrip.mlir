// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @another_dtype<
linnet.func fn @another_dtype<*S: Shape, N: Dim, V: Float>(%x: !linnet.tensor<[*S, N], V: Float>) {
  // CHECK: linnet.cast %{{.*}} : !linnet.tensor<[*S, N], V: Float> -> !linnet.tensor<[*S, N], f32>
  %y = linnet.cast %x : !linnet.tensor<[*S, N], V: Float> -> !linnet.tensor<[*S, N], f32>
  linnet.return
}
