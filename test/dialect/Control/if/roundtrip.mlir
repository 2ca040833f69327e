// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_choice_with_a_value(
linnet.func fn @a_choice_with_a_value(%x: !linnet.tensor<[2], f32>, %c: !linnet.tensor<[], i1>) {
  // CHECK: linnet.if %{{.*}} -> !linnet.tensor<[2], f32> {
  %r = linnet.if %c -> !linnet.tensor<[2], f32> {
    linnet.yield %x : !linnet.tensor<[2], f32>
  } else {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_choice_without_one(
linnet.func fn @a_choice_without_one(%c: !linnet.tensor<[], i1>) {
  // CHECK: linnet.if %{{.*}} attributes {linnet.claim = 1 : i64} {
  linnet.if %c attributes {linnet.claim = 1 : i64} {
    // CHECK: linnet.yield
    linnet.yield
  // CHECK: } else {
  } else {
    linnet.yield
  }
  linnet.return
}
