// RUN: linnet-opt %s --linnet-bind="root=Chain generics='N=4,Layers=2,B=3'" | FileCheck %s

// Two steps of one block: the loop is expanded, the calls are inlined, and each
// member is an argument with its path.
linnet.block @"m::Step"<N: Dim> {
  linnet.param @gain : !linnet.tensor<[N], f32>
  linnet.func fn public @apply<*S: Shape>(%x: !linnet.tensor<[*S, N], f32> {linnet.name = "x"}) -> !linnet.tensor<[*S, N], f32> {
    %self = linnet.self : !linnet.instance<@"m::Step"<N>>
    %gain = linnet.member %self, @gain : !linnet.instance<@"m::Step"<N>> -> !linnet.tensor<[N], f32>
    %wide = linnet.broadcast %gain : !linnet.tensor<[N], f32> -> !linnet.tensor<[*S, N], f32>
    %y = linnet.mul %x, %wide : !linnet.tensor<[*S, N], f32>
    linnet.return %y : !linnet.tensor<[*S, N], f32>
  }
}

linnet.block @"m::Chain"<N: Dim, Layers: Dim> where ["N > 0"] {
  linnet.sub_block @steps : !linnet.array<!linnet.instance<@"m::Step"<N>>, Layers>
  linnet.func entry public @run<B: Dim>(%x: !linnet.tensor<[B, N], f32> {linnet.name = "x"}) -> !linnet.tensor<[B, N], f32> {
    %self = linnet.self : !linnet.instance<@"m::Chain"<N, Layers>>
    %steps = linnet.member %self, @steps : !linnet.instance<@"m::Chain"<N, Layers>> -> !linnet.array<!linnet.instance<@"m::Step"<N>>, Layers>
    %r = linnet.static_for %step in %steps : !linnet.array<!linnet.instance<@"m::Step"<N>>, Layers> iter (%v = %x : !linnet.tensor<[B, N], f32>) {
      %y = linnet.call_method %step, @apply<[B]>(%v) : !linnet.instance<@"m::Step"<N>>, (!linnet.tensor<[B, N], f32>) -> !linnet.tensor<[B, N], f32>
      linnet.yield %y : !linnet.tensor<[B, N], f32>
    }
    linnet.return %r : !linnet.tensor<[B, N], f32>
  }
}

// CHECK-LABEL: linnet.func entry @run(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[3, 4], f32> {linnet.kind = "input", linnet.name = "x"},
// CHECK-SAME:    %[[GAIN0:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "param", linnet.path = "steps.0.gain"},
// CHECK-SAME:    %[[GAIN1:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "param", linnet.path = "steps.1.gain"})
// CHECK-SAME:    linnet.bindings = {B = 3 : i64, Layers = 2 : i64, N = 4 : i64}, linnet.root = "m::Chain"
// CHECK-NEXT:    %[[WIDE0:.*]] = linnet.broadcast %[[GAIN0]] axes = [1] : !linnet.tensor<[4], f32> -> !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[Y0:.*]] = linnet.mul %[[X]], %[[WIDE0]] : !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[WIDE1:.*]] = linnet.broadcast %[[GAIN1]] axes = [1] : !linnet.tensor<[4], f32> -> !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    %[[Y1:.*]] = linnet.mul %[[Y0]], %[[WIDE1]] : !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:    linnet.return %[[Y1]] : !linnet.tensor<[3, 4], f32>
// CHECK-NEXT:  }
// CHECK-NOT:   linnet.block
