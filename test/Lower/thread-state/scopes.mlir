// RUN: linnet-opt %s --linnet-thread-state | FileCheck %s

// A scope that writes a cell gives its value behind its results, and says which; one that
// only reads it uses the value from outside.
linnet.func entry @push(%x: !linnet.tensor<[], i32> {linnet.kind = "input", linnet.name = "x"},
                        %n: !linnet.ref<!linnet.tensor<[], i32>> {linnet.kind = "state", linnet.path = "a.n"}) -> !linnet.tensor<[], i32> {
  %y = linnet.scope method "m::A.push" at "a" (%v = %x : !linnet.tensor<[], i32>) -> !linnet.tensor<[], i32> attributes {names = ["v"]} {
    linnet.scope method "m::A.store" at "a" (%w = %v : !linnet.tensor<[], i32>) attributes {names = ["w"]} {
      linnet.write_state %n, %w : !linnet.ref<!linnet.tensor<[], i32>>
      linnet.yield
    }
    %now = linnet.read_state %n : !linnet.ref<!linnet.tensor<[], i32>>
    linnet.yield %now : !linnet.tensor<[], i32>
  }
  %z = linnet.scope method "m::A.peek" at "a" () -> !linnet.tensor<[], i32> {
    %old = linnet.read_state %n : !linnet.ref<!linnet.tensor<[], i32>>
    %neg = linnet.neg %old : !linnet.tensor<[], i32>
    linnet.yield %neg : !linnet.tensor<[], i32>
  }
  %r = linnet.add %y, %z : !linnet.tensor<[], i32>
  linnet.return %r : !linnet.tensor<[], i32>
}

// CHECK-LABEL: linnet.func entry @push(
// CHECK:         %[[Y:.*]]:2 = linnet.scope method "m::A.push" at "a" (%[[V:.*]] = %{{.*}} : {{.*}}) -> (!linnet.tensor<[], i32>, !linnet.tensor<[], i32>) attributes {names = ["v"], states = ["a.n"]} {
// CHECK-NEXT:      %[[S:.*]] = linnet.scope method "m::A.store" at "a" (%[[W:.*]] = %[[V]] : {{.*}}) -> !linnet.tensor<[], i32> attributes {names = ["w"], states = ["a.n"]} {
// CHECK-NEXT:        linnet.yield %[[W]] : !linnet.tensor<[], i32>
// CHECK-NEXT:      }
// CHECK-NEXT:      linnet.yield %[[S]], %[[S]] : !linnet.tensor<[], i32>, !linnet.tensor<[], i32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[Z:.*]] = linnet.scope method "m::A.peek" at "a" () -> !linnet.tensor<[], i32> {
// CHECK-NEXT:      %[[NEG:.*]] = linnet.neg %[[Y]]#1 : !linnet.tensor<[], i32>
// CHECK-NEXT:      linnet.yield %[[NEG]] : !linnet.tensor<[], i32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[R:.*]] = linnet.add %[[Y]]#0, %[[Z]] : !linnet.tensor<[], i32>
// CHECK-NEXT:    linnet.return %[[R]], %[[Y]]#1 : !linnet.tensor<[], i32>, !linnet.tensor<[], i32>
