// Few rows by a matrix W[N, K] of half bytes in groups.
//
// With W = (q - zero) * scale, a sum over a group is scale * (Σ x q) less
// scale * zero * (Σ x), and the second sum is the same for all columns. The
// half bytes are taken as they lie: a word of 32 bits holds eight adjacent
// ones, so half byte j of the words of a vector belongs to elements j, j + 8,
// j + 16, ... The rows of x are arranged to that once, and by 16^-j at the same
// time, so that a half need not be shifted down: two operations and one FMA for
// VL products.
#ifndef LINNET_KERNELS_LINEAR_HALVES_H
#define LINNET_KERNELS_LINEAR_HALVES_H

#include "linear.h"

// Rows of W in flight together: so each vector of x is loaded once for NK_ROWS
// products, and a row of x alone still has eight sums to hide the latency.
enum { NK_ROWS = 4, NK_AHEAD = 2 * NK_ROWS };
// Finished columns are gathered before the epilogue sees them.
enum { NK_SUMS = 256 };

// Half bytes in a word, and in a vector of words.
enum { WORD = 8, HALVES = WORD * VL };

// From row to row of what `arrange` makes: whole vectors of words, and the sums
// of the groups behind them.
INLINE int64_t halves_extent(int64_t k) {
  return ceil_div(k, HALVES) * HALVES + k / WORD;
}

// The rows of x, normalised if they are to be, in the order of the half bytes:
// to[r, b, j, i] = x[r, HALVES b + WORD i + j] / 16^(j % 4), zero beyond K, and
// then the sums over each group.
NOINLINE void arrange(const linnet_linear_t *a, float *to) {
  const float by[4] = {1.0f, 1.0f / 16, 1.0f / 256, 1.0f / 4096};
  const int64_t extent = halves_extent(a->k);
  for (int64_t r = 0; r < a->m; ++r, to += extent) {
    const float *x = a->x + r * a->ldx;
    norm_t norm = {0.0f, 1.0f};
    if (a->norm)
      norm = norm_of(a, x);
    float *sums = to + ceil_div(a->k, HALVES) * HALVES, sum = 0.0f;
    int64_t in_group = 0;
    for (int64_t k = 0; k < a->k; k += HALVES) {
      float chunk[HALVES], *block = to + k;
      const float *from = x + k;
      int64_t count = at_most(HALVES, a->k - k);
      if (a->norm) {
        normalise(a, norm, x, k, count, chunk);
        from = chunk;
      }
      for (int64_t i = 0; i < VL; ++i) {
        if (i * WORD >= count) {
          for (int j = 0; j < WORD; ++j)
            block[j * VL + i] = 0.0f;
          continue;
        }
        const float *word = from + i * WORD;
        for (int j = 0; j < WORD; ++j)
          block[j * VL + i] = word[j] * by[j % 4];
        sum += ((word[0] + word[1]) + (word[2] + word[3])) +
               ((word[4] + word[5]) + (word[6] + word[7]));
        if ((in_group += WORD) == a->group) {
          *sums++ = sum;
          sum = 0.0f;
          in_group = 0;
        }
      }
    }
  }
}

// How the groups lie in the vectors of words: whole vectors of one, several in
// each vector, or across them.
typedef enum { GROUPS_WIDE, GROUPS_NARROW, GROUPS_ACROSS } groups_t;

INLINE groups_t groups_in(int64_t words) {
  return words % VL == 0   ? GROUPS_WIDE
         : VL % words == 0 ? GROUPS_NARROW
                           : GROUPS_ACROSS;
}

// Where the VL words from one word on stand among groups of `words` words:
// `each` is how many groups there are in them at most, `left` how many there
// still are.
typedef struct {
  groups_t in;
  int64_t words, each, word, group, left;
} place_t;

// The numbers at p, one for each group, for these words.
INLINE vf of_groups(const float *p, const place_t *at) {
  p += at->group;
  if (at->in == GROUPS_WIDE)
    return v_all(*p);
  if (at->in == GROUPS_NARROW)
    return v_repeat(p, at->each, at->words);
  _Alignas(64) float all[VL];
  for (int64_t i = 0; i < VL; ++i)
    all[i] = p[at_most((at->word + i) / at->words - at->group, at->left - 1)];
  return v_load(all);
}

