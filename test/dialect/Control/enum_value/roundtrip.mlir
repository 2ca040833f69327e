// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

linnet.enum @"m::Mode" ["Fast", "Slow"]

// CHECK-LABEL: linnet.func fn @a_variant(
linnet.func fn @a_variant() {
  // CHECK: linnet.enum_value "Slow" : !linnet.enum<@"m::Mode">
  %e = linnet.enum_value "Slow" : !linnet.enum<@"m::Mode">
  linnet.return
}
