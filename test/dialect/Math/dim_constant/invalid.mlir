// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @dim_constant_c1_bool() {
  // expected-error@+1 {{must be scalar tensor of a number type}}
  %d = linnet.dim_constant 1 : !linnet.tensor<[], i1>
  linnet.return
}

// -----

linnet.func fn @dim_constant_c1_no_scalar() {
  // expected-error@+1 {{must be scalar tensor of a number type}}
  %d = linnet.dim_constant 1 : !linnet.tensor<[1], f32>
  linnet.return
}

// -----

linnet.func fn @a_dim_is_an_expression() {
  // expected-error@+1 {{expected a dimension}}
  %d = linnet.dim_constant "H +" : !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.func fn @a_dim_has_a_form() {
  // expected-error@+1 {{expected a dimension: an integer, a name or quoted text}}
  %d = linnet.dim_constant [2] : !linnet.tensor<[], f32>
  linnet.return
}
