// Every op once, at the level it belongs to: text and generic form read back alike.
// RUN: linnet-opt %s -o %t.once
// RUN: linnet-opt %t.once | diff %t.once -
// RUN: linnet-opt %t.once --mlir-print-op-generic | linnet-opt | diff %t.once -

linnet.enum @"m::Mode" ["Fast", "Slow"]
linnet.block @"m::Linear"<In: Dim, Out: Dim, T: Float = f32> where ["In > 0", "Out % 2 == 0"] {
  linnet.param @weight : !linnet.tensor<[Out, In], T: Float>
  linnet.param @bias : !linnet.optional<!linnet.tensor<[Out], T: Float>>
  linnet.buffer @b : !linnet.tensor<[3 * In / 2], T: Float>
  linnet.state @s : !linnet.tensor<[In % 2, min(In, Out)], T: Float>
  linnet.func fn public @forward<*S: Shape>(%x: !linnet.tensor<[*S, In], T: Float> {linnet.name = "x"}) -> !linnet.tensor<[*S, In], T: Float> where ["Out > 0"] {
    %i = linnet.self : !linnet.instance<@"m::Linear"<In, Out, T: Float>>
    %w = linnet.member %i, @weight : !linnet.instance<@"m::Linear"<In, Out, T: Float>> -> !linnet.tensor<[Out, In], T: Float>
    %s = linnet.member %i, @s : !linnet.instance<@"m::Linear"<In, Out, T: Float>> -> !linnet.tensor<[In % 2, min(In, Out)], T: Float>
    linnet.assign_state @s, %s : !linnet.tensor<[In % 2, min(In, Out)], T: Float>
    linnet.require "In + 1 <= Out" code "E2205"
    linnet.return %x : !linnet.tensor<[*S, In], T: Float>
  }
}
linnet.block @"m::Top"<N: Dim = 4, *S: Shape = [2, N]> {
  linnet.sub_block @l : !linnet.array<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>, N>
  linnet.sub_block @o : !linnet.optional<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>>
  linnet.func entry @main(%x: !linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32> {
    %i = linnet.self : !linnet.instance<@"m::Top"<N, [*S]>>
    %l = linnet.member %i, @l : !linnet.instance<@"m::Top"<N, [*S]>> -> !linnet.array<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>, N>
    %e = linnet.element %l["N - 1"] : !linnet.array<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>, N> -> !linnet.instance<@"m::Linear"<N, 2 * N, f32>>
    %y = linnet.call_method %e, @forward<[*S]>(%x) : !linnet.instance<@"m::Linear"<N, 2 * N, f32>>, (!linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32>
    %r = linnet.static_for %layer in %l : !linnet.array<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>, N> iter (%c = %y : !linnet.tensor<[*S, N], f32>) {
      %z = linnet.call_method %layer, @forward<[*S]>(%c) : !linnet.instance<@"m::Linear"<N, 2 * N, f32>>, (!linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32>
      linnet.yield %z : !linnet.tensor<[*S, N], f32>
    }
    %q = linnet.call @"m::f"<N, "3 * N", [*S], [*S, 2, "2 * N"], f32, i32>(%r) : (!linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32>
    %ot = linnet.member %i, @o : !linnet.instance<@"m::Top"<N, [*S]>> -> !linnet.optional<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>>
    %m = linnet.match_optional %ot : !linnet.optional<!linnet.instance<@"m::Linear"<N, 2 * N, f32>>> -> !linnet.tensor<[*S, N], f32> some {
    ^bb0(%v: !linnet.instance<@"m::Linear"<N, 2 * N, f32>>):
      linnet.yield %q : !linnet.tensor<[*S, N], f32>
    } none {
      linnet.yield %x : !linnet.tensor<[*S, N], f32>
    }
    linnet.return %m : !linnet.tensor<[*S, N], f32>
  }
}
linnet.func op @"m::f"<N: Dim, M: Dim, *S: Shape, *R: Shape, T: Float, U: Integer>(%x: !linnet.tensor<[*S, N], T: Float>) -> !linnet.tensor<[*S, N], T: Float> where ["M >= N"] {
  linnet.return %x : !linnet.tensor<[*S, N], T: Float>
}
linnet.func fn @g<N: Dim, M: Dim>(%x: !linnet.tensor<[N, M], f32>, %b: !linnet.tensor<[], i1>, %n: !linnet.tensor<[], i32>) -> tuple<!linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>> {
  %c = linnet.constant 0.5 : !linnet.tensor<[], f32>
  %c1 = linnet.constant -3 : !linnet.tensor<[], f32>
  %c2 = linnet.constant true : !linnet.tensor<[], i1>
  %c3 = linnet.constant -1.0e-30 : !linnet.tensor<[], f32>
  %c4 = linnet.constant 0x7FF0000000000000 : !linnet.tensor<[2, 3], f32>
  %d = linnet.dim_constant "N / M" : !linnet.tensor<[], f32>
  %io = linnet.iota axis = 0 : !linnet.tensor<[N], i64>
  %sp = linnet.splat %c : !linnet.tensor<[], f32> -> !linnet.tensor<[N, M], f32>
  %a = linnet.add %x, %sp : !linnet.tensor<[N, M], f32>
  %ex = linnet.exp %a : !linnet.tensor<[N, M], f32>
  %cmp = linnet.compare lt %a, %ex : !linnet.tensor<[N, M], f32>
  %sel = linnet.select %cmp, %a, %ex : !linnet.tensor<[N, M], i1>, !linnet.tensor<[N, M], f32>
  %r = linnet.reshape %sel : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[N * M], f32>
  %t = linnet.transpose %sel, [1, 0] : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[M, N], f32>
  %br = linnet.broadcast %sel : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[2, N, M], f32>
  %br2 = linnet.broadcast %sel axes = [0, 2] : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[N, 2, M], f32>
  %sl = linnet.slice %sel starts [0, "2 * N"] steps [1, 2] {linnet.claim = 3 : i64} : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[N, 1], f32>
  %cc = linnet.concat %sel, %sel axis = 0 : !linnet.tensor<[N, M], f32>, !linnet.tensor<[N, M], f32> -> !linnet.tensor<[2 * N, M], f32>
  %tk = linnet.take %sel, %io axis = 1 : !linnet.tensor<[N, M], f32>, !linnet.tensor<[N], i64> -> !linnet.tensor<[N, N], f32>
  %us = linnet.update_slice %sel, %sl at [%n, %n] : !linnet.tensor<[N, M], f32>, !linnet.tensor<[N, 1], f32>, !linnet.tensor<[], i32>
  %ct = linnet.contract %sel, %sel batch [0] x [0] contract [1] x [1] : !linnet.tensor<[N, M], f32>, !linnet.tensor<[N, M], f32> -> !linnet.tensor<[N], f32>
  %rd = linnet.reduce sum %sel axes [1] : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[N], f32>
  %as = linnet.ascribe %sel code "E2202" : !linnet.tensor<[N, M], f32> -> !linnet.tensor<[M, N], f32>
  %co = linnet.comprehension -> !linnet.tensor<[N, M], f32> {
  ^bb0(%i: !linnet.index<[N]>, %j: !linnet.index<[M]>):
    %v = linnet.access %sel[%i, %n] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    %s = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      %w = linnet.access %sel[%k, %j] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.index<[M]>) -> !linnet.tensor<[], f32>
      linnet.yield %w : !linnet.tensor<[], f32>
    }
    %u = linnet.add %v, %s : !linnet.tensor<[], f32>
    linnet.yield %u : !linnet.tensor<[], f32>
  }
  %if:2 = linnet.if %b -> !linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32> attributes {linnet.claim = 1 : i64} {
    linnet.yield %co, %n : !linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>
  } else {
    linnet.yield %x, %n : !linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>
  }
  %wh:2 = linnet.while (%p = %if#0 : !linnet.tensor<[N, M], f32>, %q = %if#1 : !linnet.tensor<[], i32>) {
    linnet.condition %b
  } do {
  ^bb0(%p1: !linnet.tensor<[N, M], f32>, %q1: !linnet.tensor<[], i32>):
    linnet.yield %p1, %q1 : !linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>
  }
  %sr = linnet.static_range %i = 0 to "N / 2" iter (%p = %wh#0 : !linnet.tensor<[N, M], f32>) {
    linnet.yield %p : !linnet.tensor<[N, M], f32>
  }
  %fo:2 = linnet.for %i = 0 to N iter (%p = %sr : !linnet.tensor<[N, M], f32>) stack (!linnet.tensor<[N], i64>) {
    linnet.yield %p, %i : !linnet.tensor<[N, M], f32>, !linnet.tensor<[], i64>
  }
  %sc = linnet.scope method "m::Linear.forward" at "l.0" (%x1 = %fo#0 : !linnet.tensor<[N, M], f32>) -> !linnet.tensor<[N, M], f32> attributes {generics = ["In=N"], names = ["x"]} {
    linnet.yield %x1 : !linnet.tensor<[N, M], f32>
  }
  %cs = linnet.cumsum %fo#0 axis = 1 : !linnet.tensor<[N, M], f32>
  %ev = linnet.enum_value "Fast" : !linnet.enum<@"m::Mode">
  %me = linnet.match_enum %ev : !linnet.enum<@"m::Mode"> -> !linnet.tensor<[], i32> case "Fast" {
    linnet.yield %n : !linnet.tensor<[], i32>
  } default {
    linnet.yield %n : !linnet.tensor<[], i32>
  }
  %so = linnet.some %sr : !linnet.tensor<[N, M], f32>
  %no = linnet.none : !linnet.optional<!linnet.tensor<[N, M], f32>>
  %tu = linnet.tuple %sr, %n : tuple<!linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>>
  %un:2 = linnet.untuple %tu : tuple<!linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>>
  linnet.return %tu : tuple<!linnet.tensor<[N, M], f32>, !linnet.tensor<[], i32>>
}
linnet.func entry @e(%s: !linnet.ref<!linnet.tensor<[2], f32>> {linnet.kind = "state", linnet.path = "a.b"}) -> !linnet.tensor<[2], f32> attributes {linnet.root = "m::Top"} {
  %v = linnet.read_state %s : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.write_state %s, %v : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.return %v : !linnet.tensor<[2], f32>
}
