// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @add_of_two_tensors<
linnet.func fn @add_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], f32>, %b: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.add %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.add %a, %b : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @sub_of_two_tensors<
linnet.func fn @sub_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], i32>, %b: !linnet.tensor<[N], i32>) {
  // CHECK: linnet.sub %{{.*}}, %{{.*}} : !linnet.tensor<[N], i32>
  %y = linnet.sub %a, %b : !linnet.tensor<[N], i32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @mul_of_two_tensors<
linnet.func fn @mul_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], ui8>, %b: !linnet.tensor<[N], ui8>) {
  // CHECK: linnet.mul %{{.*}}, %{{.*}} : !linnet.tensor<[N], ui8>
  %y = linnet.mul %a, %b : !linnet.tensor<[N], ui8>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @div_of_two_tensors<
linnet.func fn @div_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], f32>, %b: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.div %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.div %a, %b : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @rem_of_two_tensors<
linnet.func fn @rem_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], i64>, %b: !linnet.tensor<[N], i64>) {
  // CHECK: linnet.rem %{{.*}}, %{{.*}} : !linnet.tensor<[N], i64>
  %y = linnet.rem %a, %b : !linnet.tensor<[N], i64>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @min_of_two_tensors<
linnet.func fn @min_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], f32>, %b: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.min %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.min %a, %b : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @max_of_two_tensors<
linnet.func fn @max_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], f32>, %b: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.max %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.max %a, %b : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @and_of_two_tensors<
linnet.func fn @and_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], i1>, %b: !linnet.tensor<[N], i1>) {
  // CHECK: linnet.and %{{.*}}, %{{.*}} : !linnet.tensor<[N], i1>
  %y = linnet.and %a, %b : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @or_of_two_tensors<
linnet.func fn @or_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], i8>, %b: !linnet.tensor<[N], i8>) {
  // CHECK: linnet.or %{{.*}}, %{{.*}} : !linnet.tensor<[N], i8>
  %y = linnet.or %a, %b : !linnet.tensor<[N], i8>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @xor_of_two_tensors<
linnet.func fn @xor_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], i1>, %b: !linnet.tensor<[N], i1>) {
  // CHECK: linnet.xor %{{.*}}, %{{.*}} : !linnet.tensor<[N], i1>
  %y = linnet.xor %a, %b : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @shl_of_two_tensors<
linnet.func fn @shl_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], i32>, %b: !linnet.tensor<[N], i32>) {
  // CHECK: linnet.shl %{{.*}}, %{{.*}} : !linnet.tensor<[N], i32>
  %y = linnet.shl %a, %b : !linnet.tensor<[N], i32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @shr_of_two_tensors<
linnet.func fn @shr_of_two_tensors<N: Dim>(%a: !linnet.tensor<[N], ui32>, %b: !linnet.tensor<[N], ui32>) {
  // CHECK: linnet.shr %{{.*}}, %{{.*}} : !linnet.tensor<[N], ui32>
  %y = linnet.shr %a, %b : !linnet.tensor<[N], ui32>
  linnet.return
}
