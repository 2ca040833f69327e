// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @assign_state_c1_no_method(%v: !linnet.tensor<[], f32>) {
  // expected-error@+1 {{stands in no method of a block with state @s}}
  linnet.assign_state @s, %v : !linnet.tensor<[], f32>
  linnet.return
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.param @s : !linnet.tensor<[N], V: Float>
  linnet.func fn @assign_state_c1_param(%v: !linnet.tensor<[N], V: Float>) {
    // expected-error@+1 {{stands in no method of a block with state @s}}
    linnet.assign_state @s, %v : !linnet.tensor<[N], V: Float>
    linnet.return
  }
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  // expected-note@+1 {{the state stands here}}
  linnet.state @s : !linnet.tensor<[N], V: Float>
  linnet.func fn @assign_state_c2_another_type(%v: !linnet.tensor<[], f32>) {
    // expected-error@+1 {{assigns '!linnet.tensor<[], f32>', expected '!linnet.tensor<[N], V: Float>'}}
    linnet.assign_state @s, %v : !linnet.tensor<[], f32>
    linnet.return
  }
}
