// RUN: linnet-opt %s | linnet-opt | FileCheck %s

// CHECK-LABEL: linnet.func fn @all_parts(
// CHECK-SAME: %[[X:.*]]: !linnet.tensor<[2], f32>, %[[G:.*]]: !linnet.tensor<[2], f32>)
linnet.func fn @all_parts(%x: !linnet.tensor<[2], f32>, %g: !linnet.tensor<[2], f32>) -> !linnet.tensor<[2], f32> {
  // CHECK: linnet.scope method "m::Scale.apply" at "layers.0" (%a = %[[X]] : !linnet.tensor<[2], f32>) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>) attributes {generics = ["N=2"], names = ["a"], states = ["layers.0.s"]} {
  // CHECK-NEXT: linnet.mul %a, %[[G]]
  // CHECK-NEXT: linnet.yield
  %y:2 = linnet.scope method "m::Scale.apply" at "layers.0" (%a = %x : !linnet.tensor<[2], f32>) -> (!linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>) attributes {generics = ["N=2"], names = ["a"], states = ["layers.0.s"]} {
    %z = linnet.mul %a, %g : !linnet.tensor<[2], f32>
    linnet.yield %z, %a : !linnet.tensor<[2], f32>, !linnet.tensor<[2], f32>
  }
  linnet.return %y#0 : !linnet.tensor<[2], f32>
}

// CHECK-LABEL: linnet.func fn @nothing_in_and_out(
linnet.func fn @nothing_in_and_out() {
  // CHECK-NEXT: linnet.scope fn "m::f" () {
  // CHECK-NEXT: linnet.yield
  linnet.scope fn "m::f" () {
    linnet.yield
  }
  linnet.return
}
