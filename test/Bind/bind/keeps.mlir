// RUN: linnet-opt %s --linnet-bind="root=Model generics='N=4' optionals='first,second.scale'" --split-input-file | FileCheck %s

// Optional members and subs are decided by the paths that are present: `first` by its
// own path, `second` by that of the parameter that it requires [WGT-4].
linnet.block @"m::Gain"<N: Dim> {
  linnet.param @scale : !linnet.tensor<[N], f32>
  linnet.param @shift : !linnet.optional<!linnet.tensor<[N], f32>>
  linnet.func fn @apply(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32> {
    %self = linnet.self : !linnet.instance<@"m::Gain"<N>>
    %scale = linnet.member %self, @scale : !linnet.instance<@"m::Gain"<N>> -> !linnet.tensor<[N], f32>
    %shift = linnet.member %self, @shift : !linnet.instance<@"m::Gain"<N>> -> !linnet.optional<!linnet.tensor<[N], f32>>
    %y = linnet.mul %x, %scale : !linnet.tensor<[N], f32>
    %r = linnet.match_optional %shift : !linnet.optional<!linnet.tensor<[N], f32>> -> !linnet.tensor<[N], f32> some {
    ^bb0(%s: !linnet.tensor<[N], f32>):
      %z = linnet.add %y, %s : !linnet.tensor<[N], f32>
      linnet.yield %z : !linnet.tensor<[N], f32>
    } none {
      linnet.yield %y : !linnet.tensor<[N], f32>
    }
    linnet.return %r : !linnet.tensor<[N], f32>
  }
}
linnet.block @"m::Model"<N: Dim> {
  linnet.sub_block @first : !linnet.optional<!linnet.instance<@"m::Gain"<N>>>
  linnet.sub_block @second : !linnet.optional<!linnet.instance<@"m::Gain"<N>>>
  linnet.sub_block @third : !linnet.optional<!linnet.instance<@"m::Gain"<N>>>
  linnet.func entry @optional_subs(%x: !linnet.tensor<[N], f32> {linnet.name = "x"}, %o: !linnet.optional<!linnet.tensor<[N], f32>> {linnet.name = "o"}) -> !linnet.tensor<[N], f32> {
    %self = linnet.self : !linnet.instance<@"m::Model"<N>>
    %first = linnet.member %self, @first : !linnet.instance<@"m::Model"<N>> -> !linnet.optional<!linnet.instance<@"m::Gain"<N>>>
    %third = linnet.member %self, @third : !linnet.instance<@"m::Model"<N>> -> !linnet.optional<!linnet.instance<@"m::Gain"<N>>>
    %a = linnet.match_optional %first : !linnet.optional<!linnet.instance<@"m::Gain"<N>>> -> !linnet.tensor<[N], f32> some {
    ^bb0(%g: !linnet.instance<@"m::Gain"<N>>):
      %y = linnet.call_method %g, @apply(%x) : !linnet.instance<@"m::Gain"<N>>, (!linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32>
      linnet.yield %y : !linnet.tensor<[N], f32>
    } none {
      linnet.yield %x : !linnet.tensor<[N], f32>
    }
    %b = linnet.match_optional %third : !linnet.optional<!linnet.instance<@"m::Gain"<N>>> -> !linnet.tensor<[N], f32> some {
    ^bb0(%g: !linnet.instance<@"m::Gain"<N>>):
      %y = linnet.call_method %g, @apply(%a) : !linnet.instance<@"m::Gain"<N>>, (!linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32>
      linnet.yield %y : !linnet.tensor<[N], f32>
    } none {
      %y = linnet.neg %a : !linnet.tensor<[N], f32>
      linnet.yield %y : !linnet.tensor<[N], f32>
    }
    linnet.return %b : !linnet.tensor<[N], f32>
  }
}

// CHECK-LABEL: linnet.func entry @optional_subs(
// CHECK-SAME:    %[[X:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "input", linnet.name = "x"},
// CHECK-SAME:    %[[FIRST:.*]]: !linnet.tensor<[4], f32> {linnet.kind = "param", linnet.optional, linnet.path = "first.scale"},
// CHECK-SAME:    %{{.*}}: !linnet.tensor<[4], f32> {linnet.kind = "param", linnet.optional, linnet.path = "second.scale"})
// CHECK-NEXT:    %[[Y:.*]] = linnet.mul %[[X]], %[[FIRST]]
// CHECK-NEXT:    %[[Z:.*]] = linnet.neg %[[Y]]
// CHECK-NEXT:    linnet.return %[[Z]]

// -----

// A pack index becomes plain ones; positions among shape elements become axes.
linnet.block @"m::Model"<N: Dim, *S: Shape = [2, 3]> {
  linnet.param @first : !linnet.optional<!linnet.tensor<[N], f32>>
  linnet.sub_block @second : !linnet.instance<@"m::Leaf">
  linnet.func entry @packs(%x: !linnet.tensor<[*S, 2 * N], f32>, %i: !linnet.tensor<[], i32>) -> !linnet.tensor<[*S, N], f32> {
    %half = linnet.slice %x starts [0, N] steps [1, 1] : !linnet.tensor<[*S, 2 * N], f32> -> !linnet.tensor<[*S, N], f32>
    %all = linnet.concat %half, %x axis = 1 : !linnet.tensor<[*S, N], f32>, !linnet.tensor<[*S, 2 * N], f32> -> !linnet.tensor<[*S, 3 * N], f32>
    %one = linnet.take %all, %i axis = 1 : !linnet.tensor<[*S, 3 * N], f32>, !linnet.tensor<[], i32> -> !linnet.tensor<[*S], f32>
    %wide = linnet.broadcast %one axes = [0] : !linnet.tensor<[*S], f32> -> !linnet.tensor<[*S, N], f32>
    %y = linnet.comprehension -> !linnet.tensor<[*S, N], f32> {
    ^bb0(%s: !linnet.index<[*S]>, %n: !linnet.index<[N]>):
      %a = linnet.access %wide[%s, %n] : !linnet.tensor<[*S, N], f32>, (!linnet.index<[*S]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
      %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
      ^bb0(%k: !linnet.index<[N]>):
        %b = linnet.access %half[%s, %k] : !linnet.tensor<[*S, N], f32>, (!linnet.index<[*S]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
        linnet.yield %b : !linnet.tensor<[], f32>
      }
      %c = linnet.add %a, %r : !linnet.tensor<[], f32>
      linnet.yield %c : !linnet.tensor<[], f32>
    }
    linnet.return %y : !linnet.tensor<[*S, N], f32>
  }
}
linnet.block @"m::Leaf" {
  linnet.param @scale : !linnet.tensor<[], f32>
}

// CHECK-LABEL: linnet.func entry @packs(
// CHECK-NEXT:    linnet.slice %{{.*}} starts [0, 0, 4] steps [1, 1, 1] : !linnet.tensor<[2, 3, 8], f32> -> !linnet.tensor<[2, 3, 4], f32>
// CHECK-NEXT:    linnet.concat %{{.*}} axis = 2 : !linnet.tensor<[2, 3, 4], f32>, !linnet.tensor<[2, 3, 8], f32> -> !linnet.tensor<[2, 3, 12], f32>
// CHECK-NEXT:    linnet.take %{{.*}} axis = 2 :
// CHECK-NEXT:    linnet.broadcast %{{.*}} axes = [0, 1] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2, 3, 4], f32>
// CHECK-NEXT:    linnet.comprehension -> !linnet.tensor<[2, 3, 4], f32> {
// CHECK-NEXT:    ^bb0(%[[S0:.*]]: !linnet.index<[2]>, %[[S1:.*]]: !linnet.index<[3]>, %[[N:.*]]: !linnet.index<[4]>):
// CHECK-NEXT:      linnet.access %{{.*}}[%[[S0]], %[[S1]], %[[N]]]
// CHECK-NEXT:      linnet.reduce_over sum : !linnet.tensor<[], f32> {
// CHECK-NEXT:      ^bb0(%[[K:.*]]: !linnet.index<[4]>):
// CHECK-NEXT:        linnet.access %{{.*}}[%[[S0]], %[[S1]], %[[K]]]

// -----

// A literal is what its dtype can hold, a dimension becomes a number, an enum's match
// and a tuple leave nothing, and state is read and written through its cell.
linnet.enum @"m::Mode" ["Fast", "Slow"]
linnet.func fn @"m::pick"<T: Float>(%mode: !linnet.enum<@"m::Mode">, %x: !linnet.tensor<[], T: Float>) -> tuple<!linnet.tensor<[], T: Float>, !linnet.tensor<[], T: Float>> {
  %y = linnet.match_enum %mode : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[], T: Float> case "Fast" {
    %c = linnet.constant 1.000000e+10 : !linnet.tensor<[], T: Float>
    linnet.yield %c : !linnet.tensor<[], T: Float>
  } default {
    linnet.yield %x : !linnet.tensor<[], T: Float>
  }
  %t = linnet.tuple %x, %y : tuple<!linnet.tensor<[], T: Float>, !linnet.tensor<[], T: Float>>
  linnet.return %t : tuple<!linnet.tensor<[], T: Float>, !linnet.tensor<[], T: Float>>
}
linnet.block @"m::Model"<N: Dim> {
  linnet.state @last : !linnet.tensor<[], f16>
  linnet.param @first : !linnet.optional<!linnet.tensor<[N], f32>>
  linnet.sub_block @second : !linnet.instance<@"m::Leaf">
  linnet.func entry @literals() -> tuple<!linnet.tensor<[], f16>, !linnet.tensor<[], f16>> {
    %self = linnet.self : !linnet.instance<@"m::Model"<N>>
    %last = linnet.member %self, @last : !linnet.instance<@"m::Model"<N>> -> !linnet.tensor<[], f16>
    %d = linnet.dim_constant "N / 2" : !linnet.tensor<[], f16>
    linnet.assign_state @last, %d : !linnet.tensor<[], f16>
    %fast = linnet.enum_value "Fast" : !linnet.enum<@"m::Mode">
    %t = linnet.call @"m::pick"<f16>(%fast, %last) : (!linnet.enum<@"m::Mode">, !linnet.tensor<[], f16>) -> tuple<!linnet.tensor<[], f16>, !linnet.tensor<[], f16>>
    linnet.return %t : tuple<!linnet.tensor<[], f16>, !linnet.tensor<[], f16>>
  }
}
linnet.block @"m::Leaf" {
  linnet.param @scale : !linnet.tensor<[], f32>
}

// CHECK-LABEL: linnet.func entry @literals(
// CHECK-SAME:    linnet.path = "second.scale"},
// CHECK-SAME:    %[[LAST:.*]]: !linnet.ref<!linnet.tensor<[], f16>> {linnet.kind = "state", linnet.path = "last"})
// CHECK-SAME:    -> (!linnet.tensor<[], f16>, !linnet.tensor<[], f16>)
// CHECK-NEXT:    %[[OLD:.*]] = linnet.read_state %[[LAST]]
// CHECK-NEXT:    %[[D:.*]] = linnet.constant 2.000000e+00 : !linnet.tensor<[], f16>
// CHECK-NEXT:    linnet.write_state %[[LAST]], %[[D]]
// CHECK-NEXT:    %[[C:.*]] = linnet.constant 0x7FF0000000000000 : !linnet.tensor<[], f16>
// CHECK-NEXT:    linnet.return %[[OLD]], %[[C]]
