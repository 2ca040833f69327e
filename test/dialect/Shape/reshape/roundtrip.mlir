// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_symbolic_count_is_left_to_be_proven<
linnet.func fn @a_symbolic_count_is_left_to_be_proven<A: Dim, N: Dim, D: Dim>(%x: !linnet.tensor<[A], f32>) {
  // CHECK: linnet.reshape %{{.*}} : !linnet.tensor<[A], f32> -> !linnet.tensor<[N, D], f32>
  %y = linnet.reshape %x : !linnet.tensor<[A], f32> -> !linnet.tensor<[N, D], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_pack_is_one_factor<
linnet.func fn @a_pack_is_one_factor<*S: Shape>(%x: !linnet.tensor<[*S, 4], f32>) {
  // CHECK: linnet.reshape %{{.*}} : !linnet.tensor<[*S, 4], f32> -> !linnet.tensor<[*S, 2, 2], f32>
  %y = linnet.reshape %x : !linnet.tensor<[*S, 4], f32> -> !linnet.tensor<[*S, 2, 2], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_scalar_has_one_element(
linnet.func fn @a_scalar_has_one_element(%x: !linnet.tensor<[], f32>) {
  // CHECK: linnet.reshape %{{.*}} : !linnet.tensor<[], f32> -> !linnet.tensor<[1, 1], f32>
  %y = linnet.reshape %x : !linnet.tensor<[], f32> -> !linnet.tensor<[1, 1], f32>
  linnet.return
}
