// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @sum_over_axes(
linnet.func fn @sum_over_axes(%x: !linnet.tensor<[2, 3, 4], f32>) {
  // CHECK: linnet.reduce sum %{{.*}} axes [0, 2] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[3], f32>
  %y = linnet.reduce sum %x axes [0, 2] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[3], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @prod_over_axes(
linnet.func fn @prod_over_axes(%x: !linnet.tensor<[2, 3, 4], i32>) {
  // CHECK: linnet.reduce prod %{{.*}} axes [0, 2] : !linnet.tensor<[2, 3, 4], i32> -> !linnet.tensor<[3], i32>
  %y = linnet.reduce prod %x axes [0, 2] : !linnet.tensor<[2, 3, 4], i32> -> !linnet.tensor<[3], i32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @max_over_axes(
linnet.func fn @max_over_axes(%x: !linnet.tensor<[2, 3, 4], f32>) {
  // CHECK: linnet.reduce max %{{.*}} axes [0, 2] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[3], f32>
  %y = linnet.reduce max %x axes [0, 2] : !linnet.tensor<[2, 3, 4], f32> -> !linnet.tensor<[3], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @min_over_axes(
linnet.func fn @min_over_axes(%x: !linnet.tensor<[2, 3, 4], ui8>) {
  // CHECK: linnet.reduce min %{{.*}} axes [0, 2] : !linnet.tensor<[2, 3, 4], ui8> -> !linnet.tensor<[3], ui8>
  %y = linnet.reduce min %x axes [0, 2] : !linnet.tensor<[2, 3, 4], ui8> -> !linnet.tensor<[3], ui8>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @any_over_axes(
linnet.func fn @any_over_axes(%x: !linnet.tensor<[2, 3, 4], i1>) {
  // CHECK: linnet.reduce any %{{.*}} axes [0, 2] : !linnet.tensor<[2, 3, 4], i1> -> !linnet.tensor<[3], i1>
  %y = linnet.reduce any %x axes [0, 2] : !linnet.tensor<[2, 3, 4], i1> -> !linnet.tensor<[3], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @all_over_axes(
linnet.func fn @all_over_axes(%x: !linnet.tensor<[2, 3, 4], i1>) {
  // CHECK: linnet.reduce all %{{.*}} axes [0, 2] : !linnet.tensor<[2, 3, 4], i1> -> !linnet.tensor<[3], i1>
  %y = linnet.reduce all %x axes [0, 2] : !linnet.tensor<[2, 3, 4], i1> -> !linnet.tensor<[3], i1>
  linnet.return
}
