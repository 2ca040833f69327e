// RUN: linnet-opt %s --linnet-lower-loops --split-input-file --verify-diagnostics

linnet.func fn @range_has_open_bounds<N: Dim>(%x: !linnet.tensor<[], i64>) {
  // expected-error@+1 {{needs constant bounds, which `linnet-bind` gives}}
  %r = linnet.for %i = 0 to N iter (%v = %x : !linnet.tensor<[], i64>) {
    linnet.yield %v : !linnet.tensor<[], i64>
  }
  linnet.return
}

// -----

linnet.func fn @stack_has_open_sizes<N: Dim>(%x: !linnet.tensor<[N], i64>) {
  // expected-error@+1 {{[capability] a loop that collects values of an open size cannot be compiled yet; bind the size}}
  %r = linnet.for %i = 0 to 2 stack (!linnet.tensor<[2, N], i64>) {
    linnet.yield %x : !linnet.tensor<[N], i64>
  }
  linnet.return
}
