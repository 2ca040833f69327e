// Vectors of 8 floats: x86-64-v3 (AVX2, FMA, F16C).
#ifndef LINNET_KERNELS_SIMD_V3_H
#define LINNET_KERNELS_SIMD_V3_H

#include <immintrin.h>
#include <stdint.h>

enum { VL = 8 };
typedef __m256 vf;
typedef __m256 vm; // all bits of an element, or none

// The first `n` elements, 1 <= n <= VL. A masked access never faults on the
// elements outside.
INLINE __m256i v_first(int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// The first n elements, and none for n <= 0.
INLINE vm v_until(int64_t n) { return (vm)v_first(n); }

INLINE vf v_zero(void) { return _mm256_setzero_ps(); }
INLINE vf v_all(float x) { return _mm256_set1_ps(x); }
INLINE vf v_load(const float *p) { return _mm256_loadu_ps(p); }
INLINE vf v_load_n(const float *p, int64_t n) {
  return _mm256_maskload_ps(p, v_first(n));
}
INLINE void v_store(float *p, vf x) { _mm256_storeu_ps(p, x); }
INLINE void v_store_n(float *p, vf x, int64_t n) {
  _mm256_maskstore_ps(p, v_first(n), x);
}

INLINE vf v_add(vf a, vf b) { return _mm256_add_ps(a, b); }
INLINE vf v_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
INLINE vf v_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
INLINE vf v_div(vf a, vf b) { return _mm256_div_ps(a, b); }
// a * b + c, and c - a * b.
INLINE vf v_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
INLINE vf v_fnma(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); }
// The second operand where one is NaN: v_max(bound, x) keeps the NaN of x.
INLINE vf v_max(vf a, vf b) { return _mm256_max_ps(a, b); }
INLINE vf v_min(vf a, vf b) { return _mm256_min_ps(a, b); }
INLINE vf v_abs(vf a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
INLINE vf v_round(vf a) {
  return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
// a * 2^n for a whole number -252 <= n <= 254, in two steps, so that results
// below the normal range come out right.
INLINE vf v_scale2(vf a, vf n) {
  __m256i whole = _mm256_cvtps_epi32(n);
  __m256i half = _mm256_srai_epi32(whole, 1);
  __m256i rest = _mm256_sub_epi32(whole, half);
  __m256i bias = _mm256_set1_epi32(127);
  vf p = (vf)_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
  vf q = (vf)_mm256_slli_epi32(_mm256_add_epi32(rest, bias), 23);
  return v_mul(v_mul(a, p), q);
}
INLINE float v_sum(vf a) {
  __m128 x = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  x = _mm_add_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}
INLINE float v_highest(vf a) {
  __m128 x = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  x = _mm_max_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)));
}

INLINE vm v_nonnegative(vf a) { return _mm256_cmp_ps(a, v_zero(), _CMP_GE_OQ); }
INLINE vf v_select(vm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }

// n bytes at p, n <= 8, the others zero: there is no masked load of bytes.
NOINLINE __m128i v_low_bytes(const void *p, int64_t n) {
  if (n == 8)
    return _mm_loadl_epi64((const __m128i *)p);
  if (n == 4)
    return _mm_loadu_si32(p);
  const uint8_t *b = (const uint8_t *)p;
  uint64_t word = 0;
  for (int64_t i = 0; i < n; ++i)
    word |= (uint64_t)b[i] << (8 * i);
  return _mm_cvtsi64_si128((int64_t)word);
}
NOINLINE __m128i v_low_shorts(const void *p, int64_t n) {
  if (n == 8)
    return _mm_loadu_si128((const __m128i *)p);
  if (n <= 4)
    return v_low_bytes(p, 2 * n);
  return _mm_unpacklo_epi64(v_low_bytes(p, 8),
                            v_low_bytes((const uint8_t *)p + 8, 2 * n - 8));
}

// True where the byte is not zero; false beyond the first `n`.
INLINE vm v_bytes(const uint8_t *p, int64_t n) {
  __m256i b = _mm256_cvtepu8_epi32(v_low_bytes(p, n));
  return (vm)_mm256_cmpgt_epi32(b, _mm256_setzero_si256());
}
INLINE uint32_t v_bits(vm m) { return (uint32_t)_mm256_movemask_ps(m); }
// A bit for each of the first n bytes that is not zero, 1 <= n <= 64.
INLINE uint64_t bytes_64(const uint8_t *p, int64_t n) {
  uint64_t bits = 0;
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i b = _mm256_loadu_si256((const __m256i *)(p + i));
    __m256i zero = _mm256_cmpeq_epi8(b, _mm256_setzero_si256());
    bits |= (uint64_t)(uint32_t)~_mm256_movemask_epi8(zero) << i;
  }
  for (; i < n; ++i)
    bits |= (uint64_t)(p[i] != 0) << i;
  return bits;
}

