// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::B"<
linnet.block @"m::B"<N: Dim, V: Float> {
  linnet.state @s : !linnet.tensor<[N], V: Float>
  linnet.func fn @state_is_replaced(%v: !linnet.tensor<[N], V: Float>) {
    // CHECK: linnet.assign_state @s, %{{.*}} : !linnet.tensor<[N], V: Float>
    linnet.assign_state @s, %v : !linnet.tensor<[N], V: Float>
    linnet.return
  }
}
