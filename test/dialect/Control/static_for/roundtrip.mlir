// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @each_element_of_an_array(%x: !linnet.tensor<[2], f32>, %y: !linnet.tensor<[3], f32>, %c: !linnet.tensor<[], i1>, %n: !linnet.tensor<[], i32>) {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // CHECK: linnet.static_for %{{.*}} in %{{.*}} : !linnet.array<!linnet.instance<@"m::C"<N>>, N> iter (%{{.*}} = %{{.*}} : !linnet.tensor<[2], f32>) {
    %r = linnet.static_for %layer in %a : !linnet.array<!linnet.instance<@"m::C"<N>>, N> iter (%v = %x : !linnet.tensor<[2], f32>) {
      linnet.yield %v : !linnet.tensor<[2], f32>
    }
    // CHECK: linnet.static_for %{{.*}} in %{{.*}} : !linnet.array<!linnet.instance<@"m::C"<N>>, N> {
    linnet.static_for %layer in %a : !linnet.array<!linnet.instance<@"m::C"<N>>, N> {
      linnet.yield
    }
    linnet.return
  }
}

// CHECK-LABEL: linnet.block @"m::C"<
linnet.block @"m::C"<N: Dim> {
}
