// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @values_are_carried(
linnet.func fn @values_are_carried(%x: !linnet.tensor<[2], f32>, %c: !linnet.tensor<[], i1>) {
  // CHECK: linnet.while (%{{.*}} = %{{.*}} : !linnet.tensor<[2], f32>) {
  %r = linnet.while (%a = %x : !linnet.tensor<[2], f32>) {
    // CHECK: linnet.condition %{{.*}}
    linnet.condition %c
  // CHECK: } do {
  } do {
  ^bb0(%b: !linnet.tensor<[2], f32>):
    // CHECK: linnet.yield %{{.*}} : !linnet.tensor<[2], f32>
    linnet.yield %b : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @nothing_is_carried(
linnet.func fn @nothing_is_carried(%c: !linnet.tensor<[], i1>) {
  // CHECK: linnet.while () attributes {linnet.claim = 2 : i64} {
  linnet.while () attributes {linnet.claim = 2 : i64} {
    linnet.condition %c
  } do {
    linnet.yield
  }
  linnet.return
}
