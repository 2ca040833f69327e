// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @constant_c1_literal_of_another_width() {
  // expected-error@+1 {{attribute 'literal' failed to satisfy constraint: bool, 64-bit integer or 64-bit float}}
  %c = "linnet.constant"() <{literal = 1 : i32}> : () -> !linnet.tensor<[], i32>
  linnet.return
}

// -----

linnet.func fn @constant_c2_bool_as_a_number() {
  // expected-error@+1 {{literal true is no element of type}}
  %c = linnet.constant true : !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @constant_c2_float_as_an_integer() {
  // expected-error@+1 {{is no element of type}}
  %c = linnet.constant 0.5 : !linnet.tensor<[], i32>
  linnet.return
}

// -----

linnet.func fn @constant_c2_integer_as_a_bool() {
  // expected-error@+1 {{literal 1 : i64 is no element of type}}
  %c = linnet.constant 1 : !linnet.tensor<[], i1>
  linnet.return
}

// -----

linnet.func fn @constant_c3_symbolic_splat<N: Dim>() {
  // expected-error@+1 {{needs a scalar or a static shape, got [N]}}
  %c = linnet.constant 1 : !linnet.tensor<[N], f32>
  linnet.return
}

// -----

linnet.func fn @a_literal_is_no_name() {
  // expected-error@+1 {{expected integer value}}
  %c = linnet.constant half : !linnet.tensor<[], f32>
  linnet.return
}
