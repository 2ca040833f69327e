// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @neg_of_a_tensor<
linnet.func fn @neg_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], i32>) {
  // CHECK: linnet.neg %{{.*}} : !linnet.tensor<[N], i32>
  %y = linnet.neg %x : !linnet.tensor<[N], i32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @abs_of_a_tensor<
linnet.func fn @abs_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.abs %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.abs %x : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @exp_of_a_tensor<
linnet.func fn @exp_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.exp %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.exp %x : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @log_of_a_tensor<
linnet.func fn @log_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f64>) {
  // CHECK: linnet.log %{{.*}} : !linnet.tensor<[N], f64>
  %y = linnet.log %x : !linnet.tensor<[N], f64>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @sqrt_of_a_tensor<
linnet.func fn @sqrt_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], bf16>) {
  // CHECK: linnet.sqrt %{{.*}} : !linnet.tensor<[N], bf16>
  %y = linnet.sqrt %x : !linnet.tensor<[N], bf16>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @rsqrt_of_a_tensor<
linnet.func fn @rsqrt_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f16>) {
  // CHECK: linnet.rsqrt %{{.*}} : !linnet.tensor<[N], f16>
  %y = linnet.rsqrt %x : !linnet.tensor<[N], f16>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @sin_of_a_tensor<
linnet.func fn @sin_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.sin %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.sin %x : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @cos_of_a_tensor<
linnet.func fn @cos_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.cos %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.cos %x : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @tanh_of_a_tensor<
linnet.func fn @tanh_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.tanh %{{.*}} : !linnet.tensor<[N], f32>
  %y = linnet.tanh %x : !linnet.tensor<[N], f32>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @not_of_a_tensor<
linnet.func fn @not_of_a_tensor<N: Dim>(%x: !linnet.tensor<[N], i1>) {
  // CHECK: linnet.not %{{.*}} : !linnet.tensor<[N], i1>
  %y = linnet.not %x : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_dtype_variable_has_its_class<
linnet.func fn @a_dtype_variable_has_its_class<*S: Shape, V: Float>(%x: !linnet.tensor<[*S], V: Float>) {
  // CHECK: linnet.exp %{{.*}} : !linnet.tensor<[*S], V: Float>
  %y = linnet.exp %x : !linnet.tensor<[*S], V: Float>
  linnet.return
}
