// RUN: linnet-opt %s --linnet-unroll | FileCheck %s

// The range is expanded; the condition is known in each copy.
linnet.func entry @every_other(%x: !linnet.tensor<[], i64>) -> !linnet.tensor<[], i64> {
  %two = linnet.constant 2 : !linnet.tensor<[], i64>
  %zero = linnet.constant 0 : !linnet.tensor<[], i64>
  %r = linnet.static_range %i = 0 to 3 iter (%v = %x : !linnet.tensor<[], i64>) {
    %rest = linnet.rem %i, %two : !linnet.tensor<[], i64>
    %even = linnet.compare eq %rest, %zero : !linnet.tensor<[], i64>
    %next = linnet.if %even -> !linnet.tensor<[], i64> {
      %sum = linnet.add %v, %i : !linnet.tensor<[], i64>
      linnet.yield %sum : !linnet.tensor<[], i64>
    } else {
      linnet.yield %v : !linnet.tensor<[], i64>
    }
    linnet.yield %next : !linnet.tensor<[], i64>
  }
  linnet.return %r : !linnet.tensor<[], i64>
}

// CHECK-LABEL: linnet.func entry @every_other(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[], i64>)
// CHECK-NEXT:    %[[TWO:.*]] = linnet.constant 2 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[ZERO:.*]] = linnet.constant 0 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[I0:.*]] = linnet.constant 0 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[R0:.*]] = linnet.rem %[[I0]], %[[TWO]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    linnet.compare eq %[[R0]], %[[ZERO]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[V0:.*]] = linnet.add %[[X]], %[[I0]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[I1:.*]] = linnet.constant 1 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[R1:.*]] = linnet.rem %[[I1]], %[[TWO]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    linnet.compare eq %[[R1]], %[[ZERO]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[I2:.*]] = linnet.constant 2 : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[R2:.*]] = linnet.rem %[[I2]], %[[TWO]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    linnet.compare eq %[[R2]], %[[ZERO]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    %[[V2:.*]] = linnet.add %[[V0]], %[[I2]] : !linnet.tensor<[], i64>
// CHECK-NEXT:    linnet.return %[[V2]] : !linnet.tensor<[], i64>
