// What stays as the program has it; a parameter of two axes or more says why.
// RUN: linnet-opt %s --linnet-store-weights=dtype=i8 | FileCheck %s

// A vector, a buffer and a state say nothing.
// CHECK-LABEL: linnet.func entry @vectors_buffers_and_states_stay(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[3], f32> {linnet.kind = "param", linnet.path = "v"}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "buffer", linnet.path = "b"}
// CHECK-SAME:    %[[A3:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "state", linnet.path = "s"}
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3], f32> -> !linnet.tensor<[2], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.contract %[[A0]], %[[A2]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    linnet.return %[[V0]], %[[V1]], %[[A3]] : !linnet.tensor<[2], f32>, !linnet.tensor<[2, 5], f32>, !linnet.tensor<[5, 3], f32>
linnet.func entry @vectors_buffers_and_states_stay(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %v: !linnet.tensor<[3], f32> {linnet.kind = "param", linnet.path = "v"},
    %b: !linnet.tensor<[5, 3], f32> {linnet.kind = "buffer", linnet.path = "b"},
    %s: !linnet.tensor<[5, 3], f32> {linnet.kind = "state", linnet.path = "s"}) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[2, 5], f32>, !linnet.tensor<[5, 3], f32>) {
  %0 = linnet.contract %x, %v batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[3], f32> -> !linnet.tensor<[2], f32>
  %1 = linnet.contract %x, %b batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %0, %1, %s : !linnet.tensor<[2], f32>, !linnet.tensor<[2, 5], f32>, !linnet.tensor<[5, 3], f32>
}

// One such use in any function of the module keeps the parameter in all of them.
// CHECK-LABEL: linnet.func entry @weight_that_is_added_stays(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "input", linnet.name = "x"}
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "added", linnet.unstored = "it is used other than in a product or a lookup at keeps.mlir:
// CHECK-NEXT:    %[[V0:.*]] = linnet.add %[[A0]], %[[A1]] : !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[5, 3], f32>
linnet.func entry @weight_that_is_added_stays(
    %x: !linnet.tensor<[5, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "added"}) -> !linnet.tensor<[5, 3], f32> {
  %0 = linnet.add %x, %w : !linnet.tensor<[5, 3], f32>
  linnet.return %0 : !linnet.tensor<[5, 3], f32>
}

// CHECK-LABEL: linnet.func entry @weight_that_another_function_adds_stays(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "added", linnet.unstored = "it is used other than in a product or a lookup at keeps.mlir:
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[2, 5], f32>
linnet.func entry @weight_that_another_function_adds_stays(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "added"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %0 : !linnet.tensor<[2, 5], f32>
}

// CHECK-LABEL: linnet.func entry @weight_by_itself_stays(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "gram", linnet.unstored = "it is used other than in a product or a lookup at keeps.mlir:
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A0]] batch [] x [] contract [1] x [1] : !linnet.tensor<[5, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[5, 5], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[5, 5], f32>
linnet.func entry @weight_by_itself_stays(
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "gram"}) -> !linnet.tensor<[5, 5], f32> {
  %0 = linnet.contract %w, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[5, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[5, 5], f32>
  linnet.return %0 : !linnet.tensor<[5, 5], f32>
}

// CHECK-LABEL: linnet.func entry @experts_stay(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 4], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[2, 3, 4], f32> {linnet.kind = "param", linnet.path = "experts", linnet.unstored = "it has 3 axes, and only matrices are quantised"}
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [0] x [0] contract [1] x [2] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[2, 3], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[2, 3], f32>
linnet.func entry @experts_stay(
    %x: !linnet.tensor<[2, 4], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[2, 3, 4], f32> {linnet.kind = "param", linnet.path = "experts"}) -> !linnet.tensor<[2, 3], f32> {
  %0 = linnet.contract %x, %w batch [0] x [0] contract [1] x [2] : !linnet.tensor<[2, 4], f32>, !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[2, 3], f32>
  linnet.return %0 : !linnet.tensor<[2, 3], f32>
}

// CHECK-LABEL: linnet.func entry @unused_weight_stays(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2], f32>
// CHECK-SAME:    !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "unused", linnet.unstored = "no entry uses it"}
// CHECK-NEXT:    linnet.return %[[A0]] : !linnet.tensor<[2], f32>
linnet.func entry @unused_weight_stays(
    %x: !linnet.tensor<[2], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "unused"}) -> !linnet.tensor<[2], f32> {
  linnet.return %x : !linnet.tensor<[2], f32>
}
