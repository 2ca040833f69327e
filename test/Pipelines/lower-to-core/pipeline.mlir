// RUN: linnet-opt %s --linnet-lower-to-core="root=M generics='N=4'" | FileCheck %s
// RUN: linnet-opt %s --pass-pipeline="builtin.module(linnet-lower-to-core{root=M entries=step generics=N=4})" | FileCheck %s

// The parts in order: generics are bound, the range is unrolled, state is threaded.
// CHECK-LABEL: linnet.func entry @step(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "input", linnet.name = "x"},
// CHECK-SAME:    %[[S:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "state", linnet.path = "sum"})
// CHECK-SAME:    -> (!linnet.tensor<[4], f32>, !linnet.tensor<[4], f32> {linnet.kind = "state", linnet.path = "sum"})
// CHECK:         %[[S0:.*]] = linnet.add %[[S]], %[[X]] : !linnet.tensor<[4], f32>
// CHECK:         %[[S1:.*]] = linnet.add %[[S0]], %[[X]] : !linnet.tensor<[4], f32>
// CHECK:         linnet.return %[[S]], %[[S1]] : !linnet.tensor<[4], f32>, !linnet.tensor<[4], f32>
linnet.block @"m::M"<N: Dim> {
  linnet.state @sum : !linnet.tensor<[N], f32>
  linnet.func entry @step(%x: !linnet.tensor<[N], f32> {linnet.name = "x"}) -> !linnet.tensor<[N], f32> {
    %self = linnet.self : !linnet.instance<@"m::M"<N>>
    %before = linnet.member %self, @sum : !linnet.instance<@"m::M"<N>> -> !linnet.tensor<[N], f32>
    linnet.static_range %i = 0 to "N / 2" iter () {
      %old = linnet.member %self, @sum : !linnet.instance<@"m::M"<N>> -> !linnet.tensor<[N], f32>
      %new = linnet.add %old, %x : !linnet.tensor<[N], f32>
      linnet.assign_state @sum, %new : !linnet.tensor<[N], f32>
      linnet.yield
    }
    linnet.return %before : !linnet.tensor<[N], f32>
  }
}
