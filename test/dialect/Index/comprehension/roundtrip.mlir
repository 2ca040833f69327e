// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @one_axis_for_each_index<
linnet.func fn @one_axis_for_each_index<N: Dim, M: Dim>(%x: !linnet.tensor<[N, M], f32>, %n: !linnet.tensor<[], i32>) {
  // CHECK: linnet.comprehension -> !linnet.tensor<[N], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_pack_index_gives_its_axes<
linnet.func fn @a_pack_index_gives_its_axes<*S: Shape>(%z: !linnet.tensor<[*S, 2], f32>) {
  // CHECK: linnet.comprehension -> !linnet.tensor<[*S, 2], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[*S, 2], f32> {
  ^bb0(%s: !linnet.index<[*S]>, %k: !linnet.index<[2]>):
    %v = linnet.access %z[%s, %k] : !linnet.tensor<[*S, 2], f32>, (!linnet.index<[*S]>, !linnet.index<[2]>) -> !linnet.tensor<[], f32>
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @no_index_gives_a_scalar(
linnet.func fn @no_index_gives_a_scalar(%v: !linnet.tensor<[], f32>) {
  // CHECK: linnet.comprehension -> !linnet.tensor<[], f32> {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}
