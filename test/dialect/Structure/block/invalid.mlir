// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @block_c1_no_module() {
  // expected-error@+1 {{expects parent op 'builtin.module'}}
  linnet.block @b {
  }
  linnet.return
}

// -----

// expected-error@+1 {{holds members, claims and methods only}}
linnet.block @block_c2_other_op {
  // expected-note@+1 {{this is `linnet.none`}}
  %n = linnet.none : !linnet.optional<tuple<>>
}

// -----

// expected-error@+1 {{generic `N` is declared twice}}
linnet.block @block_c3_generic_twice<N: Dim, *N: Shape> {
}

// -----

// expected-error@+1 {{`where` mentions `M`, which is no generic in scope}}
linnet.block @block_c4_unknown_name<N: Dim> where ["N > M"] {
}

// -----

linnet.block @block_c4_unknown_name_in_a_member<N: Dim> {
  // expected-error@+1 {{the type mentions `M`, which is no generic in scope}}
  linnet.param @w : !linnet.tensor<[M], f32>
}

// -----

// expected-error@+1 {{expected a constraint}}
linnet.block @where_holds_comparisons<N: Dim> where ["N"] {
}

// -----

// expected-error@+1 {{expected `N: Dim`, `*S: Shape` or a dtype class}}
linnet.block @a_shape_generic_has_a_star<S: Shape> {
}

// -----

// expected-error@+1 {{the default of `V` is 'i32', which is not in Float}}
linnet.block @a_default_is_in_its_class<V: Float = i32> {
}

// -----

// expected-error@+4 {{redefinition of symbol named 'w'}}
linnet.block @members_have_different_names {
  // expected-note@+1 {{see existing symbol definition here}}
  linnet.param @w : !linnet.tensor<[], f32>
  linnet.param @w : !linnet.tensor<[], f32>
}
