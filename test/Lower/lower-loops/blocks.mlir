// RUN: linnet-opt %s --linnet-lower-loops="max-copied=0" | FileCheck %s

// Ten passes in blocks of three rows: the last block has one row, and what it leaves is cut off.
// CHECK-LABEL: linnet.func entry @ten_passes(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2], f32>)
// CHECK:         %[[BLANK:.*]] = linnet.constant 0 : !linnet.tensor<[12, 2], f32>
// CHECK-NEXT:    %[[FIRST:.*]] = linnet.constant 1 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[END:.*]] = linnet.constant 11 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[R:.*]]:3 = linnet.while (%[[B:.*]] = %[[FIRST]] : !linnet.tensor<[], i64>, %{{.*}} = %[[X]] : !linnet.tensor<[2], f32>, %{{.*}} = %[[BLANK]] : !linnet.tensor<[12, 2], f32>) {
// CHECK-NEXT:      linnet.compare lt %[[B]], %[[END]]
// CHECK:         } do {
// CHECK-NEXT:    ^bb0(%[[C:.*]]: !linnet.tensor<[], i64>, %[[V:.*]]: !linnet.tensor<[2], f32>, %[[S:.*]]: !linnet.tensor<[12, 2], f32>):
// CHECK-NEXT:      %[[ROWS:.*]] = linnet.constant 3 : !linnet.tensor<[], i64>
// CHECK-NEXT:      %[[SUM:.*]] = linnet.add %[[C]], %[[ROWS]]
// CHECK-NEXT:      %[[E:.*]] = linnet.min %[[SUM]], %[[END]]
// CHECK-NEXT:      %[[PART:.*]] = linnet.constant 0 : !linnet.tensor<[3, 2], f32>
// CHECK-NEXT:      %[[Q:.*]]:3 = linnet.while (%[[I:.*]] = %[[C]] : !linnet.tensor<[], i64>, %{{.*}} = %[[V]] : !linnet.tensor<[2], f32>, %{{.*}} = %[[PART]] : !linnet.tensor<[3, 2], f32>) {
// CHECK-NEXT:        linnet.compare lt %[[I]], %[[E]]
// CHECK:           } do {
// CHECK-NEXT:      ^bb0(%[[J:.*]]: !linnet.tensor<[], i64>,
// CHECK:             linnet.sub %[[J]], %[[C]]
// CHECK:           }
// CHECK:           %[[AT:.*]] = linnet.sub %[[C]], %[[FIRST]]
// CHECK:           %[[T:.*]] = linnet.update_slice %[[S]], %[[Q]]#2 at [%[[AT]], %{{.*}}] : !linnet.tensor<[12, 2], f32>, !linnet.tensor<[3, 2], f32>
// CHECK-NEXT:      linnet.yield %[[E]], %[[Q]]#1, %[[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[ALL:.*]] = linnet.slice %[[R]]#2 starts [0, 0] steps [1, 1] : !linnet.tensor<[12, 2], f32> -> !linnet.tensor<[10, 2], f32>
// CHECK-NEXT:    linnet.return %[[R]]#1, %[[ALL]]
linnet.func entry @ten_passes(%x: !linnet.tensor<[2], f32>) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[10, 2], f32>) {
  %half = linnet.constant 0.5 : !linnet.tensor<[2], f32>
  %last, %all = linnet.for %i = 1 to 11 iter (%v = %x : !linnet.tensor<[2], f32>) stack (!linnet.tensor<[10, 2], f32>) {
    %next = linnet.mul %v, %half : !linnet.tensor<[2], f32>
    linnet.yield %next, %next : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>
  }
  linnet.return %last, %all : !linnet.tensor<[2], f32>, !linnet.tensor<[10, 2], f32>
}

// Nothing is copied where nothing is stacked.
// CHECK-LABEL: linnet.func entry @loop_without_stack_is_one_loop(
// CHECK:         linnet.while
// CHECK-NOT:     linnet.while
// CHECK:         linnet.return
linnet.func entry @loop_without_stack_is_one_loop(%x: !linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32> {
  %last = linnet.for %i = 1 to 11 iter (%v = %x : !linnet.tensor<[2], f32>) {
    %next = linnet.neg %v : !linnet.tensor<[2], f32>
    linnet.yield %next : !linnet.tensor<[2], f32>
  }
  linnet.return %last : !linnet.tensor<[2], f32>
}
