// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

linnet.enum @"m::Mode" ["Fast", "Slow"]

// CHECK-LABEL: linnet.func fn @each_variant(
linnet.func fn @each_variant(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // CHECK: linnet.match_enum %{{.*}} : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Fast" {
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Fast" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  // CHECK: } case "Slow" {
  } case "Slow" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_default(
linnet.func fn @a_default(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // CHECK: linnet.match_enum %{{.*}} : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Slow" {
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> case "Slow" {
    linnet.yield %x : !linnet.tensor<[2], f32>
  // CHECK: } default {
  } default {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_default_alone(
linnet.func fn @a_default_alone(%e: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[2], f32>) {
  // CHECK: linnet.match_enum %{{.*}} : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> default {
  %r = linnet.match_enum %e : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[2], f32> default {
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}
