// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_cell_is_read_and_written(
linnet.func fn @a_cell_is_read_and_written(%s: !linnet.ref<!linnet.tensor<[2], f32>>) {
  // CHECK: linnet.read_state %{{.*}} : !linnet.ref<!linnet.tensor<[2], f32>>
  %v = linnet.read_state %s : !linnet.ref<!linnet.tensor<[2], f32>>
  // CHECK: linnet.write_state %{{.*}}, %{{.*}} : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.write_state %s, %v : !linnet.ref<!linnet.tensor<[2], f32>>
  linnet.return
}
