// RUN: linnet-opt %s --linnet-lower-cumsum | FileCheck %s

// CHECK-LABEL: linnet.func entry @sum_of_all_is_kept(
// CHECK-NEXT:    linnet.reduce sum
linnet.func entry @sum_of_all_is_kept(%x: !linnet.tensor<[5], f32>) -> !linnet.tensor<[], f32> {
  %y = linnet.reduce sum %x axes [0] : !linnet.tensor<[5], f32> -> !linnet.tensor<[], f32>
  linnet.return %y : !linnet.tensor<[], f32>
}

// One element, or none, is its own running sum.
// CHECK-LABEL: linnet.func entry @short_axis_is_left(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2, 1], f32>, %[[Y:.*]]: !linnet.tensor<[0], i8>)
// CHECK-NEXT:    linnet.return %[[X]], %[[Y]]
linnet.func entry @short_axis_is_left(%x: !linnet.tensor<[2, 1], f32>, %y: !linnet.tensor<[0], i8>) -> (!linnet.tensor<[2, 1], f32>, !linnet.tensor<[0], i8>) {
  %a = linnet.cumsum %x axis = 1 : !linnet.tensor<[2, 1], f32>
  %b = linnet.cumsum %y axis = 0 : !linnet.tensor<[0], i8>
  linnet.return %a, %b : !linnet.tensor<[2, 1], f32>, !linnet.tensor<[0], i8>
}
