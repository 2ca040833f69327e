// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @scope_c1_unknown_kind() {
  // expected-error@+1 {{is of the kind `entry`, expected `fn`, `op` or `method`}}
  linnet.scope entry "m::f" () {
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @scope_c1_path_of_a_function() {
  // expected-error@+1 {{has the path "layers.0", which only a method has}}
  linnet.scope fn "m::f" at "layers.0" () {
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @scope_c2_other_arguments(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the region takes (), expected ('!linnet.tensor<[2], f32>')}}
  "linnet.scope"(%x) <{callee = "m::f", kind = "fn", names = ["x"]}> ({
    linnet.yield
  }) : (!linnet.tensor<[2], f32>) -> ()
  linnet.return
}

// -----

linnet.func fn @scope_c2_no_name(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{has 0 names for 1 operands}}
  linnet.scope fn "m::f" (%a = %x : !linnet.tensor<[2], f32>) {
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @scope_c3_other_results(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the region gives ('!linnet.tensor<[2], f32>'), expected ('!linnet.tensor<[3], f32>')}}
  %y = linnet.scope fn "m::f" () -> !linnet.tensor<[3], f32> {
    // expected-note@+1 {{it gives them here}}
    linnet.yield %x : !linnet.tensor<[2], f32>
  }
  linnet.return
}

// -----

linnet.func fn @scope_c4_too_many_states() {
  // expected-error@+1 {{has 1 states among 0 results}}
  linnet.scope fn "m::f" () attributes {states = ["s"]} {
    linnet.yield
  }
  linnet.return
}
