// A plan that other functions made: what cannot read rows of groups reads the whole matrix.
// RUN: linnet-opt %s --linnet-store-weights="dtype=i4 group=32 plan=a:1" --cse | FileCheck %s

// CHECK-LABEL: linnet.func entry @planned_weight_is_made_whole(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[64, 3], f32>
// CHECK-SAME:    !linnet.tensor<[3, 2, 16], ui8>
// CHECK:         %[[ROWS:.*]] = linnet.reshape %{{.*}} -> !linnet.tensor<[3, 64], f32>
// CHECK-NEXT:    %[[W:.*]] = linnet.transpose %[[ROWS]], [1, 0] : !linnet.tensor<[3, 64], f32> -> !linnet.tensor<[64, 3], f32>
// CHECK-NEXT:    %[[SUM:.*]] = linnet.add %[[X]], %[[W]]
// CHECK-NEXT:    linnet.contract %[[SUM]], %[[W]] batch [] x [] contract [1] x [1]
linnet.func entry @planned_weight_is_made_whole(
    %x: !linnet.tensor<[64, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %a: !linnet.tensor<[64, 3], f32> {linnet.kind = "param", linnet.path = "a"}) -> !linnet.tensor<[64, 64], f32> {
  %0 = linnet.add %x, %a : !linnet.tensor<[64, 3], f32>
  %1 = linnet.contract %0, %a batch [] x [] contract [1] x [1] : !linnet.tensor<[64, 3], f32>, !linnet.tensor<[64, 3], f32> -> !linnet.tensor<[64, 64], f32>
  linnet.return %1 : !linnet.tensor<[64, 64], f32>
}
