// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @direct_and_computed_parts<
linnet.func fn @direct_and_computed_parts<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N, 4], f32>, %n: !linnet.tensor<[], i32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    // CHECK: linnet.access %{{.*}}[%{{.*}}, %{{.*}}] : !linnet.tensor<[N, 4], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    %v = linnet.access %x[%i, %n] : !linnet.tensor<[N, 4], f32>, (!linnet.index<[N]>, !linnet.tensor<[], i32>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_pack_index_covers_its_axes<
linnet.func fn @a_pack_index_covers_its_axes<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[2, *S, N], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[2, *S, N], f32> {
  ^bb0(%s: !linnet.index<[2, *S]>, %i: !linnet.index<[N]>):
    // CHECK: linnet.access %{{.*}}[%{{.*}}, %{{.*}}] : !linnet.tensor<[2, *S, N], f32>, (!linnet.index<[2, *S]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
    %v = linnet.access %x[%s, %i] : !linnet.tensor<[2, *S, N], f32>, (!linnet.index<[2, *S]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_symbolic_extent_is_left_to_be_proven<
linnet.func fn @a_symbolic_extent_is_left_to_be_proven<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[2 * N], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[M], f32> {
  ^bb0(%i: !linnet.index<[M]>):
    // CHECK: linnet.access %{{.*}}[%{{.*}}] : !linnet.tensor<[2 * N], f32>, (!linnet.index<[M]>) -> !linnet.tensor<[], f32>
    %v = linnet.access %x[%i] : !linnet.tensor<[2 * N], f32>, (!linnet.index<[M]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_scalar_has_no_parts<
linnet.func fn @a_scalar_has_no_parts<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[], f32> {
    // CHECK: linnet.access %{{.*}}[] : !linnet.tensor<[], f32>, () -> !linnet.tensor<[], f32>
    %v = linnet.access %x[] : !linnet.tensor<[], f32>, () -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}

// CHECK-LABEL: linnet.func fn @a_diagonal<
linnet.func fn @a_diagonal<N: Dim, M: Dim, *S: Shape, *R: Shape>(%x: !linnet.tensor<[N, N], f32>, %z: !linnet.tensor<[], f32>) {
  %y = linnet.comprehension -> !linnet.tensor<[N], f32> {
  ^bb0(%i: !linnet.index<[N]>):
    // CHECK: linnet.access %{{.*}}[%{{.*}}, %{{.*}}] : !linnet.tensor<[N, N], f32>, (!linnet.index<[N]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
    %v = linnet.access %x[%i, %i] : !linnet.tensor<[N, N], f32>, (!linnet.index<[N]>, !linnet.index<[N]>) -> !linnet.tensor<[], f32>
    linnet.yield %z : !linnet.tensor<[], f32>
  }
  linnet.return
}
