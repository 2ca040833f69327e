// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @static_range_c1_result_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{begins with ('!linnet.tensor<[2], f32>') and gives ()}}
  "linnet.static_range"(%x) <{lower = #linnet.dim<0>, upper = #linnet.dim<4>}> ({
  ^bb0(%i: !linnet.tensor<[], i64>, %v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  }) : (!linnet.tensor<[2], f32>) -> ()
  linnet.return
}

// -----

linnet.func fn @static_range_c2_counter_of_another_type() {
  // expected-error@+1 {{the region takes ('!linnet.tensor<[], i32>'), expected ('!linnet.tensor<[], i64>')}}
  "linnet.static_range"() <{lower = #linnet.dim<0>, upper = #linnet.dim<4>}> ({
  ^bb0(%i: !linnet.tensor<[], i32>):
    linnet.yield
  }) : () -> ()
  linnet.return
}

// -----

linnet.func fn @static_range_c3_nothing_given<N: Dim>(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the region gives (), expected ('!linnet.tensor<[2], f32>')}}
  %r = linnet.static_range %i = 0 to "N / 2" iter (%v = %x : !linnet.tensor<[2], f32>) {
    // expected-note@+1 {{it gives them here}}
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @static_range_bound_missing() {
  // expected-error@+1 {{requires attribute 'upper'}}
  "linnet.static_range"() <{lower = #linnet.dim<0>}> ({
  ^bb0(%i: !linnet.tensor<[], i64>):
    linnet.yield
  }) : () -> ()
  linnet.return
}
