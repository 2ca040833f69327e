// RUN: linnet-opt %s --linnet-verify --split-input-file --verify-diagnostics

linnet.func fn @"m::require_divisor_may_be_zero"<N: Dim>() {
  // expected-error@+3 {{[E2205] cannot prove `N > 0`}}
  // expected-note@+2 {{witness: N = 0}}
  // expected-note@+1 {{settles: N > 0}}
  linnet.require "N > 0" code "E2205"
  linnet.return
}

// -----

linnet.func fn @"m::even"<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32> where ["N % 2 == 0"] {
  linnet.return %x : !linnet.tensor<[N], f32>
}
linnet.func fn @"m::call_where_does_not_follow"<D: Dim>(%x: !linnet.tensor<[3 * D], f32>) -> !linnet.tensor<[3 * D], f32> {
  // expected-error@+3 {{[E2206] cannot prove `D % 2 == 0`}}
  // expected-note@+2 {{witness: D = }}
  // expected-note@+1 {{settles:}}
  %y = linnet.call @"m::even"<"3 * D">(%x) : (!linnet.tensor<[3 * D], f32>) -> !linnet.tensor<[3 * D], f32>
  linnet.return %y : !linnet.tensor<[3 * D], f32>
}

// -----

linnet.block @"m::Inner"<N: Dim> where ["N > 0"] {
}
linnet.block @"m::sub_where_does_not_follow"<N: Dim> {
  // expected-error@+3 {{[E2206] cannot prove `N > 0`}}
  // expected-note@+2 {{witness: N = 0}}
  // expected-note@+1 {{settles: N > 0}}
  linnet.sub_block @inner : !linnet.instance<@"m::Inner"<N>>
}

// -----

linnet.func fn @"m::ascribe_sizes_differ"<A: Dim, B: Dim>(%x: !linnet.tensor<[A], f32>) -> !linnet.tensor<[B], f32> {
  // expected-error@+3 {{[E2202] cannot prove `A == B`}}
  // expected-note@+2 {{witness: A = }}
  // expected-note@+1 {{settles: A == B}}
  %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[A], f32> -> !linnet.tensor<[B], f32>
  linnet.return %y : !linnet.tensor<[B], f32>
}

// -----

linnet.func fn @"m::broadcast_is_neither_equal_nor_one"<N: Dim, M: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[M], f32> {
  // expected-error@+3 {{[E2207] cannot prove `N == M`}}
  // expected-note@+2 {{witness: M = }}
  // expected-note@+1 {{settles: N == M}}
  %y = linnet.broadcast %x : !linnet.tensor<[N], f32> -> !linnet.tensor<[M], f32>
  linnet.return %y : !linnet.tensor<[M], f32>
}

// -----

linnet.func fn @"m::reshape_counts_differ"<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N + 1], f32> {
  // expected-error@+2 {{[E2203] cannot prove `N == N + 1`}}
  // expected-note@+1 {{witness: N = }}
  %y = linnet.reshape %x : !linnet.tensor<[N], f32> -> !linnet.tensor<[N + 1], f32>
  linnet.return %y : !linnet.tensor<[N + 1], f32>
}

// -----

// [DIM-15]: below zero for every N that the facts allow.
// expected-error@+2 {{[E2208] cannot prove `N - 4 >= 0`}}
// expected-note@+1 {{witness: N = }}
linnet.func fn @"m::result_is_negative"<N: Dim>(%x: !linnet.tensor<[N - 4], f32>) where ["N < 4"] {
  linnet.return
}

// -----

// The product only misses the divisor that was refused, so one error is enough.
linnet.func fn @"m::require_stands_for_what_follows"<H: Dim, N: Dim>(%x: !linnet.tensor<[H], f32>) -> !linnet.tensor<[H / N, N], f32> where ["H % N == 0"] {
  // expected-error@+2 {{[E2205] cannot prove `N > 0`}}
  // expected-note@+1 {{settles: N > 0}}
  linnet.require "N > 0" code "E2205"
  %y = linnet.reshape %x : !linnet.tensor<[H], f32> -> !linnet.tensor<[H / N, N], f32>
  linnet.return %y : !linnet.tensor<[H / N, N], f32>
}

// -----

linnet.func fn @"m::for_range_may_run_backwards"<A: Dim, B: Dim>() {
  // expected-error@+3 {{[E2206] cannot prove `A <= B`}}
  // expected-note@+2 {{witness: A = }}
  // expected-note@+1 {{settles: A <= B}}
  linnet.for %i = A to B {
    linnet.yield
  }
  linnet.return
}

// -----

// What cannot be kept in a bounded form has no value that anyone knows.
linnet.func fn @"m::require_too_large_to_decide"<N: Dim>() {
  // expected-error@+2 {{[E2206] cannot prove `huge(ab) >= N`}}
  // expected-note@+1 {{too large to decide}}
  linnet.require "huge(ab) >= N" code "E2206"
  linnet.return
}
