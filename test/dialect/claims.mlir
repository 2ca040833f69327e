// Which claims each op makes, by what `linnet-verify` cannot prove of them.
// RUN: not linnet-opt %s --linnet-verify --split-input-file 2>&1 | FileCheck %s

linnet.func fn @require_claims_its_constraint<N: Dim>() {
  // CHECK: error: [E2205] cannot prove `N > 0`
  linnet.require "N > 0" code "E2205"
  linnet.return
}

// -----

linnet.func fn @ascribe_claims_each_dim_inside_a_tuple<A: Dim, B: Dim>(%x: tuple<!linnet.optional<!linnet.tensor<[A, 4], f32>>>) -> tuple<!linnet.optional<!linnet.tensor<[B, 4], f32>>> {
  // CHECK: error: [E2109] cannot prove `A == B`
  %y = linnet.ascribe %x code "E2109" : tuple<!linnet.optional<!linnet.tensor<[A, 4], f32>>> -> tuple<!linnet.optional<!linnet.tensor<[B, 4], f32>>>
  linnet.return %y : tuple<!linnet.optional<!linnet.tensor<[B, 4], f32>>>
}

// -----

linnet.func fn @reshape_claims_equal_products<*S: Shape, A: Dim, B: Dim>(%x: !linnet.tensor<[*S, A], f32>) {
  // CHECK: error: [E2203] cannot prove `A * prod(*S) == B * prod(*S)`
  %y = linnet.reshape %x : !linnet.tensor<[*S, A], f32> -> !linnet.tensor<[*S, B], f32>
  linnet.return
}

// -----

linnet.func fn @broadcast_claims_equal_or_one<A: Dim, B: Dim>(%x: !linnet.tensor<[A, 1, B], f32>) {
  // CHECK: error: [E2207] cannot prove `A == 2`
  %y = linnet.broadcast %x axes = [1, 2, 3] : !linnet.tensor<[A, 1, B], f32> -> !linnet.tensor<[5, 2, 7, B], f32>
  linnet.return
}

// -----

// Nothing is left to prove: the operand's axis is 1 where the facts say so.
// CHECK-NOT: error: {{.*}}E2207
linnet.func fn @broadcast_of_a_proven_one<A: Dim>(%x: !linnet.tensor<[A], f32>) where ["A == 1"] {
  %y = linnet.broadcast %x : !linnet.tensor<[A], f32> -> !linnet.tensor<[5], f32>
  linnet.return
}

// -----

linnet.func fn @concat_claims_the_other_axes<A: Dim, B: Dim>(%x: !linnet.tensor<[1, A], f32>, %y: !linnet.tensor<[1, B], f32>) {
  // CHECK: error: [E2202] cannot prove `B == A`
  %z = linnet.concat %x, %y axis = 0 : !linnet.tensor<[1, A], f32>, !linnet.tensor<[1, B], f32> -> !linnet.tensor<[2, A], f32>
  linnet.return
}

// -----

linnet.func fn @access_claims_the_extent_of_a_direct_index<A: Dim, B: Dim>(%x: !linnet.tensor<[A, B], f32>, %n: !linnet.tensor<[], i32>) {
  %y = linnet.comprehension -> !linnet.tensor<[B], f32> {
  ^bb0(%i: !linnet.index<[B]>):
    // CHECK: error: [E2201] cannot prove `A == B`
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[A, B], f32>, (!linnet.index<[B]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %v : !linnet.tensor<[], f32>
  }
  linnet.return
}

// -----

linnet.func fn @callee<A: Dim>() where ["A > 0"] {
  linnet.return
}

linnet.func fn @call_claims_the_where_of_its_callee<N: Dim>() {
  // CHECK: error: [E2206] cannot prove `2 * N > 0`
  linnet.call @callee<"2 * N">() : () -> ()
  linnet.return
}

// -----

linnet.block @leaf<N: Dim> where ["N > 1"] {
  linnet.func fn @run<M: Dim>() where ["M > N"] {
    linnet.return
  }
}

linnet.block @sub_block_claims_the_where_of_its_block<H: Dim> {
  // CHECK: error: [E2206] cannot prove `H + 1 > 1`
  linnet.sub_block @layers : !linnet.array<!linnet.instance<@leaf<H + 1>>, 3>
  linnet.func fn @call_method_claims_the_where_of_its_method<K: Dim>() {
    %i = linnet.self : !linnet.instance<@sub_block_claims_the_where_of_its_block<H>>
    %l = linnet.member %i, @layers : !linnet.instance<@sub_block_claims_the_where_of_its_block<H>> -> !linnet.array<!linnet.instance<@leaf<H + 1>>, 3>
    // CHECK: error: [E2209] cannot prove `K < 3`
    %e = linnet.element %l[K] : !linnet.array<!linnet.instance<@leaf<H + 1>>, 3> -> !linnet.instance<@leaf<H + 1>>
    // CHECK: error: [E2206] cannot prove `3 * K > H + 1`
    linnet.call_method %e, @run<"3 * K">() : !linnet.instance<@leaf<H + 1>>, () -> ()
    linnet.return
  }
}
