// RUN: linnet-opt %s --linnet-inline-scopes | FileCheck %s

// Scopes in scopes and in branches go too; the branch and what it uses from outside stay.
linnet.func entry @nested(%c: !linnet.tensor<[], i1>, %x: !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> {
  %r = linnet.if %c -> !linnet.tensor<[4], f32> {
    %y = linnet.scope method "m::B.f" (%v = %x : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {names = ["v"]} {
      %z:2 = linnet.scope op "m::g" () -> (!linnet.tensor<[4], f32>, !linnet.tensor<[4], f32>) {
        %e = linnet.exp %x : !linnet.tensor<[4], f32>
        linnet.yield %v, %e : !linnet.tensor<[4], f32>, !linnet.tensor<[4], f32>
      }
      %sum = linnet.add %z#0, %z#1 : !linnet.tensor<[4], f32>
      linnet.yield %sum : !linnet.tensor<[4], f32>
    }
    linnet.yield %y : !linnet.tensor<[4], f32>
  } else {
    linnet.yield %x : !linnet.tensor<[4], f32>
  }
  linnet.return %r : !linnet.tensor<[4], f32>
}

// CHECK-LABEL: linnet.func entry @nested(
// CHECK-SAME:    %[[C:.*]]: !linnet.tensor<[], i1>, %[[X:.*]]: !linnet.tensor<[4], f32>)
// CHECK-NEXT:    %[[R:.*]] = linnet.if %[[C]] -> !linnet.tensor<[4], f32> {
// CHECK-NEXT:      %[[E:.*]] = linnet.exp %[[X]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:      %[[SUM:.*]] = linnet.add %[[X]], %[[E]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:      linnet.yield %[[SUM]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      linnet.yield %[[X]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.return %[[R]] : !linnet.tensor<[4], f32>
