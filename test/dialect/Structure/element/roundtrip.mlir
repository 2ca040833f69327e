// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.sub_block @c : !linnet.array<!linnet.instance<@"m::C"<N>>, N>
  linnet.func fn @an_element_of_an_array() {
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %a = linnet.member %i, @c : !linnet.instance<@"m::B"<N, V: Float>> -> !linnet.array<!linnet.instance<@"m::C"<N>>, N>
    // CHECK: linnet.element %{{.*}}[0] : !linnet.array<!linnet.instance<@"m::C"<N>>, N> -> !linnet.instance<@"m::C"<N>>
    %x = linnet.element %a[0] : !linnet.array<!linnet.instance<@"m::C"<N>>, N> -> !linnet.instance<@"m::C"<N>>
    // CHECK: linnet.element %{{.*}}["N - 1"] : !linnet.array<!linnet.instance<@"m::C"<N>>, N> -> !linnet.instance<@"m::C"<N>>
    %y = linnet.element %a["N - 1"] : !linnet.array<!linnet.instance<@"m::C"<N>>, N> -> !linnet.instance<@"m::C"<N>>
    linnet.return
  }
}

// CHECK-LABEL: linnet.block @"m::C"<
linnet.block @"m::C"<N: Dim> {
}
