// RUN: linnet-opt %s --linnet-narrow-masked-writes | FileCheck %s

// Everything up to a position: no bound on how much.
// CHECK-LABEL: linnet.func fn @open_range(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[8], f32>, %[[A1:.*]]: !linnet.tensor<[8], f32>, %[[A2:.*]]: !linnet.tensor<[], i32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A2]] axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.compare le %[[V0]], %[[V1]] : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.select %[[V2]], %[[A1]], %[[A0]] : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
// CHECK-NEXT:    linnet.return %[[V3]] : !linnet.tensor<[8], f32>
linnet.func fn @open_range(%cache: !linnet.tensor<[8], f32>, %value: !linnet.tensor<[8], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[8], f32> {
  %places = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
  %all = linnet.broadcast %at axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
  %mask = linnet.compare le %places, %all : !linnet.tensor<[8], i32>
  %y = linnet.select %mask, %value, %cache : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
  linnet.return %y : !linnet.tensor<[8], f32>
}

// A mask that no position decides.
// CHECK-LABEL: linnet.func fn @given_mask(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[8], f32>, %[[A1:.*]]: !linnet.tensor<[8], f32>, %[[A2:.*]]: !linnet.tensor<[8], i1>
// CHECK-NEXT:    %[[V0:.*]] = linnet.select %[[A2]], %[[A1]], %[[A0]] : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[8], f32>
linnet.func fn @given_mask(%cache: !linnet.tensor<[8], f32>, %value: !linnet.tensor<[8], f32>, %mask: !linnet.tensor<[8], i1>) -> !linnet.tensor<[8], f32> {
  %y = linnet.select %mask, %value, %cache : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
  linnet.return %y : !linnet.tensor<[8], f32>
}

// `or` widens: the window of one side says nothing of the other.
// CHECK-LABEL: linnet.func fn @either_of_two(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[8], f32>, %[[A1:.*]]: !linnet.tensor<[8], f32>, %[[A2:.*]]: !linnet.tensor<[], i32>, %[[A3:.*]]: !linnet.tensor<[8], i1>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A2]] axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.compare eq %[[V0]], %[[V1]] : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.or %[[V2]], %[[A3]] : !linnet.tensor<[8], i1>
// CHECK-NEXT:    %[[V4:.*]] = linnet.select %[[V3]], %[[A1]], %[[A0]] : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[8], f32>
linnet.func fn @either_of_two(%cache: !linnet.tensor<[8], f32>, %value: !linnet.tensor<[8], f32>, %at: !linnet.tensor<[], i32>, %more: !linnet.tensor<[8], i1>) -> !linnet.tensor<[8], f32> {
  %places = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
  %all = linnet.broadcast %at axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
  %here = linnet.compare eq %places, %all : !linnet.tensor<[8], i32>
  %mask = linnet.or %here, %more : !linnet.tensor<[8], i1>
  %y = linnet.select %mask, %value, %cache : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
  linnet.return %y : !linnet.tensor<[8], f32>
}

// Both bounds are of `at`, but one of them wraps: for the least `at` all of the mask is true.
// CHECK-LABEL: linnet.func fn @bounds_that_wrap_apart(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[8], f32>, %[[A1:.*]]: !linnet.tensor<[8], f32>, %[[A2:.*]]: !linnet.tensor<[], i32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A2]] axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.constant 3 : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.compare ge %[[V0]], %[[V1]] : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.sub %[[V0]], %[[V1]] : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V5:.*]] = linnet.compare lt %[[V4]], %[[V2]] : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V6:.*]] = linnet.and %[[V3]], %[[V5]] : !linnet.tensor<[8], i1>
// CHECK-NEXT:    %[[V7:.*]] = linnet.select %[[V6]], %[[A1]], %[[A0]] : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
// CHECK-NEXT:    linnet.return %[[V7]] : !linnet.tensor<[8], f32>
linnet.func fn @bounds_that_wrap_apart(%cache: !linnet.tensor<[8], f32>, %value: !linnet.tensor<[8], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[8], f32> {
  %places = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
  %all = linnet.broadcast %at axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
  %three = linnet.constant 3 : !linnet.tensor<[8], i32>
  %low = linnet.compare ge %places, %all : !linnet.tensor<[8], i32>
  %offsets = linnet.sub %places, %all : !linnet.tensor<[8], i32>
  %high = linnet.compare lt %offsets, %three : !linnet.tensor<[8], i32>
  %mask = linnet.and %low, %high : !linnet.tensor<[8], i1>
  %y = linnet.select %mask, %value, %cache : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
  linnet.return %y : !linnet.tensor<[8], f32>
}

// What was only just computed is written as a whole anyway.
// CHECK-LABEL: linnet.func fn @computed_value(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[8], f32>, %[[A1:.*]]: !linnet.tensor<[8], f32>, %[[A2:.*]]: !linnet.tensor<[], i32>
// CHECK-NEXT:    %[[V0:.*]] = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A2]] axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.compare eq %[[V0]], %[[V1]] : !linnet.tensor<[8], i32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.mul %[[A0]], %[[A0]] : !linnet.tensor<[8], f32>
// CHECK-NEXT:    %[[V4:.*]] = linnet.select %[[V2]], %[[A1]], %[[V3]] : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
// CHECK-NEXT:    linnet.return %[[V4]] : !linnet.tensor<[8], f32>
linnet.func fn @computed_value(%x: !linnet.tensor<[8], f32>, %value: !linnet.tensor<[8], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[8], f32> {
  %places = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
  %all = linnet.broadcast %at axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
  %mask = linnet.compare eq %places, %all : !linnet.tensor<[8], i32>
  %squared = linnet.mul %x, %x : !linnet.tensor<[8], f32>
  %y = linnet.select %mask, %value, %squared : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
  linnet.return %y : !linnet.tensor<[8], f32>
}
