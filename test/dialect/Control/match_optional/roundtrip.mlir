// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @present_or_absent(
linnet.func fn @present_or_absent(%o: !linnet.optional<!linnet.tensor<[2], f32>>, %x: !linnet.tensor<[2], f32>) {
  // CHECK: linnet.match_optional %{{.*}} : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32> some {
  %r = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[2], f32>> -> !linnet.tensor<[2], f32> some {
  ^bb0(%v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  // CHECK: } none {
  } none {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}
