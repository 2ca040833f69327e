// RUN: linnet-opt %s --linnet-bind="root=Model generics='N=4' keep=calls" | FileCheck %s
// RUN: linnet-opt %s --linnet-bind="root=Model generics='N=4' keep=ops" | FileCheck %s --check-prefix=OPS
// RUN: linnet-opt %s --linnet-bind="root=Model generics='N=4' keep=calls" --linnet-inline-scopes | FileCheck %s --check-prefix=FLAT
// RUN: not linnet-opt %s --linnet-bind="root=Model generics='N=4' keep=all" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: [usage] `keep` is `calls` or `ops`, not `all`

// Tuples and optionals come apart into operands and results. A call that gives no tensor
// and a call in index notation are no scopes.
linnet.enum @"m::Mode" ["Fast", "Slow"]
linnet.func fn @"m::fast"() -> !linnet.enum<@"m::Mode"> {
  %e = linnet.enum_value "Fast" : !linnet.enum<@"m::Mode">
  linnet.return %e : !linnet.enum<@"m::Mode">
}
linnet.func op @"m::square"<*S: Shape>(%x: !linnet.tensor<[*S], f32> {linnet.name = "x"}) -> !linnet.tensor<[*S], f32> {
  %y = linnet.mul %x, %x : !linnet.tensor<[*S], f32>
  linnet.return %y : !linnet.tensor<[*S], f32>
}
linnet.func fn @"m::swap"<N: Dim>(%p: tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], f32>> {linnet.name = "p"}, %o: !linnet.optional<!linnet.tensor<[N], f32>> {linnet.name = "o"}) -> tuple<!linnet.tensor<[], f32>, !linnet.tensor<[N], f32>> {
  %a, %b = linnet.untuple %p : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], f32>>
  %c = linnet.match_optional %o : !linnet.optional<!linnet.tensor<[N], f32>> -> !linnet.tensor<[N], f32> some {
  ^bb0(%v: !linnet.tensor<[N], f32>):
    %d = linnet.add %a, %v : !linnet.tensor<[N], f32>
    linnet.yield %d : !linnet.tensor<[N], f32>
  } none {
    linnet.yield %a : !linnet.tensor<[N], f32>
  }
  %t = linnet.tuple %b, %c : tuple<!linnet.tensor<[], f32>, !linnet.tensor<[N], f32>>
  linnet.return %t : tuple<!linnet.tensor<[], f32>, !linnet.tensor<[N], f32>>
}
linnet.block @"m::Gain"<N: Dim> {
  linnet.param @scale : !linnet.tensor<[N], f32>
  linnet.func fn @apply<M: Dim>(%x: !linnet.tensor<[M, N], f32> {linnet.name = "x"}) -> !linnet.tensor<[M, N], f32> {
    %self = linnet.self : !linnet.instance<@"m::Gain"<N>>
    %scale = linnet.member %self, @scale : !linnet.instance<@"m::Gain"<N>> -> !linnet.tensor<[N], f32>
    %wide = linnet.broadcast %scale : !linnet.tensor<[N], f32> -> !linnet.tensor<[M, N], f32>
    %y = linnet.mul %x, %wide : !linnet.tensor<[M, N], f32>
    linnet.return %y : !linnet.tensor<[M, N], f32>
  }
}
linnet.block @"m::Model"<N: Dim> {
  linnet.sub_block @gain : !linnet.instance<@"m::Gain"<N>>
  linnet.func entry @main(%x: !linnet.tensor<[N], f32> {linnet.name = "x"}, %s: !linnet.tensor<[], f32> {linnet.name = "s"}) -> !linnet.tensor<[N], f32> {
    %self = linnet.self : !linnet.instance<@"m::Model"<N>>
    %gain = linnet.member %self, @gain : !linnet.instance<@"m::Model"<N>> -> !linnet.instance<@"m::Gain"<N>>
    %mode = linnet.call @"m::fast"() : () -> !linnet.enum<@"m::Mode">
    %o = linnet.some %x : !linnet.tensor<[N], f32>
    %p = linnet.tuple %x, %s : tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], f32>>
    %q = linnet.call @"m::swap"<N>(%p, %o) : (tuple<!linnet.tensor<[N], f32>, !linnet.tensor<[], f32>>, !linnet.optional<!linnet.tensor<[N], f32>>) -> tuple<!linnet.tensor<[], f32>, !linnet.tensor<[N], f32>>
    %a, %b = linnet.untuple %q : tuple<!linnet.tensor<[], f32>, !linnet.tensor<[N], f32>>
    %row = linnet.reshape %b : !linnet.tensor<[N], f32> -> !linnet.tensor<[1, N], f32>
    %y = linnet.call_method %gain, @apply<1>(%row) : !linnet.instance<@"m::Gain"<N>>, (!linnet.tensor<[1, N], f32>) -> !linnet.tensor<[1, N], f32>
    %z = linnet.call @"m::square"<[1, N]>(%y) : (!linnet.tensor<[1, N], f32>) -> !linnet.tensor<[1, N], f32>
    %r = linnet.comprehension -> !linnet.tensor<[N], f32> {
    ^bb0(%i: !linnet.index<[N]>):
      %v = linnet.access %b[%i] : !linnet.tensor<[N], f32>, (!linnet.index<[N]>) -> !linnet.tensor<[], f32>
      %w = linnet.call @"m::square"<[]>(%v) : (!linnet.tensor<[], f32>) -> !linnet.tensor<[], f32>
      linnet.yield %w : !linnet.tensor<[], f32>
    }
    %flat = linnet.reshape %z : !linnet.tensor<[1, N], f32> -> !linnet.tensor<[N], f32>
    %sum = linnet.add %r, %flat : !linnet.tensor<[N], f32>
    linnet.return %sum : !linnet.tensor<[N], f32>
  }
}

