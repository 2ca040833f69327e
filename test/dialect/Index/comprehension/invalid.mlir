// RUN: linnet-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

linnet.func fn @comprehension_c1_no_index<N: Dim, M: Dim>() {
  // expected-error@+1 {{takes '!linnet.tensor<[], f32>', expected an index}}
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%j: !linnet.tensor<[], f32>):
    linnet.yield %j : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @comprehension_c2_another_shape<N: Dim, M: Dim>(%x: !linnet.tensor<[N, M], f32>, %n: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{has shape [M], but its indices run over [N]}}
  %y = linnet.comprehension -> !linnet.tensor<[M], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @comprehension_c2_index_missing<N: Dim, M: Dim>(%x: !linnet.tensor<[N, M], f32>, %n: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{has shape [N, M], but its indices run over [N]}}
  %y = linnet.comprehension -> !linnet.tensor<[N, M], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @comprehension_c3_another_element_type<N: Dim, M: Dim>(%x: !linnet.tensor<[N, M], f32>, %n: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{needs a region that gives '!linnet.tensor<[], f16>'}}
  %y = linnet.comprehension -> !linnet.tensor<[N], f16> {
  ^bb0(%i: !linnet.index<[N]>):
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    // expected-note@+1 {{it gives ('!linnet.tensor<[], f32>')}}
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @comprehension_c3_no_yield<N: Dim, M: Dim>(%x: !linnet.tensor<[N, M], f32>, %n: !linnet.tensor<[], i32>) {
  // expected-error@+1 {{needs a region that ends in `linnet.yield`}}
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    "test.end"() : () -> ()
  }
  linnet.return
}

// -----

linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.state @s : !linnet.tensor<[N], V: Float>
  linnet.func fn @comprehension_c4_effect(%s: !linnet.tensor<[N], V: Float>, %v: !linnet.tensor<[], f32>) {
    // expected-error@+1 {{holds an op with an effect}}
    %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
    ^bb0(%i: !linnet.index<[N]>):
      // expected-note@+1 {{this is `linnet.assign_state`}}
      linnet.assign_state @s, %s : !linnet.tensor<[N], V: Float>
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.return
  }
}
