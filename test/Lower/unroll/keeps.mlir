// RUN: linnet-opt %s --linnet-unroll | FileCheck %s

// CHECK-LABEL: linnet.func entry @condition_of_the_run_is_kept(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[], i32>)
// CHECK-NEXT:    %[[ZERO:.*]] = linnet.constant 0 : !linnet.tensor<[], i32>
// CHECK-NEXT:    %[[C:.*]] = linnet.compare lt %[[X]], %[[ZERO]] : !linnet.tensor<[], i32>
// CHECK-NEXT:    linnet.if %[[C]]
linnet.func entry @condition_of_the_run_is_kept(%x: !linnet.tensor<[], i32>) -> !linnet.tensor<[], i32> {
  %zero = linnet.constant 0 : !linnet.tensor<[], i32>
  %c = linnet.compare lt %x, %zero : !linnet.tensor<[], i32>
  %r = linnet.if %c -> !linnet.tensor<[], i32> {
    linnet.yield %zero : !linnet.tensor<[], i32>
  } else {
    linnet.yield %x : !linnet.tensor<[], i32>
  }
  linnet.return %r : !linnet.tensor<[], i32>
}

// Division by zero has no value, so nothing follows from it.
// CHECK-LABEL: linnet.func entry @quotient_by_zero_decides_nothing(
// CHECK:         linnet.if
linnet.func entry @quotient_by_zero_decides_nothing(%x: !linnet.tensor<[], i32>) -> !linnet.tensor<[], i32> {
  %zero = linnet.constant 0 : !linnet.tensor<[], i32>
  %q = linnet.div %zero, %zero : !linnet.tensor<[], i32>
  %c = linnet.compare eq %q, %zero : !linnet.tensor<[], i32>
  %r = linnet.if %c -> !linnet.tensor<[], i32> {
    linnet.yield %zero : !linnet.tensor<[], i32>
  } else {
    linnet.yield %x : !linnet.tensor<[], i32>
  }
  linnet.return %r : !linnet.tensor<[], i32>
}

// CHECK-LABEL: linnet.func entry @loop_of_the_run_is_kept(
// CHECK:         linnet.while
// CHECK:           linnet.condition
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

// An empty range leaves what it carries.
// CHECK-LABEL: linnet.func entry @empty_range_gives_its_inits(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[], i64>)
// CHECK-NEXT:    linnet.return %[[X]] : !linnet.tensor<[], i64>
linnet.func entry @empty_range_gives_its_inits(%x: !linnet.tensor<[], i64>) -> !linnet.tensor<[], i64> {
  %r = linnet.static_range %i = 3 to 3 iter (%v = %x : !linnet.tensor<[], i64>) {
    %y = linnet.add %v, %i : !linnet.tensor<[], i64>
    linnet.yield %y : !linnet.tensor<[], i64>
  }
  linnet.return %r : !linnet.tensor<[], i64>
}

// Unsigned numbers compare as such: 255 is above 1.
// CHECK-LABEL: linnet.func entry @unsigned_order_decides(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[], f32>, %[[Y:.*]]: !linnet.tensor<[], f32>)
// CHECK:         linnet.compare
// CHECK-NEXT:    linnet.return %[[X]] : !linnet.tensor<[], f32>
linnet.func entry @unsigned_order_decides(%x: !linnet.tensor<[], f32>, %y: !linnet.tensor<[], f32>) -> !linnet.tensor<[], f32> {
  %big = linnet.constant 255 : !linnet.tensor<[], ui8>
  %one = linnet.constant 1 : !linnet.tensor<[], ui8>
  %c = linnet.compare gt %big, %one : !linnet.tensor<[], ui8>
  %r = linnet.if %c -> !linnet.tensor<[], f32> {
    linnet.yield %x : !linnet.tensor<[], f32>
  } else {
    linnet.yield %y : !linnet.tensor<[], f32>
  }
  linnet.return %r : !linnet.tensor<[], f32>
}
