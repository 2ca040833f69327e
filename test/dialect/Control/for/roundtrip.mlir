// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @carried_and_stacked<
linnet.func fn @carried_and_stacked<N: Dim>(%x: !linnet.tensor<[2], f32>, %k: !linnet.tensor<[], i32>) {
  // CHECK: %{{.*}}:3 = linnet.for %{{.*}} = 1 to N iter (%{{.*}} = %{{.*}} : !linnet.tensor<[2], f32>) stack (!linnet.tensor<[N - 1, 2], f32>, !linnet.tensor<[N - 1], i32>) {
  %r:3 = linnet.for %i = 1 to N iter (%v = %x : !linnet.tensor<[2], f32>) stack (!linnet.tensor<[N - 1, 2], f32>, !linnet.tensor<[N - 1], i32>) {
    linnet.yield %v, %v, %k : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>, !linnet.tensor<[], i32>
  }
  // CHECK: linnet.for %{{.*}} = 0 to "2 * N" stack (!linnet.tensor<[2 * N], i64>) {
  %s = linnet.for %i = 0 to "2 * N" stack (!linnet.tensor<[2 * N], i64>) {
    linnet.yield %i : !linnet.tensor<[], i64>
  }
  // CHECK: linnet.for %{{.*}} = 2 to 2 attributes {linnet.claim = 1 : i64} {
  linnet.for %i = 2 to 2 attributes {linnet.claim = 1 : i64} {
    linnet.yield
  }
  linnet.return
}
