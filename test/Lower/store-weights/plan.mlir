// A plan stores what it names, whatever the function does with it.
// RUN: linnet-opt %s --linnet-store-weights="dtype=i8 plan=a:1,c:0" | FileCheck %s

// CHECK-LABEL: linnet.func entry @planned_weight_is_made_whole_for_other_uses(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[5, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "a", linnet.stored = {axis = 1 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    %[[A2:.*]]: !linnet.tensor<[3], f32> {linnet.kind = "param", linnet.path = "a.scale", linnet.stored = {axis = 1 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    %[[V0:.*]] = linnet.cast %[[A1]] : !linnet.tensor<[5, 3], i8> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V1:.*]] = linnet.broadcast %[[A2]] axes = [1] : !linnet.tensor<[3], f32> -> !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V2:.*]] = linnet.mul %[[V0]], %[[V1]] : !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    %[[V3:.*]] = linnet.add %[[A0]], %[[V2]] : !linnet.tensor<[5, 3], f32>
// CHECK-NEXT:    linnet.return %[[V3]] : !linnet.tensor<[5, 3], f32>
linnet.func entry @planned_weight_is_made_whole_for_other_uses(
    %x: !linnet.tensor<[5, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %a: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "a"}) -> !linnet.tensor<[5, 3], f32> {
  %0 = linnet.add %x, %a : !linnet.tensor<[5, 3], f32>
  linnet.return %0 : !linnet.tensor<[5, 3], f32>
}

// CHECK-LABEL: linnet.func entry @weight_outside_of_the_plan_stays(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2, 3], f32>
// CHECK-SAME:    %[[A1:.*]]: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "b", linnet.unstored = "the plan leaves it out"}
// CHECK-NEXT:    %[[V0:.*]] = linnet.contract %[[A0]], %[[A1]] batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
// CHECK-NEXT:    linnet.return %[[V0]] : !linnet.tensor<[2, 5], f32>
linnet.func entry @weight_outside_of_the_plan_stays(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %b: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "b"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.contract %x, %b batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %0 : !linnet.tensor<[2, 5], f32>
}

// The same arguments as other functions have, though this one uses none.
// CHECK-LABEL: linnet.func entry @planned_weight_is_stored_where_nothing_uses_it(
// CHECK-SAME:    %[[A0:.*]]: !linnet.tensor<[2], f32>
// CHECK-SAME:    !linnet.tensor<[5, 3], i8> {linnet.kind = "param", linnet.path = "c", linnet.stored = {axis = 0 : i64, dtype = f32, role = "values", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-SAME:    !linnet.tensor<[5], f32> {linnet.kind = "param", linnet.path = "c.scale", linnet.stored = {axis = 0 : i64, dtype = f32, role = "scale", scheme = "int8", shape = array<i64: 5, 3>}}
// CHECK-NEXT:    linnet.return %[[A0]] : !linnet.tensor<[2], f32>
linnet.func entry @planned_weight_is_stored_where_nothing_uses_it(
    %x: !linnet.tensor<[2], f32> {linnet.kind = "input", linnet.name = "x"},
    %c: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "c"}) -> !linnet.tensor<[2], f32> {
  linnet.return %x : !linnet.tensor<[2], f32>
}
