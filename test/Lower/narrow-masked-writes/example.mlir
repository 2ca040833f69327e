// RUN: linnet-opt %s --linnet-narrow-masked-writes --cse | FileCheck %s

// One position, the same for every row: `select(places == at, value, cache)`.
// CHECK-LABEL: linnet.func fn @one_position(
// CHECK-SAME:    %[[CACHE:.*]]: !linnet.tensor<[8, 2], f32>, %{{.*}}: !linnet.tensor<[2], f32>, %[[AT:.*]]: !linnet.tensor<[], i32>
// CHECK:         %[[LOW:.*]] = linnet.min %[[AT]]
// CHECK:         %[[START:.*]] = linnet.max %[[LOW]]
// CHECK:         %[[BLOCK:.*]] = linnet.select {{.*}} : !linnet.tensor<[1, 2], i1>, !linnet.tensor<[1, 2], f32>
// CHECK:         %[[NEW:.*]] = linnet.update_slice %[[CACHE]], %[[BLOCK]] at [%[[START]], %{{.*}}]
// CHECK-NEXT:    linnet.return %[[NEW]]
linnet.func fn @one_position(%cache: !linnet.tensor<[8, 2], f32>, %value: !linnet.tensor<[2], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[8, 2], f32> {
  %places = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
  %all = linnet.broadcast %at axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
  %here = linnet.compare eq %places, %all : !linnet.tensor<[8], i32>
  %mask = linnet.broadcast %here axes = [0] : !linnet.tensor<[8], i1> -> !linnet.tensor<[8, 2], i1>
  %new = linnet.broadcast %value axes = [1] : !linnet.tensor<[2], f32> -> !linnet.tensor<[8, 2], f32>
  %y = linnet.select %mask, %new, %cache : !linnet.tensor<[8, 2], i1>, !linnet.tensor<[8, 2], f32>
  linnet.return %y : !linnet.tensor<[8, 2], f32>
}

// A span of three positions from `at` on.
// CHECK-LABEL: linnet.func fn @span(
// CHECK-SAME:    %[[CACHE:.*]]: !linnet.tensor<[8], f32>
// CHECK:         %[[BLOCK:.*]] = linnet.select {{.*}} : !linnet.tensor<[3], i1>, !linnet.tensor<[3], f32>
// CHECK-NEXT:    %[[NEW:.*]] = linnet.update_slice %[[CACHE]], %[[BLOCK]]
// CHECK-NEXT:    linnet.return %[[NEW]]
linnet.func fn @span(%cache: !linnet.tensor<[8], f32>, %value: !linnet.tensor<[3], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[8], f32> {
  %places = linnet.iota axis = 0 : !linnet.tensor<[8], i32>
  %all = linnet.broadcast %at axes = [] : !linnet.tensor<[], i32> -> !linnet.tensor<[8], i32>
  %offsets = linnet.sub %places, %all : !linnet.tensor<[8], i32>
  %zero = linnet.constant 0 : !linnet.tensor<[8], i32>
  %three = linnet.constant 3 : !linnet.tensor<[8], i32>
  %low = linnet.compare ge %offsets, %zero : !linnet.tensor<[8], i32>
  %high = linnet.compare lt %offsets, %three : !linnet.tensor<[8], i32>
  %mask = linnet.and %low, %high : !linnet.tensor<[8], i1>
  %new = linnet.take %value, %offsets axis = 0 : !linnet.tensor<[3], f32>, !linnet.tensor<[8], i32> -> !linnet.tensor<[8], f32>
  %y = linnet.select %mask, %new, %cache : !linnet.tensor<[8], i1>, !linnet.tensor<[8], f32>
  linnet.return %y : !linnet.tensor<[8], f32>
}

// A position of its own for each of two rows: one update a row.
// CHECK-LABEL: linnet.func fn @position_by_row(
// CHECK-SAME:    %[[CACHE:.*]]: !linnet.tensor<[2, 8], f32>
// CHECK:         %[[FIRST:.*]] = linnet.update_slice %[[CACHE]], {{.*}} : !linnet.tensor<[2, 8], f32>, !linnet.tensor<[1, 1], f32>
// CHECK:         %[[SECOND:.*]] = linnet.update_slice %[[FIRST]], {{.*}} : !linnet.tensor<[2, 8], f32>, !linnet.tensor<[1, 1], f32>
// CHECK-NEXT:    linnet.return %[[SECOND]]
linnet.func fn @position_by_row(%cache: !linnet.tensor<[2, 8], f32>, %value: !linnet.tensor<[2], f32>, %at: !linnet.tensor<[2], i32>) -> !linnet.tensor<[2, 8], f32> {
  %places = linnet.iota axis = 1 : !linnet.tensor<[2, 8], i32>
  %all = linnet.broadcast %at axes = [0] : !linnet.tensor<[2], i32> -> !linnet.tensor<[2, 8], i32>
  %mask = linnet.compare eq %places, %all : !linnet.tensor<[2, 8], i32>
  %new = linnet.broadcast %value axes = [0] : !linnet.tensor<[2], f32> -> !linnet.tensor<[2, 8], f32>
  %y = linnet.select %mask, %new, %cache : !linnet.tensor<[2, 8], i1>, !linnet.tensor<[2, 8], f32>
  linnet.return %y : !linnet.tensor<[2, 8], f32>
}

// Rows named by slots: one update a slot.
// CHECK-LABEL: linnet.func fn @rows_by_slot(
// CHECK-SAME:    %[[CACHE:.*]]: !linnet.tensor<[4, 5], f32>
// CHECK:         %[[FIRST:.*]] = linnet.update_slice %[[CACHE]], {{.*}} : !linnet.tensor<[4, 5], f32>, !linnet.tensor<[1, 5], f32>
// CHECK:         %[[SECOND:.*]] = linnet.update_slice %[[FIRST]], {{.*}} : !linnet.tensor<[4, 5], f32>, !linnet.tensor<[1, 5], f32>
// CHECK-NEXT:    linnet.return %[[SECOND]]
linnet.func fn @rows_by_slot(%cache: !linnet.tensor<[4, 5], f32>, %value: !linnet.tensor<[5], f32>, %slots: !linnet.tensor<[2], i32>) -> !linnet.tensor<[4, 5], f32> {
  %rows = linnet.iota axis = 0 : !linnet.tensor<[4, 2], i32>
  %wanted = linnet.broadcast %slots axes = [1] : !linnet.tensor<[2], i32> -> !linnet.tensor<[4, 2], i32>
  %equal = linnet.compare eq %wanted, %rows : !linnet.tensor<[4, 2], i32>
  %named = linnet.reduce any %equal axes [1] : !linnet.tensor<[4, 2], i1> -> !linnet.tensor<[4], i1>
  %mask = linnet.broadcast %named axes = [0] : !linnet.tensor<[4], i1> -> !linnet.tensor<[4, 5], i1>
  %new = linnet.broadcast %value axes = [1] : !linnet.tensor<[5], f32> -> !linnet.tensor<[4, 5], f32>
  %y = linnet.select %mask, %new, %cache : !linnet.tensor<[4, 5], i1>, !linnet.tensor<[4, 5], f32>
  linnet.return %y : !linnet.tensor<[4, 5], f32>
}
