// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @a_claim_on_its_own<
linnet.func fn @a_claim_on_its_own<N: Dim>() {
  // CHECK: linnet.require "N > 0" code "E2205"
  linnet.require "N > 0" code "E2205"
  // CHECK: linnet.require "0 <= N - 1" code "E2209" {linnet.claim = 3 : i64}
  linnet.require "0 <= N - 1" code "E2209" {linnet.claim = 3 : i64}
  linnet.return
}
