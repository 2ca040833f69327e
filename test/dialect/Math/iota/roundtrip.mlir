// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @positions_along_an_axis<
linnet.func fn @positions_along_an_axis<N: Dim, V: Numeric>() {
  // CHECK: linnet.iota axis = 0 : !linnet.tensor<[N], i64>
  %i = linnet.iota axis = 0 : !linnet.tensor<[N], i64>
  // CHECK: linnet.iota axis = 1 : !linnet.tensor<[2, N], V: Numeric>
  %j = linnet.iota axis = 1 : !linnet.tensor<[2, N], V: Numeric>
  linnet.return
}