INLINE vf v_bf16(__m128i x) {
  return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16);
}
INLINE vf v_i8(__m128i x) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(x));
}

// VL elements at p as f32, or the first n of them.
INLINE vf v_widen(const void *p, storage_t s) {
  switch (s) {
  case F32:
    return _mm256_loadu_ps(p);
  case BF16:
    return v_bf16(_mm_loadu_si128((const __m128i *)p));
  case F16:
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
  default:
    return v_i8(_mm_loadl_epi64((const __m128i *)p));
  }
}
INLINE vf v_widen_n(const void *p, storage_t s, int64_t n) {
  switch (s) {
  case F32:
    return v_load_n(p, n);
  case BF16:
    return v_bf16(v_low_shorts(p, n));
  case F16:
    return _mm256_cvtph_ps(v_low_shorts(p, n));
  default:
    return v_i8(v_low_bytes(p, n));
  }
}

// The 2n half bytes of the n bytes at p: those at even places, those at odd.
INLINE void v_half_bytes(const uint8_t *p, int64_t n, vf *even, vf *odd) {
  __m256i x = _mm256_cvtepu8_epi32(v_low_bytes(p, n));
  __m256i low = _mm256_set1_epi32(15);
  *even = _mm256_cvtepi32_ps(_mm256_and_si256(x, low));
  *odd = _mm256_cvtepi32_ps(_mm256_srli_epi32(x, 4));
}

// Words of 32 bits, eight half bytes each: the first n of VL at p.
typedef __m256i vw;
INLINE vw v_words(const uint8_t *p, int64_t n) {
  return n >= VL ? _mm256_loadu_si256((const __m256i *)p)
                 : _mm256_maskload_epi32((const int *)p, v_first(n));
}
// The four upper half bytes of each word as its lower ones.
INLINE vw v_upper(vw x) { return _mm256_srli_epi32(x, 16); }
// Half byte j < 4 of each word, times 16^j.
INLINE vf v_half_of(vw x, int j) {
  return _mm256_cvtepi32_ps(
      _mm256_and_si256(x, _mm256_set1_epi32(15 << 4 * j)));
}
// p[0] in the first `each` elements, p[1] in the next, ... of n there are; VL
// is a multiple of `each`.
INLINE vf v_repeat(const float *p, int64_t n, int64_t each) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256i at = _mm256_srli_epi32(lane, __builtin_ctzll(each));
  return _mm256_permutevar8x32_ps(v_load_n(p, n), at);
}

// 2 VL consecutive elements, parted into those at even and at odd places.
INLINE void v_unzip(vf low, vf high, vf *even, vf *odd) {
  __m256d e = (__m256d)_mm256_shuffle_ps(low, high, 0x88);
  __m256d o = (__m256d)_mm256_shuffle_ps(low, high, 0xdd);
  *even = (vf)_mm256_permute4x64_pd(e, 0xd8);
  *odd = (vf)_mm256_permute4x64_pd(o, 0xd8);
}
INLINE void v_zip(vf even, vf odd, vf *low, vf *high) {
  vf a = _mm256_unpacklo_ps(even, odd), b = _mm256_unpackhi_ps(even, odd);
  *low = _mm256_permute2f128_ps(a, b, 0x20);
  *high = _mm256_permute2f128_ps(a, b, 0x31);
}

// r[i][j] becomes r[j][i].
INLINE void v_transpose(vf r[VL]) {
  vf t[VL];
#pragma GCC unroll 4
  for (int i = 0; i < VL; i += 2) { // pairs within 128 bits
    t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
    t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
  }
#pragma GCC unroll 2
  for (int i = 0; i < VL; i += 4) { // fours within 128 bits
    r[i] = (vf)_mm256_unpacklo_pd((__m256d)t[i], (__m256d)t[i + 2]);
    r[i + 1] = (vf)_mm256_unpackhi_pd((__m256d)t[i], (__m256d)t[i + 2]);
    r[i + 2] = (vf)_mm256_unpacklo_pd((__m256d)t[i + 1], (__m256d)t[i + 3]);
    r[i + 3] = (vf)_mm256_unpackhi_pd((__m256d)t[i + 1], (__m256d)t[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) { // then the 2 x 2 blocks of 128 bits
    t[i] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x20);
    t[i + 4] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x31);
  }
#pragma GCC unroll 8
  for (int i = 0; i < VL; ++i)
    r[i] = t[i];
}

#endif // LINNET_KERNELS_SIMD_V3_H
