// RUN: linnet-opt %s --linnet-lower-cumsum --split-input-file --verify-diagnostics

linnet.func fn @pack<*N: Shape>(%x: !linnet.tensor<[*N, 2], f32>) -> !linnet.tensor<[*N, 2], f32> {
  // expected-error@+1 {{needs plain dimensions, which `linnet-bind` gives}}
  %y = linnet.cumsum %x axis = 1 : !linnet.tensor<[*N, 2], f32>
  linnet.return %y : !linnet.tensor<[*N, 2], f32>
}

// -----

linnet.func fn @open_axis<N: Dim>(%x: !linnet.tensor<[2, N], f32>) -> !linnet.tensor<[2, N], f32> {
  // expected-error@+1 {{[capability] running sums along an axis of open size `N` cannot be compiled yet; bind it to a number}}
  %y = linnet.cumsum %x axis = 1 : !linnet.tensor<[2, N], f32>
  linnet.return %y : !linnet.tensor<[2, N], f32>
}
