// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @iota_c1_axis_out_of_range() {
  // expected-error@+1 {{axis 1 is no axis of [4]}}
  %i = linnet.iota axis = 1 : !linnet.tensor<[4], i64>
  linnet.return
}

// -----

linnet.func fn @iota_c1_axis_of_a_pack<*S: Shape>() {
  // expected-error@+1 {{axis 0 is no axis of [*S]}}
  %i = linnet.iota axis = 0 : !linnet.tensor<[*S], i64>
  linnet.return
}

// -----

linnet.func fn @iota_c1_scalar() {
  // expected-error@+1 {{axis 0 is no axis of []}}
  %i = linnet.iota axis = 0 : !linnet.tensor<[], i64>
  linnet.return
}

// -----

linnet.func fn @iota_c2_bool() {
  // expected-error@+1 {{must be tensor of numbers}}
  %i = linnet.iota axis = 0 : !linnet.tensor<[4], i1>
  linnet.return
}
