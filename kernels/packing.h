// Blocks of a stored matrix, widened to f32 and laid out as the microkernel
// reads them.
#ifndef LINNET_KERNELS_PACKING_H
#define LINNET_KERNELS_PACKING_H

#include "microkernel.h"

// A matrix as it is stored. `ld` is in elements, for half bytes in bytes; the
// rest is for half bytes alone: a scale and a zero for each `group` of the `k`
// in a row.
typedef struct {
  const void *w;
  int64_t ld;
  const float *scale, *zero;
  int64_t group, k;
} matrix_t;

// The result is b[p][k][0..NR), panel p for columns p NR ..; columns beyond
// `columns` are zero.

// From w[k, n], rows k..k+depth.
INLINE void pack_kn(matrix_t a, storage_t s, int64_t k, int64_t depth,
                    int64_t n, int64_t columns, float *b) {
  const int64_t bytes = storage_bytes(s);
  for (int64_t i = 0; i < depth; ++i) {
    const char *w = (const char *)a.w + ((k + i) * a.ld + n) * bytes;
    float *to = b + i * NR;
    int64_t c = 0;
    for (; c + NR <= columns; c += NR, to += depth * NR) {
      v_store(to, v_widen(w + c * bytes, s));
      v_store(to + VL, v_widen(w + (c + VL) * bytes, s));
    }
    if (c < columns) {
      int64_t left = columns - c;
      v_store(to, v_widen_n(w + c * bytes, s, at_most(VL, left)));
      v_store(to + VL, left > VL ? v_widen_n(w + (c + VL) * bytes, s, left - VL)
                                 : v_zero());
    }
  }
}

// w[n, k..k+count) of half bytes less their zeros times their scales,
// 1 <= count <= VL.
INLINE vf row_i4(matrix_t a, int64_t n, int64_t k, int64_t count) {
  const float *scale = a.scale + n * (a.k / a.group);
  const float *zero = a.zero + n * (a.k / a.group);
  vf even, odd, v, rest, factor, least;
  v_half_bytes((const uint8_t *)a.w + n * a.ld + k / 2, count / 2, &even, &odd);
  v_zip(even, odd, &v, &rest);
  if (a.group % VL == 0) {
    factor = v_all(scale[k / a.group]);
    least = v_all(zero[k / a.group]);
  } else {
    _Alignas(64) float scales[VL], zeros[VL];
    for (int64_t i = 0; i < VL; ++i) {
      scales[i] = i < count ? scale[(k + i) / a.group] : 0.0f;
      zeros[i] = i < count ? zero[(k + i) / a.group] : 0.0f;
    }
    factor = v_load(scales);
    least = v_load(zeros);
  }
  return v_mul(v_sub(v, least), factor);
}

// From w[n, k], columns k..k+depth.
INLINE void pack_nk(matrix_t a, storage_t s, int64_t k, int64_t depth,
                    int64_t n, int64_t columns, float *b) {
  const int64_t bytes = storage_bytes(s), step = a.ld * bytes;
  for (int64_t c = 0; c < columns; c += VL) {
    float *to = b + c / NR * NR * depth + c % NR;
    const char *w = (const char *)a.w + (n + c) * step + k * bytes;
    int64_t rows = at_most(VL, columns - c);
    for (int64_t i = 0; i < depth; i += VL) {
      int64_t count = at_most(VL, depth - i);
      vf r[VL];
      if (s == I4) {
#pragma GCC unroll 16
        for (int j = 0; j < VL; ++j)
          r[j] = j < rows ? row_i4(a, n + c + j, k + i, count) : v_zero();
      } else if (rows == VL && count == VL) {
#pragma GCC unroll 16
        for (int j = 0; j < VL; ++j)
          r[j] = v_widen(w + j * step + i * bytes, s);
      } else {
        for (int j = 0; j < VL; ++j)
          r[j] = j < rows ? v_widen_n(w + j * step + i * bytes, s, count)
                          : v_zero();
      }
      v_transpose(r);
      if (count == VL) {
#pragma GCC unroll 16
        for (int j = 0; j < VL; ++j)
          v_store(to + (i + j) * NR, r[j]);
      } else {
        for (int j = 0; j < count; ++j)
          v_store(to + (i + j) * NR, r[j]);
      }
    }
  }
  if ((columns + VL - 1) / VL % 2) { // the second half of the last panel
    float *to = b + columns / NR * NR * depth + VL;
    for (int64_t i = 0; i < depth; ++i)
      v_store(to + i * NR, v_zero());
  }
}

//===----------------------------------------------------------------------===//
// Prefetching what the next block is made of
//===----------------------------------------------------------------------===//

// Lines of `rows` runs of adjacent bytes, taken a few at a time between the
// tiles: the arithmetic of a block takes far longer than its bytes, and a burst
// of loads would hold up the loads of the microkernel.
typedef struct {
  const char *at;
  int64_t rows, step, bytes; // of what is left; from run to run; of a run
  int64_t done;              // bytes of the first run
} ahead_t;

INLINE int64_t ahead_lines(const ahead_t *p) {
  return p->rows * (p->bytes / LINE + 1);
}

INLINE void ahead_take(ahead_t *p, int64_t lines) {
  for (; lines > 0 && p->rows > 0; --lines) {
    prefetch_l2(p->at + p->done);
    p->done += LINE;
    if (p->done >= p->bytes + LINE - 1) { // a run may begin within a line
      p->done = 0;
      p->at += p->step;
      --p->rows;
    }
  }
}

#endif // LINNET_KERNELS_PACKING_H
