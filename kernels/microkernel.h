// The inner loop of all products with many rows: C[mr, NR] (+)= A[mr, k] B[k,
// NR] with C in registers.
#ifndef LINNET_KERNELS_MICROKERNEL_H
#define LINNET_KERNELS_MICROKERNEL_H

#include "simd.h"

// Two vectors of B and all rows of A that the registers hold: 14 x 2 sums, 2
// vectors of B and one element of A are 31 of the 32 registers of AVX-512, and
// 6 x 2 + 2 + 1 are 15 of AVX2's 16. A step of k is 28 (12) FMAs for 16 (8)
// loads: the FMA units are the limit, one 512-bit or two 256-bit FMAs a cycle
// on Zen 4, with latency hidden by the number of sums.
#ifdef __AVX512F__
#define MICRO_ROWS 14
#else
#define MICRO_ROWS 6
#endif
enum { MR = MICRO_ROWS, NR = 2 * VL };

// Depth of a block. A block of A is MR x KC (21 KiB) and mostly stays in L1
// while the panels of B pass by; a panel of B is KC x NR (48 KiB) and comes
// from L2 at two lines for each 28 cycles. The sums are read and written once
// for each block of K, twice for 768.
enum { KC = 384 };

// From row to row of a block of A. A is not transposed: the elements of one
// step of k are read by constant offsets from one pointer, and the odd number
// of cache lines spreads the rows over the sets of L1.
enum { A_STRIDE = KC + 16 };

INLINE void micro(const int mr, const float *a, const float *b, int64_t depth,
                  float *c, int64_t ldc, int add) {
  vf sum[MR][2];
#pragma GCC unroll 14
  for (int r = 0; r < mr; ++r) {
    sum[r][0] = v_zero();
    sum[r][1] = v_zero();
    __builtin_prefetch(c + r * ldc, 1, 3);
    __builtin_prefetch(c + r * ldc + NR - 1, 1, 3);
  }
  for (int64_t k = 0; k < depth; ++k, ++a, b += NR) {
    vf b0 = v_load(b), b1 = v_load(b + VL);
#pragma GCC unroll 14
    for (int r = 0; r < mr; ++r) {
      vf x = v_all(a[r * A_STRIDE]);
      sum[r][0] = v_fma(x, b0, sum[r][0]);
      sum[r][1] = v_fma(x, b1, sum[r][1]);
    }
  }
#pragma GCC unroll 14
  for (int r = 0; r < mr; ++r) {
    float *to = c + r * ldc;
    if (add) {
      sum[r][0] = v_add(v_load(to), sum[r][0]);
      sum[r][1] = v_add(v_load(to + VL), sum[r][1]);
    }
    v_store(to, sum[r][0]);
    v_store(to + VL, sum[r][1]);
  }
}

#define MICRO(mr)                                                              \
  NOINLINE void micro_##mr(const float *a, const float *b, int64_t depth,      \
                           float *c, int64_t ldc, int add) {                   \
    micro(mr, a, b, depth, c, ldc, add);                                       \
  }
MICRO(1)
MICRO(2)
MICRO(3)
MICRO(4)
MICRO(5)
MICRO(6)
#if MICRO_ROWS == 14
MICRO(7)
MICRO(8)
MICRO(9)
MICRO(10)
MICRO(11)
MICRO(12)
MICRO(13)
MICRO(14)
#endif
#undef MICRO

// 1 <= rows <= MR: the rows at the end cost what they are.
INLINE void micro_rows(int64_t rows, const float *a, const float *b,
                       int64_t depth, float *c, int64_t ldc, int add) {
  switch (rows) {
#define CASE(mr)                                                               \
  case mr:                                                                     \
    return micro_##mr(a, b, depth, c, ldc, add);
    CASE(1)
    CASE(2)
    CASE(3)
    CASE(4)
    CASE(5)
    CASE(6)
#if MICRO_ROWS == 14
    CASE(7)
    CASE(8)
    CASE(9)
    CASE(10)
    CASE(11)
    CASE(12)
    CASE(13)
    CASE(14)
#endif
#undef CASE
  }
}

// The same for 1 <= columns <= NR: columns beyond are neither read nor written.
NOINLINE void micro_tile(int64_t rows, int64_t columns, const float *a,
                         const float *b, int64_t depth, float *c, int64_t ldc,
                         int add) {
  if (columns == NR) {
    micro_rows(rows, a, b, depth, c, ldc, add);
    return;
  }
  _Alignas(64) float whole[MR * NR];
  micro_rows(rows, a, b, depth, whole, NR, 0);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < columns; i += VL) {
      int64_t n = at_most(VL, columns - i);
      vf v = v_load_n(whole + r * NR + i, n);
      if (add)
        v = v_add(v_load_n(c + r * ldc + i, n), v);
      v_store_n(c + r * ldc + i, v, n);
    }
}

#endif // LINNET_KERNELS_MICROKERNEL_H
