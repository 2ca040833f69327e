// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @callee<
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

// CHECK-LABEL: linnet.func fn @arguments_stand_in_for_generics<
linnet.func fn @arguments_stand_in_for_generics<B: Dim, *R: Shape, N: Dim>(%x: !linnet.tensor<[B, *R, 6 * N], f32>) {
  // CHECK: linnet.call @callee<"3 * N", [B, *R], f32>(%{{.*}}) : (!linnet.tensor<[B, *R, 6 * N], f32>) -> !linnet.tensor<[3 * N], f32>
  %y = linnet.call @callee<"3 * N", [B, *R], f32>(%x) : (!linnet.tensor<[B, *R, 6 * N], f32>) -> !linnet.tensor<[3 * N], f32>
  // CHECK: linnet.call @empty() : () -> ()
  linnet.call @empty() : () -> ()
  linnet.return
}

// CHECK-LABEL: linnet.func fn @empty(
linnet.func fn @empty() {
  linnet.return
}
