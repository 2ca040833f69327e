// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @eq_gives_booleans<
linnet.func fn @eq_gives_booleans<N: Dim>(%a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.compare eq %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %c = linnet.compare eq %a, %a : !linnet.tensor<[N], f32>
  %d = linnet.not %c : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @ne_gives_booleans<
linnet.func fn @ne_gives_booleans<N: Dim>(%a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.compare ne %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %c = linnet.compare ne %a, %a : !linnet.tensor<[N], f32>
  %d = linnet.not %c : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @lt_gives_booleans<
linnet.func fn @lt_gives_booleans<N: Dim>(%a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.compare lt %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %c = linnet.compare lt %a, %a : !linnet.tensor<[N], f32>
  %d = linnet.not %c : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @le_gives_booleans<
linnet.func fn @le_gives_booleans<N: Dim>(%a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.compare le %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %c = linnet.compare le %a, %a : !linnet.tensor<[N], f32>
  %d = linnet.not %c : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @gt_gives_booleans<
linnet.func fn @gt_gives_booleans<N: Dim>(%a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.compare gt %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %c = linnet.compare gt %a, %a : !linnet.tensor<[N], f32>
  %d = linnet.not %c : !linnet.tensor<[N], i1>
  linnet.return
}

// CHECK-LABEL: linnet.func fn @ge_gives_booleans<
linnet.func fn @ge_gives_booleans<N: Dim>(%a: !linnet.tensor<[N], f32>) {
  // CHECK: linnet.compare ge %{{.*}}, %{{.*}} : !linnet.tensor<[N], f32>
  %c = linnet.compare ge %a, %a : !linnet.tensor<[N], f32>
  %d = linnet.not %c : !linnet.tensor<[N], i1>
  linnet.return
}
