// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @reduce_over_c1_outside_of_index_notation(%v: !linnet.tensor<[], f32>) {
  // expected-error@+1 {{stands outside of index notation}}
  %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
  ^bb0(%k: !linnet.index<[4]>):
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @reduce_over_c2_pack_index<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{takes '!linnet.index<[*S]>', expected an index over a dim}}
    %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[*S]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @reduce_over_c2_no_index<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{takes '!linnet.tensor<[], f32>', expected an index over a dim}}
    %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.tensor<[], f32>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @reduce_over_c3_another_type<N: Dim, *S: Shape>(%b: !linnet.tensor<[], i1>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{needs a region that gives '!linnet.tensor<[], f32>'}}
    %r = linnet.reduce_over sum : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      // expected-note@+1 {{it gives ('!linnet.tensor<[], i1>')}}
        linnet.yield %b : !linnet.tensor<[], i1>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @reduce_over_c4_sum_of_booleans<N: Dim, *S: Shape>(%b: !linnet.tensor<[], i1>) {
  %y = linnet.comprehension -> !linnet.tensor<[], i1> {
    // expected-error@+1 {{`sum` does not combine 'i1'}}
    %r = linnet.reduce_over sum : !linnet.tensor<[], i1> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %b : !linnet.tensor<[], i1>
    }
    linnet.yield %r : !linnet.tensor<[], i1>
  }
  linnet.return
}

// -----

linnet.func fn @reduce_over_c4_any_of_numbers<N: Dim, *S: Shape>(%v: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // expected-error@+1 {{`any` does not combine 'f32'}}
    %r = linnet.reduce_over any : !linnet.tensor<[], f32> {
    ^bb0(%k: !linnet.index<[N]>):
      linnet.yield %v : !linnet.tensor<[], f32>
    }
    linnet.yield %r : !linnet.tensor<[], f32>
  }
  linnet.return
}
