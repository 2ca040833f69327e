// RUN: linnet-opt %s --linnet-lower-comprehensions | FileCheck %s

// All positions run together until none goes on; one that has ended keeps its values.
// CHECK-LABEL: linnet.func entry @halvings(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[3], i64>)
// CHECK:         %[[FIRST:.*]] = linnet.compare gt %[[X]], %{{.*}} : !linnet.tensor<[3], i64>
// CHECK-NEXT:    %[[R:.*]]:3 = linnet.while (%{{.*}} = %[[X]] : !linnet.tensor<[3], i64>, %{{.*}} : !linnet.tensor<[3], i64>, %[[M:.*]] = %[[FIRST]] : !linnet.tensor<[3], i1>) {
// CHECK-NEXT:      %[[ANY:.*]] = linnet.reduce any %[[M]] axes [0]
// CHECK-NEXT:      linnet.condition %[[ANY]]
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[N:.*]]: !linnet.tensor<[3], i64>, %[[K:.*]]: !linnet.tensor<[3], i64>, %[[ON:.*]]: !linnet.tensor<[3], i1>):
// CHECK:           %[[HALF:.*]] = linnet.div %[[N]],
// CHECK:           %[[NEXT:.*]] = linnet.add %[[K]],
// CHECK-NEXT:      %[[H:.*]] = linnet.select %[[ON]], %[[HALF]], %[[N]]
// CHECK-NEXT:      %[[L:.*]] = linnet.select %[[ON]], %[[NEXT]], %[[K]]
// CHECK:           %[[AGAIN:.*]] = linnet.compare gt %[[H]],
// CHECK-NEXT:      %[[BOTH:.*]] = linnet.and %[[ON]], %[[AGAIN]]
// CHECK-NEXT:      linnet.yield %[[H]], %[[L]], %[[BOTH]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]]#1
linnet.func entry @halvings(%x: !linnet.tensor<[3], i64>) -> !linnet.tensor<[3], i64> {
  %zero = linnet.constant 0 : !linnet.tensor<[], i64>
  %one = linnet.constant 1 : !linnet.tensor<[], i64>
  %two = linnet.constant 2 : !linnet.tensor<[], i64>
  %y = linnet.comprehension -> !linnet.tensor<[3], i64> {
  ^bb0(%i: !linnet.index<[3]>):
    %e = linnet.access %x[%i] : !linnet.tensor<[3], i64>, (!linnet.index<[3]>) -> !linnet.tensor<[], i64>
    %r:2 = linnet.while (%n = %e : !linnet.tensor<[], i64>, %k = %zero : !linnet.tensor<[], i64>) {
      %c = linnet.compare gt %n, %one : !linnet.tensor<[], i64>
      linnet.condition %c
    } do {
    ^bb0(%m: !linnet.tensor<[], i64>, %l: !linnet.tensor<[], i64>):
      %h = linnet.div %m, %two : !linnet.tensor<[], i64>
      %next = linnet.add %l, %one : !linnet.tensor<[], i64>
      linnet.yield %h, %next : !linnet.tensor<[], i64>, !linnet.tensor<[], i64>
    }
    linnet.yield %r#1 : !linnet.tensor<[], i64>
  }
  linnet.return %y : !linnet.tensor<[3], i64>
}

// A counted loop carries the index as an axis in front; its stack's axis goes behind it.
// CHECK-LABEL: linnet.func entry @powers(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[3], f32>)
// CHECK-NEXT:    %[[R:.*]]:2 = linnet.for %{{.*}} = 0 to 2 iter (%[[V:.*]] = %[[X]] : !linnet.tensor<[3], f32>) stack (!linnet.tensor<[2, 3], f32>) {
// CHECK-NEXT:      %[[P:.*]] = linnet.mul %[[V]], %[[X]] : !linnet.tensor<[3], f32>
// CHECK-NEXT:      linnet.yield %[[P]], %[[P]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[T:.*]] = linnet.transpose %[[R]]#1, [1, 0]
// CHECK-NEXT:    %[[S:.*]] = linnet.cumsum %[[T]] axis = 1 : !linnet.tensor<[3, 2], f32>
// CHECK-NEXT:    %[[L:.*]] = linnet.slice %[[S]] starts [0, 1]
// CHECK-NEXT:    %[[Y:.*]] = linnet.reshape %[[L]]
// CHECK-NEXT:    linnet.return %[[Y]] : !linnet.tensor<[3], f32>
linnet.func entry @powers(%x: !linnet.tensor<[3], f32>) -> !linnet.tensor<[3], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[3], f32> {
  ^bb0(%i: !linnet.index<[3]>):
    %e = linnet.access %x[%i] : !linnet.tensor<[3], f32>, (!linnet.index<[3]>) -> !linnet.tensor<[], f32>
    %r:2 = linnet.for %k = 0 to 2 iter (%v = %e : !linnet.tensor<[], f32>) stack (!linnet.tensor<[2], f32>) {
      %p = linnet.mul %v, %e : !linnet.tensor<[], f32>
      linnet.yield %p, %p : !linnet.tensor<[], f32>, !linnet.tensor<[], f32>
    }
    %s = linnet.cumsum %r#1 axis = 0 : !linnet.tensor<[2], f32>
    %l = linnet.slice %s starts [1] steps [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[1], f32>
    %z = linnet.reshape %l : !linnet.tensor<[1], f32> -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[3], f32>
}
