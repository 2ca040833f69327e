// RUN: linnet-opt %s --linnet-verify | FileCheck %s

// CHECK-LABEL: linnet.func fn public @"m::divisible"
// CHECK:         linnet.reshape
linnet.func fn public @"m::divisible"<S: Dim, H: Dim, Heads: Dim>(%x: !linnet.tensor<[S, H], f32>) -> !linnet.tensor<[S, Heads, H / Heads], f32> where ["Heads > 0", "H % Heads == 0"] {
  %y = linnet.reshape %x : !linnet.tensor<[S, H], f32> -> !linnet.tensor<[S, Heads, H / Heads], f32>
  linnet.return %y : !linnet.tensor<[S, Heads, H / Heads], f32>
}

// The facts of the block hold in its methods.
// CHECK-LABEL: linnet.block @"m::Positive"
// CHECK:         linnet.require "N > 0" code "E2205"
linnet.block @"m::Positive"<N: Dim> where ["N > 1"] {
  linnet.func fn @f() {
    linnet.require "N > 0" code "E2205"
    linnet.return
  }
}

// A callee's constraint is claimed with the arguments in place.
// CHECK-LABEL: linnet.func fn @"m::caller"
// CHECK:         linnet.call @"m::even"
linnet.func fn @"m::even"<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32> where ["N % 2 == 0"] {
  linnet.return %x : !linnet.tensor<[N], f32>
}
linnet.func fn @"m::caller"<D: Dim>(%x: !linnet.tensor<[4 * D], f32>) -> !linnet.tensor<[4 * D], f32> {
  %y = linnet.call @"m::even"<"4 * D">(%x) : (!linnet.tensor<[4 * D], f32>) -> !linnet.tensor<[4 * D], f32>
  linnet.return %y : !linnet.tensor<[4 * D], f32>
}

// A pack's product is one factor.
// CHECK-LABEL: linnet.func fn @"m::merge"
// CHECK:         linnet.reshape
linnet.func fn @"m::merge"<*S: Shape, N: Dim>(%x: !linnet.tensor<[*S, N, 2], f32>) -> !linnet.tensor<[*S, 2 * N], f32> {
  %y = linnet.reshape %x : !linnet.tensor<[*S, N, 2], f32> -> !linnet.tensor<[*S, 2 * N], f32>
  linnet.return %y : !linnet.tensor<[*S, 2 * N], f32>
}

// An operand axis may be 1 by a fact.
// CHECK-LABEL: linnet.func fn @"m::one"
// CHECK:         linnet.broadcast
linnet.func fn @"m::one"<N: Dim, M: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[M], f32> where ["N == 1"] {
  %y = linnet.broadcast %x : !linnet.tensor<[N], f32> -> !linnet.tensor<[M], f32>
  linnet.return %y : !linnet.tensor<[M], f32>
}

// No instantiation has these facts, so nothing is wrong in any.
// CHECK-LABEL: linnet.func fn @"m::never"
// CHECK:         linnet.require
linnet.func fn @"m::never"<N: Dim>() where ["N < 0"] {
  linnet.require "N > 7" code "E2205"
  linnet.return
}

// A range that provably does not run backwards, however long it is.
// CHECK-LABEL: linnet.func fn @"m::counted"
// CHECK:         linnet.for
linnet.func fn @"m::counted"<A: Dim, B: Dim>() where ["A <= B"] {
  linnet.for %i = A to "B + 1" {
    linnet.yield
  }
  linnet.return
}
