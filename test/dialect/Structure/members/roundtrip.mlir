// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  // CHECK: linnet.param @weight : !linnet.tensor<[N], V: Float>
  linnet.param @weight : !linnet.tensor<[N], V: Float>
  // CHECK: linnet.param @bias : !linnet.optional<!linnet.tensor<[N], V: Float>>
  linnet.param @bias : !linnet.optional<!linnet.tensor<[N], V: Float>>
  // CHECK: linnet.buffer @mean : !linnet.tensor<[2 * N], V: Float>
  linnet.buffer @mean : !linnet.tensor<[2 * N], V: Float>
  // CHECK: linnet.state @cache : !linnet.tensor<[N % 2, 4], f32>
  linnet.state @cache : !linnet.tensor<[N % 2, 4], f32>
  // CHECK: linnet.sub_block @one : !linnet.instance<@"m::Sub"<N, [2, N], V: Float>>
  linnet.sub_block @one : !linnet.instance<@"m::Sub"<N, [2, N], V: Float>>
  // CHECK: linnet.sub_block @some : !linnet.optional<!linnet.instance<@"m::Sub"<3, [], f16>>>
  linnet.sub_block @some : !linnet.optional<!linnet.instance<@"m::Sub"<3, [], f16>>>
  // CHECK: linnet.sub_block @many : !linnet.array<!linnet.instance<@"m::Sub"<N, [2], V: Float>>, N + 1>
  linnet.sub_block @many : !linnet.array<!linnet.instance<@"m::Sub"<N, [2], V: Float>>, N + 1>
}

// CHECK-LABEL: linnet.block @"m::Sub"<
linnet.block @"m::Sub"<N: Dim, *S: Shape, V: Float> {
}
