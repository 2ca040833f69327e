// RUN: linnet-opt %s --linnet-lower-loops | FileCheck %s

// The stack is carried, and each pass writes the row of its position.
linnet.func entry @halves(%x: !linnet.tensor<[2], f32>) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[4, 2], f32>) {
  %half = linnet.constant 0.5 : !linnet.tensor<[2], f32>
  %last, %all = linnet.for %i = 1 to 5 iter (%v = %x : !linnet.tensor<[2], f32>) stack (!linnet.tensor<[4, 2], f32>) {
    %next = linnet.mul %v, %half : !linnet.tensor<[2], f32>
    linnet.yield %next, %next : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>
  }
  linnet.return %last, %all : !linnet.tensor<[2], f32>, !linnet.tensor<[4, 2], f32>
}

// CHECK-LABEL: linnet.func entry @halves(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2], f32>)
// CHECK-NEXT:    %[[HALF:.*]] = linnet.constant 5.000000e-01 : !linnet.tensor<[2], f32>
// CHECK-NEXT:    %[[BLANK:.*]] = linnet.constant 0 : !linnet.tensor<[4, 2], f32>
// CHECK-NEXT:    %[[FIRST:.*]] = linnet.constant 1 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[END:.*]] = linnet.constant 5 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[R:.*]]:3 = linnet.while (%[[I:.*]] = %[[FIRST]] : !linnet.tensor<[], i64>, %{{.*}} = %[[X]] : !linnet.tensor<[2], f32>, %{{.*}} = %[[BLANK]] : !linnet.tensor<[4, 2], f32>) {
// CHECK-NEXT:      %[[C:.*]] = linnet.compare lt %[[I]], %[[END]] : !linnet.tensor<[], i64>
// CHECK-NEXT:      linnet.condition %[[C]]
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[J:.*]]: !linnet.tensor<[], i64>, %[[V:.*]]: !linnet.tensor<[2], f32>, %[[S:.*]]: !linnet.tensor<[4, 2], f32>):
// CHECK-NEXT:      %[[NEXT:.*]] = linnet.mul %[[V]], %[[HALF]] : !linnet.tensor<[2], f32>
// CHECK-NEXT:      %[[AT:.*]] = linnet.sub %[[J]], %[[FIRST]] : !linnet.tensor<[], i64>
// CHECK-NEXT:      %[[ONE:.*]] = linnet.constant 1 : !linnet.tensor<[], i64>
// CHECK-NEXT:      %[[K:.*]] = linnet.add %[[J]], %[[ONE]] : !linnet.tensor<[], i64>
// CHECK-NEXT:      %[[ROW:.*]] = linnet.reshape %[[NEXT]] : !linnet.tensor<[2], f32> -> !linnet.tensor<[1, 2], f32>
// CHECK-NEXT:      %[[ZERO:.*]] = linnet.constant 0 : !linnet.tensor<[], i64>
// CHECK-NEXT:      %[[T:.*]] = linnet.update_slice %[[S]], %[[ROW]] at [%[[AT]], %[[ZERO]]]
// CHECK-NEXT:      linnet.yield %[[K]], %[[NEXT]], %[[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]]#1, %[[R]]#2
