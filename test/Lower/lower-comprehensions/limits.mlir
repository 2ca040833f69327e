// RUN: linnet-opt %s --linnet-lower-comprehensions --split-input-file --verify-diagnostics

linnet.func fn @loop_that_depends_on_an_index(%x: !linnet.tensor<[3], i64>) -> !linnet.tensor<[3], i64> {
  %y = linnet.comprehension -> !linnet.tensor<[3], i64> {
  ^bb0(%i: !linnet.index<[3]>):
    %e = linnet.access %x[%i] : !linnet.tensor<[3], i64>, (!linnet.index<[3]>) -> !linnet.tensor<[], i64>
    // expected-error@+1 {{[capability] `while` of a value that depends on an index is not lowered yet}}
    %r = linnet.while (%n = %e : !linnet.tensor<[], i64>) {
      %one = linnet.constant 1 : !linnet.tensor<[], i64>
      %c = linnet.compare gt %n, %one : !linnet.tensor<[], i64>
      linnet.condition %c
    } do {
    ^bb0(%m: !linnet.tensor<[], i64>):
      %h = linnet.div %m, %m : !linnet.tensor<[], i64>
      linnet.yield %h : !linnet.tensor<[], i64>
    }
    linnet.yield %r : !linnet.tensor<[], i64>
  }
  linnet.return %y : !linnet.tensor<[3], i64>
}

// -----

linnet.func fn @generic_sizes<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32> {
  // expected-error@+1 {{needs constant dimensions, which `linnet-bind` gives}}
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    %e = linnet.access %x[%i] : !linnet.tensor<[N], f32>, (!linnet.index<[N]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[N], f32>
}
