// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @element_by_element<
linnet.func fn @element_by_element<N: Dim>(%c: !linnet.tensor<[N], i1>, %a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.select %{{.*}}, %{{.*}}, %{{.*}} : !linnet.tensor<[N], i1>, !linnet.tensor<[N], f32>
  %y = linnet.select %c, %a, %a : !linnet.tensor<[N], i1>, !linnet.tensor<[N], f32>
  linnet.return
}
