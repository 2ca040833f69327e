// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.block @"m::Plain" {
linnet.block @"m::Plain" {
}

// CHECK-LABEL: linnet.block @"m::Full"<
linnet.block @"m::Full"<N: Dim = 4, M: Dim = "2 * N", *S: Shape = [N, 2, "N / 2"], *R: Shape = [*S], V: Float = f32, W: DType = V: Float> where ["N > 0", "N % 2 == 0", "M != N"] attributes {linnet.claim = 1 : i64} {
  // CHECK: linnet.require "N + 1 > 0" code "E2205"
  linnet.require "N + 1 > 0" code "E2205"
}
