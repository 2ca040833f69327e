// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_part_of_an_axis<
linnet.func fn @a_part_of_an_axis<S: Dim, H: Dim>(%x: !linnet.tensor<[S, 3 * H], f32>) {
  // CHECK: linnet.slice %{{.*}} starts [0, "2 * H"] steps [1, 1] : !linnet.tensor<[S, 3 * H], f32> -> !linnet.tensor<[S, H], f32>
  %y = linnet.slice %x starts [0, "2 * H"] steps [1, 1] : !linnet.tensor<[S, 3 * H], f32> -> !linnet.tensor<[S, H], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @every_second_element(
linnet.func fn @every_second_element(%x: !linnet.tensor<[5], f32>) {
  // CHECK: linnet.slice %{{.*}} starts [0] steps [2] : !linnet.tensor<[5], f32> -> !linnet.tensor<[3], f32>
  %y = linnet.slice %x starts [0] steps [2] : !linnet.tensor<[5], f32> -> !linnet.tensor<[3], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_pack_is_whole<
linnet.func fn @a_pack_is_whole<*S: Shape>(%x: !linnet.tensor<[*S, 4], f32>) {
  // CHECK: linnet.slice %{{.*}} starts [0, 1] steps [1, 2] : !linnet.tensor<[*S, 4], f32> -> !linnet.tensor<[*S, 2], f32>
  %y = linnet.slice %x starts [0, 1] steps [1, 2] : !linnet.tensor<[*S, 4], f32> -> !linnet.tensor<[*S, 2], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @nothing(
linnet.func fn @nothing(%x: !linnet.tensor<[2], f32>) {
  // CHECK: linnet.slice %{{.*}} starts [2] steps [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[0], f32>
  %y = linnet.slice %x starts [2] steps [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[0], f32>
  linnet.return
}
