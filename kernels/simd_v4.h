// Vectors of 16 floats: x86-64-v4 (AVX-512 F, BW, DQ, VL).
#ifndef LINNET_KERNELS_SIMD_V4_H
#define LINNET_KERNELS_SIMD_V4_H

#include <immintrin.h>
#include <stdint.h>

enum { VL = 16 };
typedef __m512 vf;
typedef __mmask16 vm; // one bit for each element

// The first `n` elements, 1 <= n <= VL. Elements outside are not touched, so a
// partial access at the end of an array never faults.
INLINE vm v_first(int64_t n) { return (vm)(0xffffu >> (VL - n)); }

// The first n elements, and none for n <= 0.
INLINE vm v_until(int64_t n) {
  return n >= VL ? 0xffff : n > 0 ? v_first(n) : 0;
}

INLINE vf v_zero(void) { return _mm512_setzero_ps(); }
INLINE vf v_all(float x) { return _mm512_set1_ps(x); }
INLINE vf v_load(const float *p) { return _mm512_loadu_ps(p); }
INLINE vf v_load_n(const float *p, int64_t n) {
  return _mm512_maskz_loadu_ps(v_first(n), p);
}
INLINE void v_store(float *p, vf x) { _mm512_storeu_ps(p, x); }
INLINE void v_store_n(float *p, vf x, int64_t n) {
  _mm512_mask_storeu_ps(p, v_first(n), x);
}

INLINE vf v_add(vf a, vf b) { return _mm512_add_ps(a, b); }
INLINE vf v_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
INLINE vf v_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
INLINE vf v_div(vf a, vf b) { return _mm512_div_ps(a, b); }
// a * b + c, and c - a * b.
INLINE vf v_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
INLINE vf v_fnma(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); }
// The second operand where one is NaN: v_max(bound, x) keeps the NaN of x.
INLINE vf v_max(vf a, vf b) { return _mm512_max_ps(a, b); }
INLINE vf v_min(vf a, vf b) { return _mm512_min_ps(a, b); }
INLINE vf v_abs(vf a) { return _mm512_abs_ps(a); }
INLINE vf v_round(vf a) {
  return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT);
}
// a * 2^n for a whole number n.
INLINE vf v_scale2(vf a, vf n) { return _mm512_scalef_ps(a, n); }
INLINE float v_sum(vf a) { return _mm512_reduce_add_ps(a); }
INLINE float v_highest(vf a) { return _mm512_reduce_max_ps(a); }

INLINE vm v_nonnegative(vf a) {
  return _mm512_cmp_ps_mask(a, v_zero(), _CMP_GE_OQ);
}
INLINE vf v_select(vm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }
// True where the byte is not zero; false beyond the first `n`.
INLINE vm v_bytes(const uint8_t *p, int64_t n) {
  __m128i b = _mm_maskz_loadu_epi8(v_first(n), p);
  return _mm_test_epi8_mask(b, b);
}
INLINE uint32_t v_bits(vm m) { return m; }
// A bit for each of the first n bytes that is not zero, 1 <= n <= 64.
INLINE uint64_t bytes_64(const uint8_t *p, int64_t n) {
  __m512i b = _mm512_maskz_loadu_epi8(~0ull >> (64 - n), p);
  return _mm512_test_epi8_mask(b, b);
}

INLINE vf v_bf16(__m256i x) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
}
INLINE vf v_i8(__m128i x) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(x));
}

// VL elements at p as f32, or the first n of them.
INLINE vf v_widen(const void *p, storage_t s) {
  switch (s) {
  case F32:
    return _mm512_loadu_ps(p);
  case BF16:
    return v_bf16(_mm256_loadu_si256((const __m256i *)p));
  case F16:
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
  default:
    return v_i8(_mm_loadu_si128((const __m128i *)p));
  }
}
INLINE vf v_widen_n(const void *p, storage_t s, int64_t n) {
  switch (s) {
  case F32:
    return v_load_n(p, n);
  case BF16:
    return v_bf16(_mm256_maskz_loadu_epi16(v_first(n), p));
  case F16:
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(v_first(n), p));
  default:
    return v_i8(_mm_maskz_loadu_epi8(v_first(n), p));
  }
}

