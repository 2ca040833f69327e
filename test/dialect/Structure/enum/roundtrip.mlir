// RUN: linnet-opt %s | linnet-opt | FileCheck %s
// RUN: linnet-opt %s --mlir-print-op-generic | linnet-opt | FileCheck %s

// CHECK: linnet.enum @"m::Mode" ["Fast", "Slow"]
linnet.enum @"m::Mode" ["Fast", "Slow"]
// CHECK: linnet.enum @Empty []
linnet.enum @Empty []
