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

// CHECK-LABEL: linnet.block @"m::B"
linnet.block @"m::B"<N: Dim> {
  linnet.func fn @twice(%v: !linnet.tensor<[], f32>) -> !linnet.tensor<[], f32> {
    %0 = linnet.add %v, %v : !linnet.tensor<[], f32>
    linnet.return %0 : !linnet.tensor<[], f32>
  }
  // CHECK: linnet.func fn @a_method_is_called_for_each_element(
  linnet.func fn @a_method_is_called_for_each_element(%x: !linnet.tensor<[N], f32>) {
    %self = linnet.self : !linnet.instance<@"m::B"<N>>
    // CHECK: linnet.comprehension -> !linnet.tensor<[N], f32> {
    %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
    ^bb0(%i: !linnet.index<[N]>):
      %v = linnet.access %x[%i] : !linnet.tensor<[N], f32>, (!linnet.index<[N]>) -> !linnet.tensor<[], f32>
      // CHECK: linnet.call_method
      %w = linnet.call_method %self, @twice(%v) : !linnet.instance<@"m::B"<N>>, (!linnet.tensor<[], f32>) -> !linnet.tensor<[], f32>
      linnet.yield %w : !linnet.tensor<[], f32>
    }
    linnet.return
  }
}
