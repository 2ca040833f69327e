// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_dim_as_a_value<
linnet.func fn @a_dim_as_a_value<H: Dim, Heads: Dim, V: Integer>() {
  // CHECK: linnet.dim_constant "H / Heads" : !linnet.tensor<[], f32>
  %d = linnet.dim_constant "H / Heads" : !linnet.tensor<[], f32>
  // CHECK: linnet.dim_constant H : !linnet.tensor<[], V: Integer>
  %e = linnet.dim_constant H : !linnet.tensor<[], V: Integer>
  // CHECK: linnet.dim_constant 3 : !linnet.tensor<[], i64>
  %f = linnet.dim_constant 3 : !linnet.tensor<[], i64>
  linnet.return
}
