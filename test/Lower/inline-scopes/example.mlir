// RUN: linnet-opt %s --linnet-inline-scopes | FileCheck %s

// The body stands in place of the scope, the operand in place of its argument.
linnet.func entry @main(%x: !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> {
  %y = linnet.scope fn "m::twice" (%v = %x : !linnet.tensor<[4], f32>) -> !linnet.tensor<[4], f32> attributes {names = ["v"]} {
    %sum = linnet.add %v, %v : !linnet.tensor<[4], f32>
    linnet.yield %sum : !linnet.tensor<[4], f32>
  }
  linnet.return %y : !linnet.tensor<[4], f32>
}

// CHECK-LABEL: linnet.func entry @main(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[4], f32>)
// CHECK-NEXT:    %[[SUM:.*]] = linnet.add %[[X]], %[[X]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:    linnet.return %[[SUM]] : !linnet.tensor<[4], f32>
