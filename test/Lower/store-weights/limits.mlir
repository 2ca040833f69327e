// RUN: not linnet-opt %s --linnet-store-weights=dtype=i3 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not linnet-opt %s --linnet-store-weights="dtype=i8 plan=w" 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not linnet-opt %s --linnet-store-weights="dtype=i8 plan=w:2" 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not linnet-opt %s --linnet-store-weights="dtype=i4 group=24" 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not linnet-opt %s --linnet-store-weights="dtype=i4 group=8" 2>&1 | FileCheck %s --check-prefix=SMALL

// GROUP: error: `linnet-store-weights` has no groups of 24: a power of two from 16 on
// SMALL: error: `linnet-store-weights` has no groups of 8: a power of two from 16 on
// DTYPE: error: `linnet-store-weights` has no dtype `i3`: bf16, f16, i8 and i4 are there
// PLAN: error: `linnet-store-weights` needs `PATH:AXIS` in its plan, found `w`
// AXIS: error: `linnet-store-weights` has no axis 2 of "w"
linnet.func entry @weight_by_rows(
    %x: !linnet.tensor<[2, 3], f32> {linnet.kind = "input", linnet.name = "x"},
    %w: !linnet.tensor<[5, 3], f32> {linnet.kind = "param", linnet.path = "w"}) -> !linnet.tensor<[2, 5], f32> {
  %0 = linnet.contract %x, %w batch [] x [] contract [1] x [1] : !linnet.tensor<[2, 3], f32>, !linnet.tensor<[5, 3], f32> -> !linnet.tensor<[2, 5], f32>
  linnet.return %0 : !linnet.tensor<[2, 5], f32>
}
