// Few rows: the weights stream through once, and the memory is the limit.
// Nothing is packed; all arithmetic hides behind the loads.
//
// Each line is asked for `*_AHEAD` rows of W before its turn, into L2: the
// hardware's own prefetching stops at each row and page, and without it narrow
// weights come at half the rate of the memory (on Zen 4: i8 16 instead of 29
// GB/s on two cores). Into L1 instead it gains little, as L1 has room for few
// misses at a time.
#ifndef LINNET_KERNELS_LINEAR_FEW_H
#define LINNET_KERNELS_LINEAR_FEW_H

#include "linear_halves.h"

//===----------------------------------------------------------------------===//
// W[K, N]
//===----------------------------------------------------------------------===//

// Rows of W in flight together: KN_ROWS streams of adjacent bytes, so that each
// sum is loaded and stored once for KN_ROWS products.
enum { KN_ROWS = 8, KN_AHEAD = 2 * KN_ROWS };
// Sums of a block of columns lie in half of L1 for all rows of x together.
enum { KN_SUMS = 4096 };

// sums[r, 0..count) += Σ_j x[r, k + j] W[k + j, n..n+count), `depth` rows of W
// and up to QUAD of x. `ahead` is how many bytes away the lines to ask for are.
INLINE void kn_rows(const linnet_linear_t *a, storage_t s, int rows, int depth,
                    const float *x, int64_t ldx, int64_t k, int64_t n,
                    int64_t count, float *sums, int64_t width, int64_t ahead) {
  const int64_t bytes = storage_bytes(s), step = a->ldw * bytes;
  const char *w = (const char *)a->w + (k * a->ldw + n) * bytes;
  vf factor[QUAD][KN_ROWS];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int j = 0; j < depth; ++j)
      factor[r][j] = v_all(x[r * ldx + k + j]);

  int64_t i = 0;
  for (; i + VL <= count; i += VL) {
    vf sum[QUAD];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
      sum[r] = v_load(sums + r * width + i);
#pragma GCC unroll 8
    for (int j = 0; j < depth; ++j) {
      const char *at = w + j * step + i * bytes;
      vf v = v_widen(at, s);
      if (depth == KN_ROWS && i * bytes % LINE == 0)
        prefetch_l2(at + ahead);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
        sum[r] = v_fma(factor[r][j], v, sum[r]);
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
      v_store(sums + r * width + i, sum[r]);
  }
  if (i < count) { // the sums are padded to whole vectors
#pragma GCC unroll 8
    for (int j = 0; j < depth; ++j) {
      vf v = v_widen_n(w + j * step + i * bytes, s, count - i);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
        v_store(sums + r * width + i,
                v_fma(factor[r][j], v, v_load(sums + r * width + i)));
    }
  }
}

INLINE void kn_group(const linnet_linear_t *a, storage_t s, int depth,
                     const float *x, int64_t ldx, int64_t k, int64_t n,
                     int64_t count, float *sums, int64_t width) {
  // The rows of W come from the memory for the first rows of x, then from L2.
  int64_t ahead = KN_AHEAD * a->ldw * storage_bytes(s);
  for (int64_t r = 0; r < a->m; r += QUAD, ahead = 0) {
    const float *rows = x + r * ldx;
    float *to = sums + r * width;
    switch (at_most(QUAD, a->m - r)) {
    case 1:
      kn_rows(a, s, 1, depth, rows, ldx, k, n, count, to, width, ahead);
      break;
    case 2:
      kn_rows(a, s, 2, depth, rows, ldx, k, n, count, to, width, ahead);
      break;
    case 3:
      kn_rows(a, s, 3, depth, rows, ldx, k, n, count, to, width, ahead);
      break;
    default:
      kn_rows(a, s, 4, depth, rows, ldx, k, n, count, to, width, ahead);
    }
  }
}

INLINE void kn_few(const linnet_linear_t *a, storage_t s, const float *x,
                   int64_t ldx, range_t columns) {
  _Alignas(64) float sums[KN_SUMS];
  const int64_t width = KN_SUMS / a->m / VL * VL;
  for (int64_t n = columns.begin; n < columns.end; n += width) {
    int64_t count = at_most(width, columns.end - n), k = 0;
    for (int64_t r = 0; r < a->m; ++r)
      for (int64_t i = 0; i < count; i += VL)
        v_store(sums + r * width + i, v_zero());
    for (; k + KN_ROWS <= a->k; k += KN_ROWS)
      kn_group(a, s, KN_ROWS, x, ldx, k, n, count, sums, width);
    for (; k < a->k; ++k)
      kn_group(a, s, 1, x, ldx, k, n, count, sums, width);
    for (int64_t r = 0; r < a->m; ++r)
      finish(a, a->scale, r, n, count, sums + r * width);
  }
}

//===----------------------------------------------------------------------===//
// W[N, K]
//===----------------------------------------------------------------------===//

