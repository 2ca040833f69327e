// RUN: not linnet-opt %s --linnet-verify 2>&1 | FileCheck %s

// `heads` splits H by Heads, which is not known to divide it: the claim of the
// reshape fails, with sizes that show it and the line that would settle it.
linnet.func fn public @"m::heads"<S: Dim, H: Dim, Heads: Dim>(%x: !linnet.tensor<[S, H], f32>) -> !linnet.tensor<[S, Heads, H / Heads], f32> where ["Heads > 0"] {
  %y = linnet.reshape %x : !linnet.tensor<[S, H], f32> -> !linnet.tensor<[S, Heads, H / Heads], f32>
  linnet.return %y : !linnet.tensor<[S, Heads, H / Heads], f32>
}

// CHECK: error: [E2203] cannot prove `H * S == Heads * S * (H / Heads)`
// CHECK: note: witness: H = {{[0-9]+}}, Heads = {{[0-9]+}}, S = {{[0-9]+}}
// CHECK: note: settles: H % Heads == 0
