// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @from_the_right<
linnet.func fn @from_the_right<B: Dim, *S: Shape, N: Dim>(%x: !linnet.tensor<[*S, 1], f32>) {
  // CHECK: linnet.broadcast %{{.*}} : !linnet.tensor<[*S, 1], f32> -> !linnet.tensor<[B, *S, N], f32>
  %y = linnet.broadcast %x : !linnet.tensor<[*S, 1], f32> -> !linnet.tensor<[B, *S, N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @along_given_axes(
linnet.func fn @along_given_axes(%x: !linnet.tensor<[2, 3], f32>) {
  // CHECK: linnet.broadcast %{{.*}} axes = [0, 2] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 5, 3], f32>
  %y = linnet.broadcast %x axes = [0, 2] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 5, 3], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_symbolic_axis_is_left_to_be_proven<
linnet.func fn @a_symbolic_axis_is_left_to_be_proven<A: Dim, B: Dim>(%x: !linnet.tensor<[A], f32>) {
  // CHECK: linnet.broadcast %{{.*}} : !linnet.tensor<[A], f32> -> !linnet.tensor<[B], f32>
  %y = linnet.broadcast %x : !linnet.tensor<[A], f32> -> !linnet.tensor<[B], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_scalar(
linnet.func fn @a_scalar(%x: !linnet.tensor<[], f32>) {
  // CHECK: linnet.broadcast %{{.*}} axes = [] : !linnet.tensor<[], f32> -> !linnet.tensor<[4], f32>
  %y = linnet.broadcast %x axes = [] : !linnet.tensor<[], f32> -> !linnet.tensor<[4], f32>
  linnet.return
}
