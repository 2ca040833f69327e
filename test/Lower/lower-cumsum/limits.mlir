// RUN: linnet-opt %s --linnet-lower-cumsum --verify-diagnostics

linnet.func fn @generic_sizes<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N], f32> {
  // expected-error@+1 {{needs constant dimensions, which `linnet-bind` gives}}
  %y = linnet.cumsum %x axis = 0 : !linnet.tensor<[N], f32>
  linnet.return %y : !linnet.tensor<[N], f32>
}
