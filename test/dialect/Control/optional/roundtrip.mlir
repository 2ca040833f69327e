// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @values_and_nothing<
linnet.func fn @values_and_nothing<N: Dim>(%x: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.some %{{.*}} : !linnet.tensor<[N], f32>
  %s = linnet.some %x : !linnet.tensor<[N], f32>
  // CHECK: linnet.none : !linnet.optional<!linnet.tensor<[N], f32>>
  %n = linnet.none : !linnet.optional<!linnet.tensor<[N], f32>>
  linnet.return
}
