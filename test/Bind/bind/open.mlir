// RUN: linnet-opt %s --linnet-bind="root=m::Model open=true generics='MaxSeq=16'" | FileCheck %s

// `S` has no value: it stays a symbol, with what is known of it. `MaxSeq` is a number.
linnet.func fn @"m::tail"<N: Dim>(%x: !linnet.tensor<[N], f32>) -> !linnet.tensor<[N - 1], f32> where ["N > 0"] {
  %y = linnet.slice %x starts [1] steps [1] : !linnet.tensor<[N], f32> -> !linnet.tensor<[N - 1], f32>
  linnet.return %y : !linnet.tensor<[N - 1], f32>
}

linnet.block @"m::Model"<MaxSeq: Dim> where ["MaxSeq > 0"] {
  linnet.func entry @run<S: Dim>(%x: !linnet.tensor<[2 * S], f32> {linnet.name = "x"}) -> !linnet.tensor<[2 * S - 1], f32> where ["S > 0", "2 * S <= MaxSeq"] {
    %n = linnet.dim_constant "MaxSeq - S" : !linnet.tensor<[], f32>
    %y = linnet.call @"m::tail"<"2 * S">(%x) : (!linnet.tensor<[2 * S], f32>) -> !linnet.tensor<[2 * S - 1], f32>
    linnet.return %y : !linnet.tensor<[2 * S - 1], f32>
  }
}

// CHECK:      linnet.func entry @run<S: Dim>(%[[X:.*]]: !linnet.tensor<[2 * S], f32>
// CHECK-SAME: where ["S > 0", "2 * S <= 16"]
// CHECK-SAME: linnet.constraints = ["S > 0", "2 * S <= MaxSeq"]
// CHECK-SAME: linnet.ranges = {S = array<i64: 1, 8>}
// CHECK-NEXT: linnet.dim_constant "16 - S"
// CHECK-NEXT: linnet.slice %[[X]] starts [1] steps [1] : !linnet.tensor<[2 * S], f32> -> !linnet.tensor<[2 * S - 1], f32>
