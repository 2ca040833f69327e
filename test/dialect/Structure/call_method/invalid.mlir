// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.instance<@"m::C"<N>>
  linnet.func fn @call_method_c1_no_such_method(%x: !linnet.tensor<[2, N], f32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N>>
    // expected-error@+1 {{block @"m::C" has no method @backward}}
    %y = linnet.call_method %c, @backward(%x) : !linnet.instance<@"m::C"<N>>, (!linnet.tensor<[2, N], f32>) -> !linnet.tensor<[2, N], f32>
    linnet.return
  }
}

// expected-note@+1 {{the block stands here}}
linnet.block @"m::C"<N: Dim> {
  linnet.func fn @forward<*S: Shape>(%x: !linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32> where ["N > 0"] {
    linnet.return %x : !linnet.tensor<[*S, N], f32>
  }
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.instance<@"m::C"<N>>
  linnet.func fn @call_method_c1_arguments_missing(%x: !linnet.tensor<[2, N], f32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N>>
    // expected-error@+1 {{callee @forward needs 1 generic arguments, found 0}}
    %y = linnet.call_method %c, @forward(%x) : !linnet.instance<@"m::C"<N>>, (!linnet.tensor<[2, N], f32>) -> !linnet.tensor<[2, N], f32>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
  // expected-note@+1 {{the callee stands here}}
  linnet.func fn @forward<*S: Shape>(%x: !linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32> where ["N > 0"] {
    linnet.return %x : !linnet.tensor<[*S, N], f32>
  }
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.instance<@"m::C"<N>>
  linnet.func fn @call_method_c2_argument_of_another_type(%x: !linnet.tensor<[2, N], f32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N>>
    // expected-error@+1 {{argument 0 has type '!linnet.tensor<[2, N], f32>', expected '!linnet.tensor<[3, N], f32>'}}
    %y = linnet.call_method %c, @forward<[3]>(%x) : !linnet.instance<@"m::C"<N>>, (!linnet.tensor<[2, N], f32>) -> !linnet.tensor<[3, N], f32>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
  // expected-note@+1 {{the callee stands here}}
  linnet.func fn @forward<*S: Shape>(%x: !linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32> where ["N > 0"] {
    linnet.return %x : !linnet.tensor<[*S, N], f32>
  }
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.instance<@"m::C"<N>>
  linnet.func fn @call_method_c2_result_of_another_type(%x: !linnet.tensor<[2, N], f32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N>>
    // expected-error@+1 {{the result has type '!linnet.tensor<[3, N], f32>', expected '!linnet.tensor<[2, N], f32>'}}
    %y = linnet.call_method %c, @forward<[2]>(%x) : !linnet.instance<@"m::C"<N>>, (!linnet.tensor<[2, N], f32>) -> !linnet.tensor<[3, N], f32>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
  // expected-note@+1 {{the callee stands here}}
  linnet.func fn @forward<*S: Shape>(%x: !linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32> where ["N > 0"] {
    linnet.return %x : !linnet.tensor<[*S, N], f32>
  }
}
