// RUN: linnet-opt %s | linnet-opt | FileCheck %s

// CHECK-LABEL: func.func @transpose_prints_as_it_reads(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT:    %[[Y:.*]] = linnet.transpose %[[X]], [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK-NEXT:    return %[[Y]] : tensor<3x2xf32>
func.func @transpose_prints_as_it_reads(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = linnet.transpose %x, [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
