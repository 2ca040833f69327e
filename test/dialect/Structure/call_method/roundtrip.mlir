// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.instance<@"m::C"<N>>
  linnet.func fn @a_method_of_a_sub(%x: !linnet.tensor<[2, N], f32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N>>
    // CHECK: linnet.call_method %{{.*}}, @forward<[2]>(%{{.*}}) : !linnet.instance<@"m::C"<N>>, (!linnet.tensor<[2, N], f32>) -> !linnet.tensor<[2, N], f32>
    %y = linnet.call_method %c, @forward<[2]>(%x) : !linnet.instance<@"m::C"<N>>, (!linnet.tensor<[2, N], f32>) -> !linnet.tensor<[2, N], f32>
    linnet.return
  }
}

// CHECK-LABEL: linnet.block @"m::C"<
linnet.block @"m::C"<N: Dim> {
  linnet.func fn @forward<*S: Shape>(%x: !linnet.tensor<[*S, N], f32>) -> !linnet.tensor<[*S, N], f32> where ["N > 0"] {
    linnet.return %x : !linnet.tensor<[*S, N], f32>
  }
}
