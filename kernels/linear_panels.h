// Many rows: blocks of W are widened and packed into panels that stay in L2
// while all rows of x pass over them. Nothing else is packed or kept, so the
// weights exist once, as they were stored.
#ifndef LINNET_KERNELS_LINEAR_PANELS_H
#define LINNET_KERNELS_LINEAR_PANELS_H

#include "linear.h"
#include "microkernel.h"
#include "packing.h"

// Columns of a block: its panels are KC x NC x 4 bytes = 576 KiB of the L2,
// beside the next block, on its way as it is stored, and the sums of some rows.
// A block of A is copied, and normalised, once for NC / NR = 12 (24) panels,
// which is 1 to 2 % of the work on them. Two workers part 768 columns evenly.
enum { NC = 384 };
// Rows of a block: what the statistics of a norm are kept for.
enum { MC = 1008 };

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// What a block is read from.
INLINE ahead_t block_bytes(const linnet_linear_t *a, storage_t s, int nk,
                           int64_t k, int64_t depth, int64_t n,
                           int64_t columns) {
  const char *w = (const char *)a->w;
  const int64_t bytes = storage_bytes(s), step = a->ldw * bytes;
  int64_t run = s == I4 ? depth / 2 : depth * bytes;
  ahead_t kn = {w + k * step + n * bytes, depth, step, columns * bytes, 0};
  ahead_t rows = {w + n * step + (s == I4 ? k / 2 : k * bytes), columns, step,
                  run, 0};
  return nk ? rows : kn;
}

// Rows of x, normalised where asked, as a block of A.
NOINLINE void copy_rows(const linnet_linear_t *a, const norm_t *norms,
                        int64_t m, int64_t rows, int64_t k, int64_t depth,
                        float *to) {
  for (int64_t r = 0; r < rows; ++r, to += A_STRIDE) {
    const float *x = a->x + (m + r) * a->ldx;
    if (a->norm) {
      normalise(a, norms[r], x, k, depth, to);
      continue;
    }
    int64_t i = 0;
    for (; i + VL <= depth; i += VL)
      v_store(to + i, v_load(x + k + i));
    if (i < depth)
      v_store_n(to + i, v_load_n(x + k + i, depth - i), depth - i);
  }
}

//===----------------------------------------------------------------------===//
// A share
//===----------------------------------------------------------------------===//

INLINE void linear_panels(const linnet_linear_t *a, storage_t s, int nk,
                          int64_t share, int64_t shares) {
  _Alignas(64) float b[KC * NC];
  _Alignas(64) float block[MR * A_STRIDE];
  norm_t norms[MC];
  const matrix_t w = {a->w, a->ldw, a->scale, a->zero, a->group, a->k};

  // Shares part the columns, so that each reads its own weights once. Only
  // where there are more shares than panels are the rows parted too.
  int64_t across = ceil_div(a->n, NR);
  int64_t down = at_most(ceil_div(shares, across), ceil_div(a->m, MR));
  across = shares / down;
  if (share >= across * down)
    return;
  range_t columns = share_of(a->n, NR, share / down, across);
  range_t rows = share_of(a->m, MR, share % down, down);

  for (int64_t m0 = rows.begin; m0 < rows.end; m0 += MC) {
    int64_t high = at_most(MC, rows.end - m0);
    if (a->norm)
      for (int64_t r = 0; r < high; ++r)
        norms[r] = norm_of(a, a->x + (m0 + r) * a->ldx);

    for (int64_t n = columns.begin; n < columns.end; n += NC) {
      int64_t wide = at_most(NC, columns.end - n), k = 0;
      do {
        int64_t depth = at_most(KC, a->k - k), after = k + depth;
        int last = after == a->k;
        if (nk)
          pack_nk(w, s, k, depth, n, wide, b);
        else
          pack_kn(w, s, k, depth, n, wide, b);

        ahead_t next =
            !last ? block_bytes(a, s, nk, after, at_most(KC, a->k - after), n,
                                wide)
                  : block_bytes(a, s, nk, 0, at_most(KC, a->k), n + wide,
                                at_most(NC, columns.end - n - wide));
        int64_t tiles = ceil_div(high, MR) * ceil_div(wide, NR);
        int64_t lines = ceil_div(ahead_lines(&next), tiles);

        for (int64_t m = m0; m < m0 + high; m += MR) {
          int64_t low = at_most(MR, m0 + high - m);
          copy_rows(a, norms + (m - m0), m, low, k, depth, block);
          ahead_t x = {(const char *)(a->x + (m + MR) * a->ldx + k),
                       at_most(MR, m0 + high - m - MR), a->ldx * 4, depth * 4,
                       0};
          int64_t x_lines = ceil_div(ahead_lines(&x), ceil_div(wide, NR));
          for (int64_t c = 0; c < wide; c += NR) {
            ahead_take(&next, lines);
            ahead_take(&x, x_lines);
            micro_tile(low, at_most(NR, wide - c), block, b + c * depth, depth,
                       a->y + m * a->ldy + n + c, a->ldy, k != 0);
          }
          if (last)
            for (int64_t r = 0; r < low; ++r)
              finish(a, s == I4 ? 0 : a->scale, m + r, n, wide,
                     a->y + (m + r) * a->ldy + n);
        }
        k = after;
      } while (k < a->k);
    }
  }
}

#endif // LINNET_KERNELS_LINEAR_PANELS_H
