// RUN: linnet-opt %s --split-input-file --verify-diagnostics

linnet.func fn @for_c1_result_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{begins with ('!linnet.tensor<[2], f32>') and gives ()}}
  "linnet.for"(%x) <{lower = #linnet.dim<0>, upper = #linnet.dim<4>}> ({
  ^bb0(%i: !linnet.tensor<[], i64>, %v: !linnet.tensor<[2], f32>):
    linnet.yield %v : !linnet.tensor<[2], f32>
  }) : (!linnet.tensor<[2], f32>) -> ()
  linnet.return
}

// -----

linnet.func fn @for_c1_carried_argument_missing(%x: !linnet.tensor<[2], f32>) {
  // expected-error@+1 {{the region takes ('!linnet.tensor<[], i64>'), expected ('!linnet.tensor<[], i64>', '!linnet.tensor<[2], f32>')}}
  %r = "linnet.for"(%x) <{lower = #linnet.dim<0>, upper = #linnet.dim<4>}> ({
  ^bb0(%i: !linnet.tensor<[], i64>):
    linnet.yield %x : !linnet.tensor<[2], f32>
  }) : (!linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32>
  linnet.return
}

// -----

linnet.func fn @for_c2_counter_of_another_type() {
  // expected-error@+1 {{the region takes ('!linnet.tensor<[], i32>'), expected ('!linnet.tensor<[], i64>')}}
  "linnet.for"() <{lower = #linnet.dim<0>, upper = #linnet.dim<4>}> ({
  ^bb0(%i: !linnet.tensor<[], i32>):
    linnet.yield
  }) : () -> ()
  linnet.return
}

// -----

linnet.func fn @for_c3_element_missing<N: Dim>() {
  // expected-error@+1 {{the region gives (), expected ('!linnet.tensor<[], i64>')}}
  %r = linnet.for %i = 0 to N stack (!linnet.tensor<[N], i64>) {
    // expected-note@+1 {{it gives them here}}
    linnet.yield
  }
  linnet.return
}

// -----

linnet.func fn @for_c4_stack_of_another_size<N: Dim>() {
  // expected-error@+1 {{the stack '!linnet.tensor<[N], i64>' needs to be a tensor of leading size N - 1}}
  %r = linnet.for %i = 1 to N stack (!linnet.tensor<[N], i64>) {
    linnet.yield %i : !linnet.tensor<[], i64>
  }
  linnet.return
}

// -----

linnet.func fn @for_c4_stack_is_no_tensor(%t: tuple<!linnet.tensor<[], i64>>) {
  // expected-error@+1 {{the stack 'tuple<!linnet.tensor<[], i64>>' needs to be a tensor of leading size 2}}
  %r = linnet.for %i = 0 to 2 stack (tuple<!linnet.tensor<[], i64>>) {
    linnet.yield %t : tuple<!linnet.tensor<[], i64>>
  }
  linnet.return
}

// -----

linnet.func fn @for_c4_element_of_another_type(%x: !linnet.tensor<[], f32>) {
  // expected-error@+1 {{the region gives ('!linnet.tensor<[], f32>'), expected ('!linnet.tensor<[], f16>')}}
  %r = linnet.for %i = 0 to 2 stack (!linnet.tensor<[2], f16>) {
    // expected-note@+1 {{it gives them here}}
    linnet.yield %x : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @for_c5_runs_backwards() {
  // expected-error@+1 {{runs from 4 to 3, expected no lower end}}
  linnet.for %i = 4 to 3 {
    linnet.yield
  }
  linnet.return
}
