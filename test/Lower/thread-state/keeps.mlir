// RUN: linnet-opt %s --linnet-thread-state | FileCheck %s

// CHECK-LABEL: linnet.func entry @function_without_cells_is_kept(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[], f32>) -> !linnet.tensor<[], f32> {
// CHECK-NEXT:    linnet.return %[[X]] : !linnet.tensor<[], f32>
linnet.func entry @function_without_cells_is_kept(%x: !linnet.tensor<[], f32>) -> !linnet.tensor<[], f32> {
  linnet.return %x : !linnet.tensor<[], f32>
}

// A state that nothing touches is still threaded [LOW-3].
// CHECK-LABEL: linnet.func entry @untouched_state_passes_through(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[], f32>, %[[A:.*]]: !linnet.tensor<[2], f32>)
// CHECK-NEXT:    linnet.return %[[X]], %[[A]]
linnet.func entry @untouched_state_passes_through(%x: !linnet.tensor<[], f32>, %a: !linnet.ref<!linnet.tensor<[2], f32>>) -> !linnet.tensor<[], f32> {
  linnet.return %x : !linnet.tensor<[], f32>
}

// A read is a snapshot: a later write does not change it [STA-1].
// CHECK-LABEL: linnet.func entry @snapshot_outlives_a_write(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2], f32>, %[[A:.*]]: !linnet.tensor<[2], f32>, %[[B:.*]]: !linnet.tensor<[2], f32>)
// CHECK-NEXT:    linnet.return %[[A]], %[[X]], %[[A]]
linnet.func entry @snapshot_outlives_a_write(%x: !linnet.tensor<[2], f32>, %a: !linnet.ref<!linnet.tensor<[2], f32>>, %b: !linnet.ref<!linnet.tensor<[2], f32>>) -> !linnet.tensor<[2], f32> {
  %old = linnet.read_state %a : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.write_state %a, %x : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.write_state %b, %old : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.return %old : !linnet.tensor<[2], f32>
}

// A loop carries what its body writes; what it only reads stays outside.
// CHECK-LABEL: linnet.func entry @loop_carries_written_state(
// CHECK-SAME:    %[[N:.*]]: !linnet.tensor<[], i32>, %[[A:.*]]: !linnet.tensor<[], i32>, %[[B:.*]]: !linnet.tensor<[], i32>)
// CHECK-NEXT:    %[[R:.*]]:2 = linnet.while (%[[M:.*]] = %[[N]] : !linnet.tensor<[], i32>, %[[S:.*]] = %[[A]] : !linnet.tensor<[], i32>) {
// CHECK-NEXT:      %[[C:.*]] = linnet.compare lt %[[S]], %[[M]]
// CHECK-NEXT:      linnet.condition %[[C]]
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[M2:.*]]: !linnet.tensor<[], i32>, %[[S2:.*]]: !linnet.tensor<[], i32>):
// CHECK-NEXT:      %[[NEW:.*]] = linnet.add %[[S2]], %[[B]]
// CHECK-NEXT:      linnet.yield %[[M2]], %[[NEW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]]#0, %[[R]]#1, %[[B]]
linnet.func entry @loop_carries_written_state(%n: !linnet.tensor<[], i32>, %a: !linnet.ref<!linnet.tensor<[], i32>>, %b: !linnet.ref<!linnet.tensor<[], i32>>) -> !linnet.tensor<[], i32> {
  %r = linnet.while (%m = %n : !linnet.tensor<[], i32>) {
    %now = linnet.read_state %a : !linnet.ref<!linnet.tensor<[], i32>>
    %c = linnet.compare lt %now, %m : !linnet.tensor<[], i32>
    linnet.condition %c
  } do {
  ^bb0(%m: !linnet.tensor<[], i32>):
    %old = linnet.read_state %a : !linnet.ref<!linnet.tensor<[], i32>>
    %step = linnet.read_state %b : !linnet.ref<!linnet.tensor<[], i32>>
    %new = linnet.add %old, %step : !linnet.tensor<[], i32>
    linnet.write_state %a, %new : !linnet.ref<!linnet.tensor<[], i32>>
    linnet.yield %m : !linnet.tensor<[], i32>
  }
  linnet.return %r : !linnet.tensor<[], i32>
}