// sums[r, c] = x[r] · W[n + c], `depth` columns and up to QUAD rows of x. The
// order of a sum does not depend on `depth`.
INLINE void nk_columns(const linnet_linear_t *a, storage_t s, int rows,
                       int depth, const float *x, int64_t ldx, int64_t n,
                       float *sums, int64_t ahead) {
  const int64_t bytes = storage_bytes(s), step = a->ldw * bytes, k = a->k;
  const char *w = (const char *)a->w + n * step;
  vf even[QUAD][NK_ROWS], odd[QUAD][NK_ROWS];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c)
      even[r][c] = odd[r][c] = v_zero();

  int64_t i = 0;
  for (; i + 2 * VL <= k; i += 2 * VL) {
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c) {
      const char *at = w + c * step + i * bytes;
      vf v = v_widen(at, s), u = v_widen(at + VL * bytes, s);
      if (2 * VL * bytes >= LINE || i * bytes % LINE == 0)
        prefetch_l2(at + ahead);
      if (2 * VL * bytes > LINE)
        prefetch_l2(at + ahead + LINE);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) {
        even[r][c] = v_fma(v, v_load(x + r * ldx + i), even[r][c]);
        odd[r][c] = v_fma(u, v_load(x + r * ldx + i + VL), odd[r][c]);
      }
    }
  }
  for (; i < k; i += VL) {
    int64_t left = at_most(VL, k - i);
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c) {
      vf v = v_widen_n(w + c * step + i * bytes, s, left);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
        even[r][c] = v_fma(v, v_load_n(x + r * ldx + i, left), even[r][c]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c)
      sums[r * NK_SUMS + c] = v_sum(v_add(even[r][c], odd[r][c]));
}

INLINE void nk_block(const linnet_linear_t *a, storage_t s, int rows, int depth,
                     const float *x, int64_t ldx, int64_t n, float *sums,
                     int64_t ahead) {
  if (s == I4)
    nk_halves(a, rows, depth, x, ldx, n, sums, ahead);
  else
    nk_columns(a, s, rows, depth, x, ldx, n, sums, ahead);
}

INLINE void nk_group(const linnet_linear_t *a, storage_t s, int depth,
                     const float *x, int64_t ldx, int64_t n, float *sums) {
  // As for W[K, N].
  int64_t ahead = NK_AHEAD * a->ldw * storage_bytes(s);
  for (int64_t r = 0; r < a->m; r += QUAD, ahead = 0) {
    const float *rows = x + r * ldx;
    float *to = sums + r * NK_SUMS;
    switch (at_most(QUAD, a->m - r)) {
    case 1:
      nk_block(a, s, 1, depth, rows, ldx, n, to, ahead);
      break;
    case 2:
      nk_block(a, s, 2, depth, rows, ldx, n, to, ahead);
      break;
    case 3:
      nk_block(a, s, 3, depth, rows, ldx, n, to, ahead);
      break;
    default:
      nk_block(a, s, 4, depth, rows, ldx, n, to, ahead);
    }
  }
}

INLINE void nk_few(const linnet_linear_t *a, storage_t s, const float *x,
                   int64_t ldx, range_t columns) {
  _Alignas(64) float sums[FEW_ROWS * NK_SUMS];
  for (int64_t n = columns.begin; n < columns.end; n += NK_SUMS) {
    int64_t count = at_most(NK_SUMS, columns.end - n), c = 0;
    for (; c + NK_ROWS <= count; c += NK_ROWS)
      nk_group(a, s, NK_ROWS, x, ldx, n + c, sums + c);
    for (; c < count; ++c)
      nk_group(a, s, 1, x, ldx, n + c, sums + c);
    for (int64_t r = 0; r < a->m; ++r)
      finish(a, s == I4 ? 0 : a->scale, r, n, count, sums + r * NK_SUMS);
  }
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

// False where the rows are too many, or too long to be normalised here or to be
// arranged for half bytes.
INLINE int linear_is_few(const linnet_linear_t *a, storage_t s) {
  int64_t k = s == I4 ? halves_extent(a->k) : a->norm ? a->k : 0;
  return a->m <= FEW_ROWS && a->m * k <= NORM_ELEMENTS;
}

INLINE void linear_few(const linnet_linear_t *a, storage_t s, int nk,
                       int64_t share, int64_t shares) {
  // A share begins on a cache line of W[K, N] and on a block of rows of W[N, K]
  // where the arrays do.
  range_t columns = share_of(a->n, nk ? NK_ROWS : 64, share, shares);
  if (columns.begin == columns.end)
    return;
  _Alignas(64) float normal[NORM_ELEMENTS];
  const float *x = a->x;
  int64_t ldx = a->ldx;
  if (s == I4) {
    arrange(a, normal);
    x = normal;
    ldx = halves_extent(a->k);
  } else if (a->norm) {
    for (int64_t r = 0; r < a->m; ++r)
      normalise(a, norm_of(a, x + r * ldx), x + r * ldx, 0, a->k,
                normal + r * a->k);
    x = normal;
    ldx = a->k;
  }
  if (nk)
    nk_few(a, s, x, ldx, columns);
  else
    kn_few(a, s, x, ldx, columns);
}

#endif // LINNET_KERNELS_LINEAR_FEW_H
