// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @dims_are_left_to_be_proven<
linnet.func fn @dims_are_left_to_be_proven<A: Dim, B: Dim, *S: Shape>(%x: !linnet.tensor<[*S, A, 4], f32>, %o: !linnet.optional<!linnet.tensor<[A], f32>>, %t: tuple<!linnet.tensor<[A], f32>, !linnet.tensor<[], i32>>) {
  // CHECK: linnet.ascribe %{{.*}} code "E2202" : !linnet.tensor<[*S, A, 4], f32> -> !linnet.tensor<[*S, B, 4], f32>
  %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[*S, A, 4], f32> -> !linnet.tensor<[*S, B, 4], f32>
  // CHECK: linnet.ascribe %{{.*}} code "E2202" : !linnet.optional<!linnet.tensor<[A], f32>> -> !linnet.optional<!linnet.tensor<[B], f32>>
  %p = linnet.ascribe %o code "E2202" : !linnet.optional<!linnet.tensor<[A], f32>> -> !linnet.optional<!linnet.tensor<[B], f32>>
  // CHECK: linnet.ascribe %{{.*}} code "E2109" : tuple<!linnet.tensor<[A], f32>, !linnet.tensor<[], i32>> -> tuple<!linnet.tensor<[B], f32>, !linnet.tensor<[], i32>>
  %q = linnet.ascribe %t code "E2109" : tuple<!linnet.tensor<[A], f32>, !linnet.tensor<[], i32>> -> tuple<!linnet.tensor<[B], f32>, !linnet.tensor<[], i32>>
  linnet.return
}
