// RUN: not linnet-opt %s --linnet-bind="root=M generics='N'" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not linnet-opt %s --linnet-bind="root=M generics='N=1,N=2'" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not linnet-opt %s --linnet-bind="root=M generics='N=-1'" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not linnet-opt %s --linnet-bind="root=M generics='N=1,T=i32'" 2>&1 | FileCheck %s --check-prefix=CLASS
// RUN: not linnet-opt %s --linnet-bind="root=M generics='N=1' optionals=x.y,bias" 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not linnet-opt %s --linnet-bind="root=P generics='S=a'" 2>&1 | FileCheck %s --check-prefix=PACK
// RUN: not linnet-opt %s --linnet-bind="root=Long generics='N=1000000000'" 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: linnet-opt %s --linnet-bind="root=P generics='S=[2,3]'" | FileCheck %s --check-prefix=LIST
// RUN: linnet-opt %s --linnet-bind="root=P generics='S=2x3'" | FileCheck %s --check-prefix=LIST
// RUN: linnet-opt %s --linnet-bind="root=M entries=g generics='N=1,f.N=2,g.N=3' optionals=present" | FileCheck %s --check-prefix=OWN
// RUN: linnet-opt %s --linnet-bind="entries=free generics='K=5'" | FileCheck %s --check-prefix=FREE

// SHAPE: [usage] `N` is no generic; write NAME=VALUE
// TWICE: [usage] the generic `N` is given twice
// NEGATIVE: [usage] the dimension `N` must be a 64-bit integer >= 0, not `-1`
// CLASS: [E2112] `T: Float` cannot be `i32`
// PATH: [usage] no member or optional input has the path `x.y`
// PACK: [usage] the pack `S` must be a list such as `[2,3]`, not `a`
// LONG: [capability] the root has more than 100000 block instances
// LIST: linnet.func entry @f(%{{.*}}: !linnet.tensor<[2, 3], i8> {linnet.kind = "buffer", linnet.path = "b"}) attributes {linnet.bindings = {S = array<i64: 2, 3>}, linnet.root = "m::P"}
// OWN: linnet.func entry @g(%{{.*}}: !linnet.tensor<[2], f32> {linnet.kind = "param", linnet.optional, linnet.path = "bias"}) attributes {linnet.bindings = {N = 3 : i64, T = f32}, linnet.root = "m::M"}
// FREE: linnet.func entry @free(%{{.*}}: !linnet.tensor<[5], f32> {linnet.kind = "input", linnet.name = "x"}) attributes {linnet.bindings = {K = 5 : i64}}
// FREE-NOT: linnet.func
linnet.block @"m::M"<T: Float = f32> {
  linnet.param @bias : !linnet.optional<!linnet.tensor<[2], T: Float>>
  linnet.func entry @f<N: Dim>() {
    linnet.return
  }
  linnet.func entry @g<N: Dim>() {
    linnet.return
  }
}
linnet.block @"m::P"<*S: Shape> {
  linnet.buffer @b : !linnet.tensor<[*S], i8>
  linnet.func entry @f() {
    linnet.return
  }
}
linnet.func entry @"m::free"<K: Dim>(%x: !linnet.tensor<[K], f32> {linnet.name = "x"}) {
  linnet.return
}
linnet.block @"m::Long"<N: Dim> {
  linnet.sub_block @subs : !linnet.array<!linnet.instance<@"m::P"<[]>>, N>
  linnet.func entry @f() {
    linnet.return
  }
}
