// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_scalar_everywhere<
linnet.func fn @a_scalar_everywhere<A: Dim, *S: Shape, V: Numeric>(%x: !linnet.tensor<[], V: Numeric>) {
  // CHECK: linnet.splat %{{.*}} : !linnet.tensor<[], V: Numeric> -> !linnet.tensor<[A, *S], V: Numeric>
  %y = linnet.splat %x : !linnet.tensor<[], V: Numeric> -> !linnet.tensor<[A, *S], V: Numeric>
  linnet.return
}
