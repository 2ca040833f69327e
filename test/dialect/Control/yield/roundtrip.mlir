// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_region_gives_values(
linnet.func fn @a_region_gives_values(%c: !linnet.tensor<[], i1>, %x: !linnet.tensor<[2], f32>) {
  %a:2 = linnet.if %c -> !linnet.tensor<[2], f32>, !linnet.tensor<[], i1> {
    // CHECK: linnet.yield %{{.*}}, %{{.*}} : !linnet.tensor<[2], f32>, !linnet.tensor<[], i1>
    linnet.yield %x, %c : !linnet.tensor<[2], f32>, !linnet.tensor<[], i1>
  } else {
    linnet.yield %x, %c : !linnet.tensor<[2], f32>, !linnet.tensor<[], i1>
  }
  linnet.return
}