// CHECK-LABEL: linnet.func entry @main(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "input", linnet.name = "x"}, %[[S:.*]]: !linnet.tensor<[], f32> {{.*}}, %[[SCALE:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "param", linnet.path = "gain.scale"})
// CHECK-NEXT:    %[[Q:.*]]:2 = linnet.scope fn "m::swap" (%[[P0:.*]] = %[[X]] : !linnet.tensor<[4], f32>, %[[P1:.*]] = %[[S]] : !linnet.tensor<[], f32>, %[[O:.*]] = %[[X]] : !linnet.tensor<[4], f32>) -> (!linnet.tensor<[], f32>, !linnet.tensor<[4], f32>) attributes {generics = ["N=4"], names = ["p.0", "p.1", "o"]} {
// CHECK-NEXT:      %[[D:.*]] = linnet.add %[[P0]], %[[O]] : !linnet.tensor<[4], f32>
// CHECK-NEXT:      linnet.yield %[[P1]], %[[D]] : !linnet.tensor<[], f32>, !linnet.tensor<[4], f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[ROW:.*]] = linnet.reshape %[[Q]]#1
// CHECK-NEXT:    %[[Y:.*]] = linnet.scope method "m::Gain.apply" at "gain" (%[[A:.*]] = %[[ROW]] : !linnet.tensor<[1, 4], f32>) -> !linnet.tensor<[1, 4], f32> attributes {generics = ["N=4", "M=1"], names = ["x"]} {
// CHECK-NEXT:      %[[WIDE:.*]] = linnet.broadcast %[[SCALE]] axes = [1]
// CHECK-NEXT:      %[[M:.*]] = linnet.mul %[[A]], %[[WIDE]]
// CHECK-NEXT:      linnet.yield %[[M]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linnet.scope op "m::square" (%{{.*}} = %[[Y]] : !linnet.tensor<[1, 4], f32>) -> !linnet.tensor<[1, 4], f32> attributes {generics = ["S=[1, 4]"], names = ["x"]} {
// CHECK:         linnet.comprehension
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      %[[V:.*]] = linnet.access
// CHECK-NEXT:      linnet.mul %[[V]], %[[V]]

// OPS-LABEL: linnet.func entry @main(
// OPS-NOT:     linnet.scope fn
// OPS-NOT:     linnet.scope method
// OPS:         linnet.scope op "m::square"
// OPS-NOT:     linnet.scope

// FLAT-LABEL: linnet.func entry @main(
// FLAT-NOT:     linnet.scope
// FLAT:         linnet.return
