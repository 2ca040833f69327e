// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @func_c1_no_module() {
  // expected-error@+1 {{expects parent op to be one of 'builtin.module, linnet.block'}}
  linnet.func fn @inner() {
    linnet.return
  }
  linnet.return
}

// -----

// expected-error@+1 {{needs a body of one block}}
linnet.func fn @func_c2_two_blocks() {
  linnet.return
^bb1:
  linnet.return
}

// -----

// expected-error@+1 {{generic `N` is declared twice}}
linnet.func fn @func_c3_generic_twice<N: Dim, N: Dim>() {
  linnet.return
}

// -----

linnet.block @b<N: Dim> {
  // expected-error@+1 {{generic `N` is declared twice}}
  linnet.func fn @func_c3_generic_of_the_block<N: Dim>() {
    linnet.return
  }
}

// -----

// expected-error@+1 {{`where` mentions `N`, which is no generic in scope}}
linnet.func fn @func_c4_unknown_name_in_where() where ["N > 0"] {
  linnet.return
}

// -----

// expected-error@+1 {{argument 0 mentions `S`, which is no generic in scope}}
linnet.func fn @func_c4_unknown_pack(%x: !linnet.tensor<[*S], f32>) {
  linnet.return
}

// -----

// expected-error@+1 {{argument 0 mentions `V`, which is no generic in scope}}
linnet.func fn @func_c4_unknown_dtype(%x: !linnet.optional<!linnet.tensor<[], V: Float>>) {
  linnet.return
}

// -----

// expected-error@+1 {{result 0 mentions `M`, which is no generic in scope}}
linnet.func fn @func_c4_unknown_name_in_the_result<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[M], f32> {
  %y = linnet.ascribe %x code "E2202" : !linnet.tensor<[N], f32> -> !linnet.tensor<[M], f32>
  linnet.return %y : !linnet.tensor<[M], f32>
}

// -----

// expected-error@+1 {{argument 0 has type 'i32', which no function takes}}
linnet.func fn @func_c5_builtin_type(%x: i32) {
  linnet.return
}

// -----

// expected-error@+1 {{result 0 has type '!linnet.ref<!linnet.tensor<[], f32>>', which no function gives}}
linnet.func fn @func_c5_cell_as_a_result(%x: !linnet.ref<!linnet.tensor<[], f32>>) -> !linnet.ref<!linnet.tensor<[], f32>> {
  linnet.return %x : !linnet.ref<!linnet.tensor<[], f32>>
}

// -----

// expected-error@+1 {{expected `fn`, `op` or `entry`}}
linnet.func proc @a_function_has_a_kind() {
  linnet.return
}
