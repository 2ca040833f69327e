// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @built_and_taken_apart<
linnet.func fn @built_and_taken_apart<N: Dim>(%x: !linnet.tensor<[N], f32>, %n: !linnet.tensor<[], i32>) {
  // CHECK: linnet.tuple %{{.*}}, %{{.*}} : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], i32>>
  %t = linnet.tuple %x, %n : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], i32>>
  // CHECK: linnet.untuple %{{.*}} : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], i32>>
  %a, %b = linnet.untuple %t : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], i32>>
  linnet.return
}
