// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @call_c1_no_such_function(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the module has no function @callee}}
  %y = linnet.call @callee(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c1_arguments_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{callee @callee needs 3 generic arguments, found 1}}
  %y = linnet.call @callee<1>(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[1], f32>
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c1_argument_of_another_kind(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{needs a `Shape` for generic `S`, found #linnet.dim<2>}}
  %y = linnet.call @callee<1, 2, f32>(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[1], f32>
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c1_dtype_outside_the_class(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{needs a `Float` for generic `V`, found i32}}
  %y = linnet.call @callee<1, [], i32>(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[1], f32>
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c2_argument_missing() {
  // expected-error@+1 {{passes 0 arguments, expected 1}}
  %y = linnet.call @callee<1, [], f32>() : () -> !linnet.tensor<[1], f32>
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c2_argument_of_another_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{argument 0 has type '!linnet.tensor<[2], f32>', expected '!linnet.tensor<[4], f32>'}}
  %y = linnet.call @callee<2, [], f32>(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c2_result_of_another_type(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the result has type '!linnet.tensor<[2], f32>', expected '!linnet.tensor<[1], f32>'}}
  %y = linnet.call @callee<1, [], f32>(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @callee<A: Dim, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, 2 * A], V: Float>) -> !linnet.tensor<[A], V: Float> where ["A > 0"] {
  %y = linnet.constant 0 : !linnet.tensor<[], V: Float>
  %z = linnet.splat %y : !linnet.tensor<[], V: Float> -> !linnet.tensor<[A], V: Float>
  linnet.return %z : !linnet.tensor<[A], V: Float>
}

linnet.func fn @call_c2_result_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has 0 results, expected 1}}
  linnet.call @callee<1, [], f32>(%x) : (!linnet.tensor<[2], f32>) -> ()
  linnet.return
}

// -----

// expected-note@+1 {{the callee stands here}}
linnet.func fn @callee<A: Dim>(%x: !linnet.tensor<[A], f32>) -> !linnet.tensor<[A], f32> {
  linnet.return %x : !linnet.tensor<[A], f32>
}

linnet.func fn @call_c2_negative_dimension(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{argument 0 has type '!linnet.tensor<[2], f32>', expected none: a dimension would be negative}}
  %y = linnet.call @callee<"0 - 1">(%x) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32>
  linnet.return
}
