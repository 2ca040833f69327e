// RUN: linnet-opt %s --linnet-lower-comprehensions --split-input-file --verify-diagnostics

linnet.func fn @pack<*N: Shape>(%x: !linnet.tensor<[*N], f32>) -> !linnet.tensor<[*N], f32> {
  // expected-error@+1 {{needs plain dimensions, which `linnet-bind` gives}}
  %y = linnet.comprehension -> !linnet.tensor<[*N], f32> {
  ^bb0(%i: !linnet.index<[*N]>):
    %e = linnet.access %x[%i] : !linnet.tensor<[*N], f32>, (!linnet.index<[*N]>) -> !linnet.tensor<[], f32>
    linnet.yield %e : !linnet.tensor<[], f32>
  }
  linnet.return %y : !linnet.tensor<[*N], f32>
}
