// RUN: linnet-opt %s --linnet-cse-in-scopes | FileCheck %s

// Equal scopes stay two, in a scope too: the program calls twice.
linnet.func entry @twice(%x: !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> {
  %y = linnet.scope fn "m::outer" (%v = %x : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {names = ["v"]} {
    %a = linnet.scope fn "m::f" (%w = %v : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {names = ["w"]} {
      %e = linnet.exp %w : !linnet.tensor<[4], f32>
      linnet.yield %e : !linnet.tensor<[4], f32>
    }
    %b = linnet.scope fn "m::f" (%w = %v : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {names = ["w"]} {
      %e = linnet.exp %w : !linnet.tensor<[4], f32>
      linnet.yield %e : !linnet.tensor<[4], f32>
    }
    %s = linnet.add %a, %b : !linnet.tensor<[4], f32>
    linnet.yield %s : !linnet.tensor<[4], f32>
  }
  linnet.return %y : !linnet.tensor<[4], f32>
}

// CHECK-LABEL: linnet.func entry @twice(
// CHECK:         linnet.scope fn "m::outer"
// CHECK-NEXT:      %[[A:.*]] = linnet.scope fn "m::f"
// CHECK-NEXT:        linnet.exp
// CHECK-NEXT:        linnet.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[B:.*]] = linnet.scope fn "m::f"
// CHECK:           linnet.add %[[A]], %[[B]]
