// Matrices that stay floating, each with the reason.
// RUN: linnet-opt %s --linnet-store-weights="dtype=i4 group=64" --split-input-file | FileCheck %s

// CHECK: %arg1: !linnet.tensor<[128, 128], f32> {linnet.kind = "param", linnet.path = "w", linnet.unstored = "it is used along both axes, and groups lie along one at groups-keep.mlir:[[# @LINE + 6]]"}
// CHECK-NOT: ui8
linnet.func entry @used_both_ways(
    %x: !linnet.tensor<[2, 128], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[128, 128], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[2, 128], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 128], f32>, !linnet.tensor<[128, 128], f32> -> !linnet.tensor<[2, 128], f32>
  %1 = linnet.contract %0, %w batch [] x [] contract [1] x [0] : !linnet.tensor<[2, 128], f32>, !linnet.tensor<[128, 128], f32> -> !linnet.tensor<[2, 128], f32>
  linnet.return %1 : !linnet.tensor<[2, 128], f32>
}

// -----

// CHECK: linnet.unstored = "its sums over 24 elements have no whole groups of 16"
// CHECK-NOT: ui8
linnet.func entry @no_whole_groups(
    %x: !linnet.tensor<[2, 24], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 24], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 24], f32>, !linnet.tensor<[5, 24], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %0 : !linnet.tensor<[2, 5], f32>
}

// -----

// CHECK: linnet.unstored = "it has 3 axes, and only matrices are quantised"
// CHECK-NOT: ui8
linnet.func entry @three_axes(
    %x: !linnet.tensor<[2, 3, 64], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[2, 5, 64], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[2, 3, 5], f32> {
  %0 = linnet.contract %x, %w batch [0] x [0] contract [2] x [2] : !linnet.tensor<[2, 3, 64], f32>, !linnet.tensor<[2, 5, 64], f32> -> !linnet.tensor<[2, 3, 5], f32>
  linnet.return %0 : !linnet.tensor<[2, 3, 5], f32>
}

// -----

// Part of a row is no whole number of groups.
// CHECK: linnet.unstored = "it is used along both axes
// CHECK-NOT: ui8
linnet.func entry @part_of_a_row(
    %w: !linnet.tensor<[8, 64], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[8, 32], f32> {
  %0 = linnet.slice %w starts [0, 32] steps [1, 1] : !linnet.tensor<[8, 64], f32> -> !linnet.tensor<[8, 32], f32>
  linnet.return %0 : !linnet.tensor<[8, 32], f32>
}
