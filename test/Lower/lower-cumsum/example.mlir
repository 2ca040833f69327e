// RUN: linnet-opt %s --linnet-lower-cumsum | FileCheck %s

// Sums of one, then of two, then of up to five elements.
linnet.func entry @running_sum(%x: !linnet.tensor<[5], f32>) -> !linnet.tensor<[5], f32> {
  %y = linnet.cumsum %x axis = 0 : !linnet.tensor<[5], f32>
  linnet.return %y : !linnet.tensor<[5], f32>
}

// CHECK-LABEL: linnet.func entry @running_sum(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[5], f32>)
// CHECK-NEXT:    %[[A:.*]] = linnet.slice %[[X]] starts [1] steps [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[4], f32>
// CHECK-NEXT:    %[[B:.*]] = linnet.slice %[[X]] starts [0] steps [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[4], f32>
// CHECK-NEXT:    %[[C:.*]] = linnet.add %[[A]], %[[B]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    %[[D:.*]] = linnet.slice %[[X]] starts [0] steps [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[1], f32>
// CHECK-NEXT:    %[[TWO:.*]] = linnet.concat %[[D]], %[[C]] axis = 0
// CHECK-NEXT:    linnet.slice %[[TWO]] starts [2]
// CHECK:         %[[FOUR:.*]] = linnet.concat %{{.*}}, %{{.*}} axis = 0 : !linnet.tensor<[2], f32>, !linnet.tensor<[3], f32>
// CHECK-NEXT:    linnet.slice %[[FOUR]] starts [4]
// CHECK:         %[[ALL:.*]] = linnet.concat %{{.*}}, %{{.*}} axis = 0 : !linnet.tensor<[4], f32>, !linnet.tensor<[1], f32>
// CHECK-NEXT:    linnet.return %[[ALL]]
