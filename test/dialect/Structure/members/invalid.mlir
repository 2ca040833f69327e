// RUN: linnet-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'linnet.param' op expects parent op 'linnet.block'}}
linnet.param @param_c1_no_block : !linnet.tensor<[], f32>

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{type attribute of tensor or optional}}
  linnet.param @param_c2_instance : !linnet.instance<@"m::B"<N, V: Float>>
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{needs a tensor or an optional tensor, got}}
  linnet.param @param_c2_optional_tuple : !linnet.optional<tuple<>>
}

// -----

// expected-error@+1 {{'linnet.buffer' op expects parent op 'linnet.block'}}
linnet.buffer @buffer_c1_no_block : !linnet.tensor<[], f32>

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{type attribute of tensor}}
  linnet.buffer @buffer_c2_optional : !linnet.optional<!linnet.tensor<[], f32>>
}

// -----

// expected-error@+1 {{'linnet.state' op expects parent op 'linnet.block'}}
linnet.state @state_c1_no_block : !linnet.tensor<[], f32>

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{type attribute of tensor}}
  linnet.state @state_c2_optional : !linnet.optional<!linnet.tensor<[], f32>>
}

// -----

// expected-error@+1 {{'linnet.sub_block' op expects parent op 'linnet.block'}}
linnet.sub_block @sub_block_c1_no_block : !linnet.instance<@b>

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{type attribute of block instance or array of block instances or optional}}
  linnet.sub_block @sub_block_c2_tensor : !linnet.tensor<[], f32>
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{needs an instance, an array of instances or an optional instance, got}}
  linnet.sub_block @sub_block_c2_optional_tensor : !linnet.optional<!linnet.tensor<[], f32>>
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{the module has no block @"m::None"}}
  linnet.sub_block @sub_block_c3_no_such_block : !linnet.instance<@"m::None">
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{block @"m::Sub" needs 1 generic arguments, found 0}}
  linnet.sub_block @sub_block_c3_too_few_arguments : !linnet.instance<@"m::Sub">
}

// expected-note@+1 {{the block stands here}}
linnet.block @"m::Sub"<N: Dim> {
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{needs a `Dim` for generic `N`, found f32}}
  linnet.sub_block @sub_block_c3_wrong_kind : !linnet.instance<@"m::Sub"<f32>>
}

// expected-note@+1 {{the block stands here}}
linnet.block @"m::Sub"<N: Dim> {
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-error@+1 {{needs a `Float` for generic `V`, found i32}}
  linnet.sub_block @sub_block_c3_wrong_class : !linnet.array<!linnet.instance<@"m::Sub"<i32>>, 2>
}

// expected-note@+1 {{the block stands here}}
linnet.block @"m::Sub"<V: Float> {
}
