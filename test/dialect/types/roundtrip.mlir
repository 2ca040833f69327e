// RUN: linnet-opt %s | linnet-opt | FileCheck %s

// Types and attributes read back as they are written, in canonical form.
// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i1>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i1>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i8>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i8>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i16>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i16>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i32>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i32>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i64>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], i64>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui8>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui8>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui16>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui16>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui32>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui32>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui64>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], ui64>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], f16>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], f16>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], bf16>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], bf16>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], f32>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], f32>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], f64>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[], f64>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[B, *S, 3 * H], V: Float>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[B, *S, 3 * H], V: Float>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[H / Heads, H % Heads, A - B, min(K, N), max(K, N + 1)], V: DType>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[H / Heads, H % Heads, A - B, min(K, N), max(K, N + 1)], V: DType>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[prod(*S)], f32>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[prod(*S)], f32>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.optional<!linnet.tensor<[N], f32>>}
linnet.require "1 > 0" code "E2205" {a = !linnet.optional<!linnet.tensor<[N], f32>>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = tuple<!linnet.tensor<[], f32>, tuple<>>}
linnet.require "1 > 0" code "E2205" {a = tuple<!linnet.tensor<[], f32>, tuple<>>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.enum<@"m::Mode">}
linnet.require "1 > 0" code "E2205" {a = !linnet.enum<@"m::Mode">}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.enum<@Plain>}
linnet.require "1 > 0" code "E2205" {a = !linnet.enum<@Plain>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.instance<@Plain>}
linnet.require "1 > 0" code "E2205" {a = !linnet.instance<@Plain>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.instance<@"m::Block"<H, 3 * H, [A, *S, 2], [], bf16, V: Numeric>>}
linnet.require "1 > 0" code "E2205" {a = !linnet.instance<@"m::Block"<H, 3 * H, [A, *S, 2], [], bf16, V: Numeric>>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.array<!linnet.instance<@"m::Block"<H>>, Layers - 1>}
linnet.require "1 > 0" code "E2205" {a = !linnet.array<!linnet.instance<@"m::Block"<H>>, Layers - 1>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.index<[N]>}
linnet.require "1 > 0" code "E2205" {a = !linnet.index<[N]>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.index<[*S, 2]>}
linnet.require "1 > 0" code "E2205" {a = !linnet.index<[*S, 2]>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.index<[]>}
linnet.require "1 > 0" code "E2205" {a = !linnet.index<[]>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.ref<!linnet.tensor<[4], f32>>}
linnet.require "1 > 0" code "E2205" {a = !linnet.ref<!linnet.tensor<[4], f32>>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.dtype<V: Integer>}
linnet.require "1 > 0" code "E2205" {a = !linnet.dtype<V: Integer>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.dim<3 * H>}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<3 * H>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.dim<-2>}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<-2>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.dim<99999999999999999999>}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<99999999999999999999>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.pack<*S>}
linnet.require "1 > 0" code "E2205" {a = #linnet.pack<*S>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.shape<[A, *S, 3]>}
linnet.require "1 > 0" code "E2205" {a = #linnet.shape<[A, *S, 3]>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.shape<[]>}
linnet.require "1 > 0" code "E2205" {a = #linnet.shape<[]>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.constraint<"H % Heads == 0">}
linnet.require "1 > 0" code "E2205" {a = #linnet.constraint<"H % Heads == 0">}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.constraint<"A + 1 <= B">}
linnet.require "1 > 0" code "E2205" {a = #linnet.constraint<"A + 1 <= B">}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.generic<H: Dim>}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<H: Dim>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.generic<*S: Shape = [A, 2]>}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<*S: Shape = [A, 2]>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.generic<V: Float = f32>}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<V: Float = f32>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.generic<N: Dim = 2 * H>}
linnet.require "1 > 0" code "E2205" {a = #linnet.generic<N: Dim = 2 * H>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = #linnet.dim<2 * H>}
linnet.require "1 > 0" code "E2205" {a = #linnet.dim<H*(1+1)>}

// CHECK: linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[N], f32>}
linnet.require "1 > 0" code "E2205" {a = !linnet.tensor<[ (2 * N) / 2 ] , f32>}
