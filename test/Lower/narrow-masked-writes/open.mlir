// RUN: linnet-opt %s --linnet-narrow-masked-writes --split-input-file | FileCheck %s

// The span has an open size: the update has it too, and starts where it fits.
// CHECK-LABEL: @span
// CHECK:       %[[LAST:.*]] = linnet.dim_constant "16 - N" : !linnet.tensor<[], i64>
// CHECK:       linnet.min %{{.*}}, %[[LAST]]
// CHECK:       linnet.update_slice %arg0, %{{.*}} at [%{{.*}}] : !linnet.tensor<[16], f32>, !linnet.tensor<[N], f32>
linnet.func entry @span<N: Dim>(%cache: !linnet.tensor<[16], f32>, %value: !linnet.tensor<[16], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[16], f32> where ["N > 0", "N <= 16"] attributes {linnet.ranges = {N = array<i64: 1, 16>}} {
  %places = linnet.iota axis = 0 : !linnet.tensor<[16], i32>
  %ats = linnet.splat %at : !linnet.tensor<[], i32> -> !linnet.tensor<[16], i32>
  %offsets = linnet.sub %places, %ats : !linnet.tensor<[16], i32>
  %zeros = linnet.constant 0 : !linnet.tensor<[16], i32>
  %n = linnet.dim_constant N : !linnet.tensor<[], i32>
  %ns = linnet.splat %n : !linnet.tensor<[], i32> -> !linnet.tensor<[16], i32>
  %low = linnet.compare ge %offsets, %zeros : !linnet.tensor<[16], i32>
  %high = linnet.compare lt %offsets, %ns : !linnet.tensor<[16], i32>
  %inside = linnet.and %low, %high : !linnet.tensor<[16], i1>
  %r = linnet.select %inside, %value, %cache : !linnet.tensor<[16], i1>, !linnet.tensor<[16], f32>
  linnet.return %r : !linnet.tensor<[16], f32>
}

// -----

// It may be longer than the axis: all of the axis is written.
// CHECK-LABEL: @too_long
// CHECK-NOT:   linnet.update_slice
// CHECK:       linnet.select
linnet.func entry @too_long<N: Dim>(%cache: !linnet.tensor<[16], f32>, %value: !linnet.tensor<[16], f32>, %at: !linnet.tensor<[], i32>) -> !linnet.tensor<[16], f32> where ["N > 0"] attributes {linnet.ranges = {N = array<i64: 1, 2147483647>}} {
  %places = linnet.iota axis = 0 : !linnet.tensor<[16], i32>
  %ats = linnet.splat %at : !linnet.tensor<[], i32> -> !linnet.tensor<[16], i32>
  %offsets = linnet.sub %places, %ats : !linnet.tensor<[16], i32>
  %zeros = linnet.constant 0 : !linnet.tensor<[16], i32>
  %n = linnet.dim_constant N : !linnet.tensor<[], i32>
  %ns = linnet.splat %n : !linnet.tensor<[], i32> -> !linnet.tensor<[16], i32>
  %low = linnet.compare ge %offsets, %zeros : !linnet.tensor<[16], i32>
  %high = linnet.compare lt %offsets, %ns : !linnet.tensor<[16], i32>
  %inside = linnet.and %low, %high : !linnet.tensor<[16], i1>
  %r = linnet.select %inside, %value, %cache : !linnet.tensor<[16], i1>, !linnet.tensor<[16], f32>
  linnet.return %r : !linnet.tensor<[16], f32>
}
