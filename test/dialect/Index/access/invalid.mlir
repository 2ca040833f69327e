// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @access_c1_axis_left<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N, M], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    // expected-error@+1 {{the parts do not cover the 2 axes of the base once}}
    %v = linnet.access %x[%i] : !linnet.tensor<[N, M], f32>, (!linnet.index<[N]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c1_part_too_many<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N], f32>, %n: !linnet.tensor<[], i32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    // expected-error@+1 {{the parts do not cover the 1 axes of the base once}}
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c2_dim_over_a_pack<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[*S], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    // expected-error@+1 {{an index over [N] covers [*S]}}
    %v = linnet.access %x[%i] : !linnet.tensor<[*S], f32>, (!linnet.index<[N]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c2_pack_over_a_dim<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[*S], f32> {
  ^bb0(%s: !linnet.index<[*S]>):
    // expected-error@+1 {{an index over [*S] covers [N]}}
    %v = linnet.access %x[%s] : !linnet.tensor<[N], f32>, (!linnet.index<[*S]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c2_another_pack<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[*S], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[*R], f32> {
  ^bb0(%s: !linnet.index<[*R]>):
    // expected-error@+1 {{an index over [*R] covers [*S]}}
    %v = linnet.access %x[%s] : !linnet.tensor<[*S], f32>, (!linnet.index<[*R]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c2_computed_part_over_a_pack<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[*S], f32>, %n: !linnet.tensor<[], i32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{a computed part covers a pack}}
    %v = linnet.access %x[%n] : !linnet.tensor<[*S], f32>, (!linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c3_extents_differ<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[3], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[4], f32> {
  ^bb0(%i: !linnet.index<[4]>):
    // expected-error@+1 {{an index over 4 covers an axis of size 3}}
    %v = linnet.access %x[%i] : !linnet.tensor<[3], f32>, (!linnet.index<[4]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @access_c4_another_element_type<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N], f16>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    // expected-error@+1 {{has element type 'f32', expected 'f16'}}
    %v = linnet.access %x[%i] : !linnet.tensor<[N], f16>, (!linnet.index<[N]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @a_part_is_an_integer<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{operand #1 must be variadic of index or scalar tensor of an integer type}}
    %v = linnet.access %x[%z] : !linnet.tensor<[N], f32>, (!linnet.tensor<[], f32>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}
