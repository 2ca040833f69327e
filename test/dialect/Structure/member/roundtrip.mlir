// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.param @w : !linnet.tensor<[2 * N], V: Float>
  linnet.state @s : !linnet.tensor<[N], V: Float>
  linnet.sub_block @c : !linnet.instance<@"m::C"<N + 1>>
  linnet.func fn @members_are_read() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    // CHECK: linnet.member %{{.*}}, @w : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[2 * N], V: Float>
    %w = linnet.member %i, @w : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[2 * N], V: Float>
    // CHECK: linnet.member %{{.*}}, @s : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[N], V: Float>
    %s = linnet.member %i, @s : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.tensor<[N], V: Float>
    // CHECK: linnet.member %{{.*}}, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N + 1>>
    %c = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.instance<@"m::C"<N + 1>>
    // CHECK: linnet.member %{{.*}}, @b : !linnet.instance<@"m::C"<N + 1>> -> !linnet.tensor<[N - 1], f32>
    %b = linnet.member %c, @b : !linnet.instance<@"m::C"<N + 1>> -> !linnet.tensor<[N - 1], f32>
    linnet.return
  }
}

// CHECK-LABEL: linnet.block @"m::C"<
linnet.block @"m::C"<N: Dim> {
  linnet.buffer @b : !linnet.tensor<[N - 2], f32>
}
