// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @each_integer_of_a_range<
linnet.func fn @each_integer_of_a_range<N: Dim>(%x: !linnet.tensor<[2], f32>) {
  // CHECK: linnet.static_range %{{.*}} = 0 to "N / 2" iter (%{{.*}} = %{{.*}} : !linnet.tensor<[2], f32>) {
  %r = linnet.static_range %i = 0 to "N / 2" iter (%v = %x : !linnet.tensor<[2], f32>) {
    linnet.yield %v : !linnet.tensor<[2], f32>
  }
  // CHECK: linnet.static_range %{{.*}} = N to 4 attributes {linnet.claim = 1 : i64} {
  linnet.static_range %i = N to 4 attributes {linnet.claim = 1 : i64} {
    linnet.yield
  }
  linnet.return
}
