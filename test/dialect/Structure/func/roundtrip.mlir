// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @nothing(
linnet.func fn @nothing() {
  // CHECK: linnet.return
  linnet.return
}

// CHECK-LABEL: linnet.func op public @"m::generic"<
linnet.func op public @"m::generic"<N: Dim = 3, *S: Shape, V: Float>(%x: !linnet.tensor<[*S, N], V: Float> {linnet.name = "x"}, %o: !linnet.optional<!linnet.tensor<[N], V: Float>>) -> !linnet.tensor<[*S, N], V: Float> where ["N > 0"] attributes {linnet.claim = 1 : i64} {
  // CHECK: linnet.return %{{.*}} : !linnet.tensor<[*S, N], V: Float>
  linnet.return %x : !linnet.tensor<[*S, N], V: Float>
}

// CHECK-LABEL: linnet.func entry @bound(
linnet.func entry @bound(%x: !linnet.tensor<[2], f32> {linnet.kind = "input", linnet.name = "x"}, %w: !linnet.tensor<[2], f32> {linnet.kind = "param", linnet.path = "a.w"}, %s: !linnet.ref<!linnet.tensor<[2], f32>> {linnet.kind = "state", linnet.path = "a.s"}) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>) attributes {linnet.bindings = {N = 2 : i64, V = f32}, linnet.root = "m::Model"} {
  // CHECK: linnet.return %{{.*}}, %{{.*}} : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>
  linnet.return %x, %w : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>
}

// CHECK-LABEL: linnet.func fn private @other(
linnet.func fn private @other(%t: tuple<!linnet.tensor<[], i1>, !linnet.enum<@"m::Mode">>) -> tuple<!linnet.tensor<[], i1>, !linnet.enum<@"m::Mode">> {
  // CHECK: linnet.return %{{.*}} : tuple<!linnet.tensor<[], i1>, !linnet.enum<@"m::Mode">>
  linnet.return %t : tuple<!linnet.tensor<[], i1>, !linnet.enum<@"m::Mode">>
}
