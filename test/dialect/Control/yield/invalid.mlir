// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @yield_c1_in_a_function() {
  // expected-error@+1 {{expects parent op to be one of 'linnet.if, linnet.while, linnet.for, linnet.static_for, linnet.static_range, linnet.match_optional, linnet.match_enum, linnet.comprehension, linnet.reduce_over, linnet.scope'}}
  linnet.yield
  linnet.return
}
