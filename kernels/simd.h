// The vector layer: one set of names over AVX-512 and AVX2, and exp on top.
#ifndef LINNET_KERNELS_SIMD_H
#define LINNET_KERNELS_SIMD_H

#include <stdint.h>

// Everything the kernels are made of is inlined into the functions that fix the
// storage type, so that a `switch` on it costs nothing at run time.
#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

typedef enum { F32, BF16, F16, I8, I4 } storage_t;

INLINE int64_t storage_bytes(storage_t s) {
  return s == F32 ? 4 : s == BF16 || s == F16 ? 2 : 1;
}

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#include "simd_v4.h"
#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#include "simd_v3.h"
#else
#error "the kernels need at least x86-64-v3: -march=x86-64-v3"
#endif

INLINE int64_t at_most(int64_t a, int64_t b) { return a < b ? a : b; }
INLINE int64_t at_least(int64_t a, int64_t b) { return a > b ? a : b; }
INLINE int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

enum { LINE = 64 }; // bytes of a cache line

// No address faults, so it may lie beyond the end of an array.
INLINE void prefetch_l2(const void *p) { __builtin_prefetch(p, 0, 2); }

// exp to about one unit in the last place; NaN stays NaN. With
// x = n ln 2 + r, |r| <= ln 2 / 2, the Taylor polynomial of degree 7 has a
// relative error below r^8 / 8! = 5e-9, less than f32 shows. ln 2 comes in two
// parts, the first with so few bits that n times it is exact.
INLINE vf v_exp(vf x) {
  x = v_min(v_all(89.0f), v_max(v_all(-104.0f), x));
  vf n = v_round(v_mul(x, v_all(1.44269504f)));
  vf r = v_fnma(n, v_all(0.693359375f), x);
  r = v_fnma(n, v_all(-2.12194440e-4f), r);
  vf p = v_all(1.0f / 5040);
  p = v_fma(p, r, v_all(1.0f / 720));
  p = v_fma(p, r, v_all(1.0f / 120));
  p = v_fma(p, r, v_all(1.0f / 24));
  p = v_fma(p, r, v_all(1.0f / 6));
  p = v_fma(p, r, v_all(0.5f));
  p = v_fma(p, r, v_all(1.0f));
  p = v_fma(p, r, v_all(1.0f));
  return v_scale2(p, n);
}

INLINE float scalar_sqrt(float x) {
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
}

#endif // LINNET_KERNELS_SIMD_H
