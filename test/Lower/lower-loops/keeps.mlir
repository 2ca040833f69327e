// RUN: linnet-opt %s --linnet-lower-loops | FileCheck %s

// CHECK-LABEL: linnet.func entry @loop_of_the_run_is_kept(
// CHECK:         linnet.while (%{{.*}} = %{{.*}} : !linnet.tensor<[], i32>) {
// CHECK-NOT:     update_slice
// CHECK:         linnet.return
linnet.func entry @loop_of_the_run_is_kept(%x: !linnet.tensor<[], i32>) -> !linnet.tensor<[], i32> {
  %one = linnet.constant 1 : !linnet.tensor<[], i32>
  %r = linnet.while (%n = %x : !linnet.tensor<[], i32>) {
    %c = linnet.compare gt %n, %one : !linnet.tensor<[], i32>
    linnet.condition %c
  } do {
  ^bb0(%m: !linnet.tensor<[], i32>):
    %next = linnet.sub %m, %one : !linnet.tensor<[], i32>
    linnet.yield %next : !linnet.tensor<[], i32>
  }
  linnet.return %r : !linnet.tensor<[], i32>
}

// An empty range gives what it carries, and stacks of nothing.
// CHECK-LABEL: linnet.func entry @empty_range_leaves_no_loop(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2], f32>)
// CHECK-NEXT:    %[[EMPTY:.*]] = linnet.constant 0 : !linnet.tensor<[0, 2], f32>
// CHECK-NEXT:    linnet.return %[[X]], %[[EMPTY]]
linnet.func entry @empty_range_leaves_no_loop(%x: !linnet.tensor<[2], f32>) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[0, 2], f32>) {
  %r:2 = linnet.for %i = 3 to 3 iter (%v = %x : !linnet.tensor<[2], f32>) stack (!linnet.tensor<[0, 2], f32>) {
    %y = linnet.neg %v : !linnet.tensor<[2], f32>
    linnet.yield %y, %y : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>
  }
  linnet.return %r#0, %r#1 : !linnet.tensor<[2], f32>, !linnet.tensor<[0, 2], f32>
}

// CHECK-LABEL: linnet.func entry @single_pass_leaves_no_loop(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2], f32>)
// CHECK-NEXT:    %[[I:.*]] = linnet.constant 3 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[Y:.*]] = linnet.neg %[[X]] : !linnet.tensor<[2], f32>
// CHECK-NEXT:    %[[ROW:.*]] = linnet.reshape %[[I]] : !linnet.tensor<[], i64> -> !linnet.tensor<[1], i64>
// CHECK-NEXT:    linnet.return %[[Y]], %[[ROW]]
linnet.func entry @single_pass_leaves_no_loop(%x: !linnet.tensor<[2], f32>) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[1], i64>) {
  %r:2 = linnet.for %i = 3 to 4 iter (%v = %x : !linnet.tensor<[2], f32>) stack (!linnet.tensor<[1], i64>) {
    %y = linnet.neg %v : !linnet.tensor<[2], f32>
    linnet.yield %y, %i : !linnet.tensor<[2], f32>, !linnet.tensor<[], i64>
  }
  linnet.return %r#0, %r#1 : !linnet.tensor<[2], f32>, !linnet.tensor<[1], i64>
}

// Booleans stack on `false`; a loop without a stack carries its position alone.
// CHECK-LABEL: linnet.func entry @inner_loops_are_lowered_too(
// CHECK:         %[[BLANK:.*]] = linnet.constant false : !linnet.tensor<[3], i1>
// CHECK:         linnet.while
// CHECK:           linnet.while
// CHECK:             linnet.condition
// CHECK:         linnet.return
linnet.func entry @inner_loops_are_lowered_too(%c: !linnet.tensor<[], i1>) -> !linnet.tensor<[3], i1> {
  %r = linnet.for %i = 0 to 3 stack (!linnet.tensor<[3], i1>) {
    %s = linnet.for %j = 0 to 2 iter (%d = %c : !linnet.tensor<[], i1>) {
      %e = linnet.not %d : !linnet.tensor<[], i1>
      linnet.yield %e : !linnet.tensor<[], i1>
    }
    linnet.yield %s : !linnet.tensor<[], i1>
  }
  linnet.return %r : !linnet.tensor<[3], i1>
}
