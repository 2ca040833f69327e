// RUN: linnet-opt %s --split-input-file --verify-diagnostics

// expected-note@+1 {{the block stands here}}
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.func fn @member_c1_no_such_member() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    // expected-error@+1 {{block @"m::B" has no member @w}}
    %w = linnet.member %i, @w : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[N], V: Float>
    linnet.return
  }
}

// -----

// expected-note@+1 {{the block stands here}}
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.func fn @member_c1_a_method_is_none() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    // expected-error@+1 {{block @"m::B" has no member @member_c1_a_method_is_none}}
    %w = linnet.member %i, @member_c1_a_method_is_none : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[N], V: Float>
    linnet.return
  }
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-note@+1 {{the member stands here}}
  linnet.param @w : !linnet.tensor<[2 * N], V: Float>
  linnet.func fn @member_c2_another_type() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    // expected-error@+1 {{has type '!linnet.tensor<[N], V: Float>', expected '!linnet.tensor<[2 * N], V: Float>'}}
    %w = linnet.member %i, @w : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[N], V: Float>
    linnet.return
  }
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.instance<@"m::C"<1>>
  linnet.func fn @member_c2_negative_dimension() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<1>>
    // expected-error@+1 {{expected none: a dimension would be negative}}
    %b = linnet.member %c, @b : !linnet.instance<@"m::C"<1>> -> !linnet.tensor<[1], f32>
    linnet.return
  }
}

linnet.block @"m::C"<N: Dim> {
  // expected-note@+1 {{the member stands here}}
  linnet.buffer @b : !linnet.tensor<[N - 2], f32>
}