// The 2n half bytes of the n bytes at p: those at even places, those at odd.
INLINE void v_half_bytes(const uint8_t *p, int64_t n, vf *even, vf *odd) {
  __m128i b = n == VL ? _mm_loadu_si128((const __m128i *)p)
                      : _mm_maskz_loadu_epi8(v_first(n), p);
  __m512i x = _mm512_cvtepu8_epi32(b), low = _mm512_set1_epi32(15);
  *even = _mm512_cvtepi32_ps(_mm512_and_si512(x, low));
  *odd = _mm512_cvtepi32_ps(_mm512_srli_epi32(x, 4));
}

// Words of 32 bits, eight half bytes each: the first n of VL at p.
typedef __m512i vw;
INLINE vw v_words(const uint8_t *p, int64_t n) {
  return n >= VL ? _mm512_loadu_si512(p)
                 : _mm512_maskz_loadu_epi32(v_first(n), p);
}
// The four upper half bytes of each word as its lower ones.
INLINE vw v_upper(vw x) { return _mm512_srli_epi32(x, 16); }
// Half byte j < 4 of each word, times 16^j.
INLINE vf v_half_of(vw x, int j) {
  return _mm512_cvtepi32_ps(
      _mm512_and_si512(x, _mm512_set1_epi32(15 << 4 * j)));
}
// p[0] in the first `each` elements, p[1] in the next, ... of n there are; VL
// is a multiple of `each`.
INLINE vf v_repeat(const float *p, int64_t n, int64_t each) {
  const __m512i lane =
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i at = _mm512_srli_epi32(lane, (unsigned)__builtin_ctzll(each));
  return _mm512_permutexvar_ps(at, v_load_n(p, n));
}

// 2 VL consecutive elements, parted into those at even and at odd places.
INLINE void v_unzip(vf low, vf high, vf *even, vf *odd) {
  const __m512i e = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                                      24, 26, 28, 30);
  *even = _mm512_permutex2var_ps(low, e, high);
  *odd = _mm512_permutex2var_ps(low, _mm512_add_epi32(e, _mm512_set1_epi32(1)),
                                high);
}
INLINE void v_zip(vf even, vf odd, vf *low, vf *high) {
  const __m512i l =
      _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  *low = _mm512_permutex2var_ps(even, l, odd);
  *high = _mm512_permutex2var_ps(
      even, _mm512_add_epi32(l, _mm512_set1_epi32(8)), odd);
}

// r[i][j] becomes r[j][i].
INLINE void v_transpose(vf r[VL]) {
  vf t[VL];
#pragma GCC unroll 8
  for (int i = 0; i < VL; i += 2) { // pairs within 128 bits
    t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < VL; i += 4) { // fours within 128 bits
    r[i] = (vf)_mm512_unpacklo_pd((__m512d)t[i], (__m512d)t[i + 2]);
    r[i + 1] = (vf)_mm512_unpackhi_pd((__m512d)t[i], (__m512d)t[i + 2]);
    r[i + 2] = (vf)_mm512_unpacklo_pd((__m512d)t[i + 1], (__m512d)t[i + 3]);
    r[i + 3] = (vf)_mm512_unpackhi_pd((__m512d)t[i + 1], (__m512d)t[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) { // then the 4 x 4 blocks of 128 bits
    vf a = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
    vf b = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
    vf c = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
    vf d = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
    t[i] = _mm512_shuffle_f32x4(a, c, 0x88);
    t[i + 8] = _mm512_shuffle_f32x4(a, c, 0xdd);
    t[i + 4] = _mm512_shuffle_f32x4(b, d, 0x88);
    t[i + 12] = _mm512_shuffle_f32x4(b, d, 0xdd);
  }
#pragma GCC unroll 16
  for (int i = 0; i < VL; ++i)
    r[i] = t[i];
}

#endif // LINNET_KERNELS_SIMD_V4_H
