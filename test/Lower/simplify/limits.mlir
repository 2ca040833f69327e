// The pass has no option and no error of its own; what it needs is the verifier's to say.
// RUN: not linnet-opt %s --linnet-simplify 2>&1 | FileCheck %s

// CHECK: error: {{.*}}reduce
linnet.func fn @reduce_of_an_axis_that_is_not_there(%x: !linnet.tensor<[2, 3], f32>) -> !linnet.tensor<[2], f32> {
  %0 = linnet.reduce sum %x axes [5] : !linnet.tensor<[2, 3], f32> -> !linnet.tensor<[2], f32>
  linnet.return %0 : !linnet.tensor<[2], f32>
}