// total[r][c] += the sum over `count` words, VL or what is left of them.
INLINE void add_words(const linnet_linear_t *a, int rows, int depth,
                      int64_t count, const place_t *at, const uint8_t *w,
                      const float *scale, const float *x, int64_t ldx,
                      int64_t ahead, vf total[QUAD][NK_ROWS]) {
  const int64_t groups = a->k / a->group;
#pragma GCC unroll 4
  for (int c = 0; c < depth; ++c) {
    const uint8_t *from = w + c * a->ldw;
    if (HALVES / 2 >= LINE || at->word % (2 * VL) == 0)
      prefetch_l2(from + ahead);
    vw low = v_words(from, count), high = v_upper(low);
    vf even[QUAD], odd[QUAD];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
      even[r] = odd[r] = v_zero();
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      vf v = v_half_of(low, j), u = v_half_of(high, j);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) {
        even[r] = v_fma(v, v_load(x + r * ldx + j * VL), even[r]);
        odd[r] = v_fma(u, v_load(x + r * ldx + (j + 4) * VL), odd[r]);
      }
    }
    vf factor = of_groups(scale + c * groups, at);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
      total[r][c] = v_fma(factor, v_add(even[r], odd[r]), total[r][c]);
  }
}

// sums[r, c] = x[r] · W[n + c], `depth` columns and up to QUAD rows of x as
// `arrange` made them. The order of a sum does not depend on `depth`.
INLINE void nk_halves_in(const linnet_linear_t *a, groups_t in, int rows,
                         int depth, const float *x, int64_t ldx, int64_t n,
                         float *sums, int64_t ahead) {
  const int64_t groups = a->k / a->group, words = a->group / WORD;
  const uint8_t *w = (const uint8_t *)a->w + n * a->ldw;
  const float *scale = a->scale + n * groups, *zero = a->zero + n * groups;
  vf total[QUAD][NK_ROWS];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c)
      total[r][c] = v_zero();

  // What the zeros take away.
  const float *of_x = x + ceil_div(a->k, HALVES) * HALVES;
  for (int64_t g = 0; g < groups; g += VL) {
    int64_t left = at_most(VL, groups - g);
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c) {
      vf both = v_mul(v_load_n(scale + c * groups + g, left),
                      v_load_n(zero + c * groups + g, left));
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
        total[r][c] =
            v_fnma(both, v_load_n(of_x + r * ldx + g, left), total[r][c]);
    }
  }

  place_t at = {in, words, in == GROUPS_NARROW ? VL / words : 1, 0, 0, groups};
  int64_t in_group = 0, all = a->k / WORD;
  for (; at.word + VL <= all; at.word += VL) {
    add_words(a, rows, depth, VL, &at, w + at.word * 4, scale,
              x + at.word * WORD, ldx, ahead, total);
    for (in_group += VL; in_group >= words; in_group -= words) {
      ++at.group;
      --at.left;
    }
  }
  if (at.word < all) {
    at.each = at_most(at.each, at.left);
    add_words(a, rows, depth, all - at.word, &at, w + at.word * 4, scale,
              x + at.word * WORD, ldx, ahead, total);
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < depth; ++c)
      sums[r * NK_SUMS + c] = v_sum(total[r][c]);
}

INLINE void nk_halves(const linnet_linear_t *a, int rows, int depth,
                      const float *x, int64_t ldx, int64_t n, float *sums,
                      int64_t ahead) {
  switch (groups_in(a->group / WORD)) {
  case GROUPS_WIDE:
    nk_halves_in(a, GROUPS_WIDE, rows, depth, x, ldx, n, sums, ahead);
    break;
  case GROUPS_NARROW:
    nk_halves_in(a, GROUPS_NARROW, rows, depth, x, ldx, n, sums, ahead);
    break;
  default:
    nk_halves_in(a, GROUPS_ACROSS, rows, depth, x, ldx, n, sums, ahead);
  }
}

#endif // LINNET_KERNELS_LINEAR_HALVES_H
