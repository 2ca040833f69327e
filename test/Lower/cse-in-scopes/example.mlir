// RUN: linnet-opt %s --linnet-cse-in-scopes | FileCheck %s

// Equal ops merge around the scope and in it, but not across its border.
linnet.func entry @main(%x: !linnet.tensor<[4], f32>, %w: !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> {
  %a = linnet.exp %w : !linnet.tensor<[4], f32>
  %b = linnet.exp %w : !linnet.tensor<[4], f32>
  %c = linnet.add %a, %b : !linnet.tensor<[4], f32>
  %y = linnet.scope fn "m::f" (%v = %x : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {names = ["v"]} {
    %d = linnet.exp %w : !linnet.tensor<[4], f32>
    %e = linnet.exp %w : !linnet.tensor<[4], f32>
    %f = linnet.mul %d, %e : !linnet.tensor<[4], f32>
    %g = linnet.mul %f, %v : !linnet.tensor<[4], f32>
    linnet.yield %g : !linnet.tensor<[4], f32>
  }
  %z = linnet.add %y, %c : !linnet.tensor<[4], f32>
  linnet.return %z : !linnet.tensor<[4], f32>
}

// CHECK-LABEL: linnet.func entry @main(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[4], f32>, %[[W:.*]]: !linnet.tensor<[4], f32>)
// CHECK-NEXT:    %[[A:.*]] = linnet.exp %[[W]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    %[[C:.*]] = linnet.add %[[A]], %[[A]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    %[[Y:.*]] = linnet.scope fn "m::f" (%[[V:.*]] = %[[X]] : {{.*}}) -> !linnet.tensor<[4], f32> attributes {names = ["v"]} {
// CHECK-NEXT:      %[[D:.*]] = linnet.exp %[[W]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:      %[[F:.*]] = linnet.mul %[[D]], %[[D]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:      %[[G:.*]] = linnet.mul %[[F]], %[[V]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:      linnet.yield %[[G]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[Z:.*]] = linnet.add %[[Y]], %[[C]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    linnet.return %[[Z]] : !linnet.tensor<[4], f32>
