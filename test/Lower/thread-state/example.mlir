// RUN: linnet-opt %s --linnet-thread-state | FileCheck %s

// The cell is written in one branch: the choice gives its value, and the last value is
// a further result.
linnet.func entry @count(%up: !linnet.tensor<[], i1> {linnet.kind = "input", linnet.name = "up"},
                         %n: !linnet.ref<!linnet.tensor<[], i32>> {linnet.kind = "state", linnet.path = "n"}) -> !linnet.tensor<[], i32> {
  %before = linnet.read_state %n : !linnet.ref<!linnet.tensor<[], i32>>
  linnet.if %up {
    %one = linnet.constant 1 : !linnet.tensor<[], i32>
    %old = linnet.read_state %n : !linnet.ref<!linnet.tensor<[], i32>>
    %new = linnet.add %old, %one : !linnet.tensor<[], i32>
    linnet.write_state %n, %new : !linnet.ref<!linnet.tensor<[], i32>>
    linnet.yield
  } else {
    linnet.yield
  }
  %after = linnet.read_state %n : !linnet.ref<!linnet.tensor<[], i32>>
  %r = linnet.sub %after, %before : !linnet.tensor<[], i32>
  linnet.return %r : !linnet.tensor<[], i32>
}

// CHECK-LABEL: linnet.func entry @count(
// CHECK-SAME:    %[[UP:.*]]: !linnet.tensor<[], i1> {linnet.kind = "input", linnet.name = "up"},
// CHECK-SAME:    %[[N:.*]]: !linnet.tensor<[], i32> {linnet.kind = "state", linnet.path = "n"})
// CHECK-SAME:    -> (!linnet.tensor<[], i32>, !linnet.tensor<[], i32> {linnet.kind = "state", linnet.path = "n"})
// CHECK-NEXT:    %[[AFTER:.*]] = linnet.if %[[UP]]{{.*}} -> !linnet.tensor<[], i32> {
// CHECK-NEXT:      %[[ONE:.*]] = linnet.constant 1 : !linnet.tensor<[], i32>
// CHECK-NEXT:      %[[NEW:.*]] = linnet.add %[[N]], %[[ONE]] : !linnet.tensor<[], i32>
// CHECK-NEXT:      linnet.yield %[[NEW]] : !linnet.tensor<[], i32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      linnet.yield %[[N]] : !linnet.tensor<[], i32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[R:.*]] = linnet.sub %[[AFTER]], %[[N]] : !linnet.tensor<[], i32>
// CHECK-NEXT:    linnet.return %[[R]], %[[AFTER]] : !linnet.tensor<[], i32>, !linnet.tensor<[], i32>
