// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.func fn @a_method_knows_its_instance() {
    // CHECK: linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    %i = linnet.self : !linnet.instance<@"m::B"<N, V: Float>>
    linnet.return
  }
}
