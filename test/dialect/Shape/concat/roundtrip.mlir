// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @the_joined_axis_is_the_sum<
linnet.func fn @the_joined_axis_is_the_sum<A: Dim, B: Dim, N: Dim>(%x0: !linnet.tensor<[A, N], f32>, %x1: !linnet.tensor<[B, N], f32>) {
  // CHECK: linnet.concat %{{.*}}, %{{.*}} axis = 0 : !linnet.tensor<[A, N], f32>, !linnet.tensor<[B, N], f32> -> !linnet.tensor<[A + B, N], f32>
  %y = linnet.concat %x0, %x1 axis = 0 : !linnet.tensor<[A, N], f32>, !linnet.tensor<[B, N], f32> -> !linnet.tensor<[A + B, N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_symbolic_axis_is_left_to_be_proven<
linnet.func fn @a_symbolic_axis_is_left_to_be_proven<A: Dim, B: Dim>(%x0: !linnet.tensor<[A, 1], f32>, %x1: !linnet.tensor<[B, 2], f32>) {
  // CHECK: linnet.concat %{{.*}}, %{{.*}} axis = 1 : !linnet.tensor<[A, 1], f32>, !linnet.tensor<[B, 2], f32> -> !linnet.tensor<[A, 3], f32>
  %y = linnet.concat %x0, %x1 axis = 1 : !linnet.tensor<[A, 1], f32>, !linnet.tensor<[B, 2], f32> -> !linnet.tensor<[A, 3], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_pack_beside_the_axis<
linnet.func fn @a_pack_beside_the_axis<*S: Shape>(%x0: !linnet.tensor<[*S, 1], i1>, %x1: !linnet.tensor<[*S, 1], i1>, %x2: !linnet.tensor<[*S, 1], i1>) {
  // CHECK: linnet.concat %{{.*}}, %{{.*}}, %{{.*}} axis = 1 : !linnet.tensor<[*S, 1], i1>, !linnet.tensor<[*S, 1], i1>, !linnet.tensor<[*S, 1], i1> -> !linnet.tensor<[*S, 3], i1>
  %y = linnet.concat %x0, %x1, %x2 axis = 1 : !linnet.tensor<[*S, 1], i1>, !linnet.tensor<[*S, 1], i1>, !linnet.tensor<[*S, 1], i1> -> !linnet.tensor<[*S, 3], i1>
  linnet.return
}
