// RUN: linnet-opt %s --canonicalize | FileCheck %s
// RUN: linnet-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: linnet.func fn @what_changes_nothing_folds(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[2, 3], f32>, %[[C:.*]]: !linnet.tensor<[2, 3], i1>)
// CHECK-NEXT:    linnet.return %[[X]] : !linnet.tensor<[2, 3], f32>
linnet.func fn @what_changes_nothing_folds(%x: !linnet.tensor<[2, 3], f32>, %c: !linnet.tensor<[2, 3], i1>) -> !linnet.tensor<[2, 3], f32> {
  %0 = linnet.reshape %x : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %1 = linnet.broadcast %0 : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %2 = linnet.transpose %1, [0, 1] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %3 = linnet.cast %2 : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %4 = linnet.ascribe %3 code "E2202" : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %5 = linnet.slice %4 starts [0, 0] steps [1, 1] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %6 = linnet.concat %5 axis = 0 : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3], f32>
  %7 = linnet.select %c, %6, %6 : !linnet.tensor<[2, 3], i1>, !linnet.tensor<[2, 3], f32>
  linnet.return %7 : !linnet.tensor<[2, 3], f32>
}

// CHECK-LABEL: linnet.func fn @a_splat_to_a_scalar_folds(
// CHECK-SAME:    %[[S:.*]]: !linnet.tensor<[], f32>)
// CHECK-NEXT:    linnet.return %[[S]] : !linnet.tensor<[], f32>
linnet.func fn @a_splat_to_a_scalar_folds(%s: !linnet.tensor<[], f32>) -> !linnet.tensor<[], f32> {
  %0 = linnet.splat %s : !linnet.tensor<[], f32> -> !linnet.tensor<[], f32>
  linnet.return %0 : !linnet.tensor<[], f32>
}

// A square transposed is not the square.
// CHECK-LABEL: linnet.func fn @what_moves_elements_stays(
// CHECK-NEXT:    linnet.transpose
// CHECK-NEXT:    linnet.slice
// CHECK-NEXT:    linnet.return
linnet.func fn @what_moves_elements_stays(%x: !linnet.tensor<[2, 2], f32>) -> !linnet.tensor<[1, 2], f32> {
  %0 = linnet.transpose %x, [1, 0] : !linnet.tensor<[2, 2], f32> -> !linnet.tensor<[2, 2], f32>
  %1 = linnet.slice %0 starts [1, 0] steps [1, 1] : !linnet.tensor<[2, 2], f32> -> !linnet.tensor<[1, 2], f32>
  linnet.return %1 : !linnet.tensor<[1, 2], f32>
}

// A claim has no value and stays until it is proven.
// CHECK-LABEL: linnet.func fn @a_claim_stays
// CHECK-NEXT:    linnet.require "N > 0" code "E2205"
linnet.func fn @a_claim_stays<N: Dim>() {
  linnet.require "N > 0" code "E2205"
  linnet.return
}

// CHECK-LABEL: linnet.block @b
linnet.block @b {
  linnet.param @w : !linnet.tensor<[2], f32>
  linnet.state @s : !linnet.tensor<[2], f32>

  // Two reads of a state around a write are two values; two of a param are one.
  // CHECK: linnet.func fn @effects_keep_their_order
  // CHECK: linnet.member {{.*}} @s
  // CHECK: linnet.assign_state @s
  // CHECK: linnet.member {{.*}} @s
  linnet.func fn @effects_keep_their_order(%v: !linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32> {
    %i = linnet.self : !linnet.instance<@b>
    %old = linnet.member %i, @s : !linnet.instance<@b> -> !linnet.tensor<[2], f32>
    linnet.assign_state @s, %v : !linnet.tensor<[2], f32>
    %new = linnet.member %i, @s : !linnet.instance<@b> -> !linnet.tensor<[2], f32>
    %0 = linnet.add %old, %new : !linnet.tensor<[2], f32>
    %unused = linnet.member %i, @w : !linnet.instance<@b> -> !linnet.tensor<[2], f32>
    linnet.return %0 : !linnet.tensor<[2], f32>
  }
}
