// RUN: linnet-opt %s --linnet-unroll="max-iterations=4" --split-input-file --verify-diagnostics

linnet.func entry @range_is_too_long(%x: !linnet.tensor<[], i64>) -> !linnet.tensor<[], i64> {
  // expected-error@+1 {{[capability] the static ranges of this function have too many iterations to unroll: 5 here, 4 left}}
  %r = linnet.static_range %i = 0 to 5 iter (%v = %x : !linnet.tensor<[], i64>) {
    %y = linnet.add %v, %i : !linnet.tensor<[], i64>
    linnet.yield %y : !linnet.tensor<[], i64>
  }
  linnet.return %r : !linnet.tensor<[], i64>
}

// -----

linnet.func entry @nested_ranges_are_too_long(%x: !linnet.tensor<[], i64>) -> !linnet.tensor<[], i64> {
  %r = linnet.static_range %i = 0 to 2 iter (%v = %x : !linnet.tensor<[], i64>) {
    // expected-error@+1 {{[capability] the static ranges of this function have too many iterations to unroll: 3 here, 2 left}}
    %s = linnet.static_range %j = 0 to 3 iter (%w = %v : !linnet.tensor<[], i64>) {
      %y = linnet.add %w, %j : !linnet.tensor<[], i64>
      linnet.yield %y : !linnet.tensor<[], i64>
    }
    linnet.yield %s : !linnet.tensor<[], i64>
  }
  linnet.return %r : !linnet.tensor<[], i64>
}

// -----

linnet.func fn @range_has_open_bounds<N: Dim>(%x: !linnet.tensor<[], i64>) -> !linnet.tensor<[], i64> {
  // expected-error@+1 {{[capability] a range with open bounds cannot be unrolled}}
  %r = linnet.static_range %i = 0 to N iter (%v = %x : !linnet.tensor<[], i64>) {
    linnet.yield %v : !linnet.tensor<[], i64>
  }
  linnet.return %r : !linnet.tensor<[], i64>
}
