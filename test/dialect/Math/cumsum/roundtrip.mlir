// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @along_an_axis_after_a_pack<
linnet.func fn @along_an_axis_after_a_pack<*S: Shape, N: Dim, T: Numeric>(%x: !linnet.tensor<[*S, N], T: Numeric>) {
  // CHECK: linnet.cumsum %{{.*}} axis = 1 : !linnet.tensor<[*S, N], T: Numeric>
  %y = linnet.cumsum %x axis = 1 : !linnet.tensor<[*S, N], T: Numeric>
  linnet.return
}