// A condition that writes is evaluated before the loop and after each pass, so the
// state holds its last write.
// CHECK-LABEL: linnet.func entry @condition_that_writes_is_rotated(
// CHECK-SAME:    %[[N:.*]]: !linnet.tensor<[], i32>, %[[A:.*]]: !linnet.tensor<[], i32>)
// CHECK-NEXT:    %[[S0:.*]] = linnet.add %[[A]], %[[N]]
// CHECK-NEXT:    %[[C0:.*]] = linnet.compare lt %[[S0]], %[[N]]
// CHECK-NEXT:    %[[R:.*]]:3 = linnet.while (%{{.*}} = %[[N]] : !linnet.tensor<[], i32>, %[[C:.*]] = %[[C0]] : !linnet.tensor<[], i1>, %{{.*}} = %[[S0]] : !linnet.tensor<[], i32>) {
// CHECK-NEXT:      linnet.condition %[[C]]
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[M:.*]]: !linnet.tensor<[], i32>, %{{.*}}: !linnet.tensor<[], i1>, %[[S:.*]]: !linnet.tensor<[], i32>):
// CHECK-NEXT:      %[[S1:.*]] = linnet.add %[[S]], %[[M]]
// CHECK-NEXT:      %[[C1:.*]] = linnet.compare lt %[[S1]], %[[M]]
// CHECK-NEXT:      linnet.yield %[[M]], %[[C1]], %[[S1]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]]#0, %[[R]]#2
linnet.func entry @condition_that_writes_is_rotated(%n: !linnet.tensor<[], i32>, %a: !linnet.ref<!linnet.tensor<[], i32>>) -> !linnet.tensor<[], i32> {
  %r = linnet.while (%m = %n : !linnet.tensor<[], i32>) {
    %old = linnet.read_state %a : !linnet.ref<!linnet.tensor<[], i32>>
    %new = linnet.add %old, %m : !linnet.tensor<[], i32>
    linnet.write_state %a, %new : !linnet.ref<!linnet.tensor<[], i32>>
    %c = linnet.compare lt %new, %m : !linnet.tensor<[], i32>
    linnet.condition %c
  } do {
  ^bb0(%m: !linnet.tensor<[], i32>):
    linnet.yield %m : !linnet.tensor<[], i32>
  }
  linnet.return %r : !linnet.tensor<[], i32>
}

// A range that was not unrolled carries too.
// CHECK-LABEL: linnet.func entry @range_carries_written_state(
// CHECK-SAME:    %[[A:.*]]: !linnet.tensor<[], i64>)
// CHECK-NEXT:    %[[R:.*]] = linnet.static_range %[[I:.*]] = 0 to 3 iter (%[[S:.*]] = %[[A]] : !linnet.tensor<[], i64>) {
// CHECK-NEXT:      %[[NEW:.*]] = linnet.add %[[S]], %[[I]]
// CHECK-NEXT:      linnet.yield %[[NEW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]]
linnet.func entry @range_carries_written_state(%a: !linnet.ref<!linnet.tensor<[], i64>>) {
  linnet.static_range %i = 0 to 3 iter () {
    %old = linnet.read_state %a : !linnet.ref<!linnet.tensor<[], i64>>
    %new = linnet.add %old, %i : !linnet.tensor<[], i64>
    linnet.write_state %a, %new : !linnet.ref<!linnet.tensor<[], i64>>
    linnet.yield
  }
  linnet.return
}

// A scan carries the state that it writes; its stack comes after that.
// CHECK-LABEL: linnet.func entry @scan_carries_written_state(
// CHECK-SAME:    %[[N:.*]]: !linnet.tensor<[], i64>, %[[A:.*]]: !linnet.tensor<[], i64>)
// CHECK-NEXT:    %[[R:.*]]:3 = linnet.for %[[I:.*]] = 0 to 4 iter (%[[M:.*]] = %[[N]] : !linnet.tensor<[], i64>, %[[S:.*]] = %[[A]] : !linnet.tensor<[], i64>) stack (!linnet.tensor<[4], i64>) {
// CHECK-NEXT:      %[[NEW:.*]] = linnet.add %[[S]], %[[I]]
// CHECK-NEXT:      linnet.yield %[[NEW]], %[[NEW]], %[[M]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]]#0, %[[R]]#2, %[[R]]#1
linnet.func entry @scan_carries_written_state(%n: !linnet.tensor<[], i64>, %a: !linnet.ref<!linnet.tensor<[], i64>>) -> (!linnet.tensor<[], i64>, !linnet.tensor<[4], i64>) {
  %r:2 = linnet.for %i = 0 to 4 iter (%m = %n : !linnet.tensor<[], i64>) stack (!linnet.tensor<[4], i64>) {
    %old = linnet.read_state %a : !linnet.ref<!linnet.tensor<[], i64>>
    %new = linnet.add %old, %i : !linnet.tensor<[], i64>
    linnet.write_state %a, %new : !linnet.ref<!linnet.tensor<[], i64>>
    %now = linnet.read_state %a : !linnet.ref<!linnet.tensor<[], i64>>
    linnet.yield %now, %m : !linnet.tensor<[], i64>, !linnet.tensor<[], i64>
  }
  linnet.return %r#0, %r#1 : !linnet.tensor<[], i64>, !linnet.tensor<[4], i64>
}
