// Attention block by block: scores never leave the cache, and blocks of keys
// that the mask rules out are not read.
//
// The softmax is taken online: with the highest score so far `high` and the
// sum `total` of exp(score - high), a new block with a higher score scales
// what was gathered by exp(old high - new high).
#ifndef LINNET_KERNELS_ATTENTION_H
#define LINNET_KERNELS_ATTENTION_H

#include "linnet_kernels.h"
#include "packing.h"

// Below every score; finite, so that a difference with it is never NaN.
#define LOWEST (-3.4e38f)

// Keys of a block: its packed keys and values fill 32 KiB for D = 64.
enum { KEYS = 64, KEY_TILES = KEYS / NR };
// Queries of a block, in rows of the microkernel: packing a block of keys costs
// as much as the products of some 5 queries.
enum { QUERY_TILES = 8, QUERIES = QUERY_TILES * MR };
// So few queries go row by row, without packing.
enum { FEW_QUERIES = 3 };
enum { MAX_D = LINNET_ATTENTION_MAX_D };
_Static_assert((int)MAX_D <= (int)KC && (int)KEYS <= (int)KC, "blocks of A");

// What one (batch row, head) works on.
typedef struct {
  const float *q;
  const char *k, *v;
  const uint8_t *mask;
  float *y;
} head_t;

INLINE head_t head_of(const linnet_attention_t *a, storage_t s, int64_t b,
                      int64_t h) {
  int64_t g = h / (a->h / a->hk), bytes = storage_bytes(s);
  head_t r = {a->q + b * a->q_b + h * a->q_h,
              (const char *)a->k + (b * a->k_b + g * a->k_h) * bytes,
              (const char *)a->v + (b * a->v_b + g * a->v_h) * bytes,
              a->mask ? a->mask + b * a->mask_b : 0,
              a->y + b * a->y_b + h * a->y_h};
  return r;
}

// All keys of a row that sees nothing have the same score.
INLINE void mean_of_values(const linnet_attention_t *a, storage_t s,
                           head_t head, float *y) {
  const int64_t bytes = storage_bytes(s);
  vf part = v_all(1.0f / (float)a->keys);
  for (int64_t d = 0; d < a->d; d += VL) {
    int64_t n = at_most(VL, a->d - d);
    vf sum = v_zero();
    for (int64_t t = 0; t < a->keys; ++t)
      sum =
          v_fma(part, v_widen_n(head.v + (t * a->v_t + d) * bytes, s, n), sum);
    v_store_n(y + d, sum, n);
  }
}

//===----------------------------------------------------------------------===//
// One query
//===----------------------------------------------------------------------===//

// scores[0..count) = q · k[t + i], four keys in flight.
INLINE void row_scores(const linnet_attention_t *a, storage_t s, head_t head,
                       const float *q, int64_t t, int64_t count,
                       float *scores) {
  const int64_t bytes = storage_bytes(s), d = a->d, whole = d / VL * VL;
  for (int64_t i = 0; i < count; i += 4) {
    const char *k[4];
    vf sum[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) { // the last key again in place of none
      k[j] = head.k + (t + at_most(i + j, count - 1)) * a->k_t * bytes;
      sum[j] = v_zero();
    }
    for (int64_t e = 0; e < whole; e += VL) {
      vf x = v_load(q + e);
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j)
        sum[j] = v_fma(x, v_widen(k[j] + e * bytes, s), sum[j]);
    }
    if (whole < d) {
      vf x = v_load_n(q + whole, d - whole);
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j)
        sum[j] =
            v_fma(x, v_widen_n(k[j] + whole * bytes, s, d - whole), sum[j]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j)
      scores[i + j] = v_sum(sum[j]);
  }
}

// sums[0..d) = sums * keep + Σ_i weights[i] v[t + i].
INLINE void row_mix(const linnet_attention_t *a, storage_t s, head_t head,
                    const float *weights, int64_t t, int64_t count, float keep,
                    float *sums) {
  const int64_t bytes = storage_bytes(s), step = a->v_t * bytes;
  const char *v = head.v + t * step;
  int64_t d = 0;
  for (; d + 4 * VL <= a->d; d += 4 * VL) {
    vf sum[4], odd[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      sum[j] = v_mul(v_load(sums + d + j * VL), v_all(keep));
      odd[j] = v_zero();
    }
    int64_t i = 0;
    for (; i + 2 <= count; i += 2) {
      vf p = v_all(weights[i]), r = v_all(weights[i + 1]);
      const char *from = v + i * step + d * bytes;
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) {
        sum[j] = v_fma(p, v_widen(from + j * VL * bytes, s), sum[j]);
        odd[j] = v_fma(r, v_widen(from + step + j * VL * bytes, s), odd[j]);
      }
    }
    if (i < count) {
      vf p = v_all(weights[i]);
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j)
        sum[j] =
            v_fma(p, v_widen(v + i * step + (d + j * VL) * bytes, s), sum[j]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j)
      v_store(sums + d + j * VL, v_add(sum[j], odd[j]));
  }
  for (; d < a->d; d += VL) {
    int64_t n = at_most(VL, a->d - d);
    vf sum = v_mul(v_load(sums + d), v_all(keep));
    for (int64_t i = 0; i < count; ++i)
      sum = v_fma(v_all(weights[i]), v_widen_n(v + i * step + d * bytes, s, n),
                  sum);
    v_store(sums + d, sum);
  }
}

INLINE void attention_row(const linnet_attention_t *a, storage_t s, head_t head,
                          int64_t query) {
  _Alignas(64) float sums[MAX_D];
  _Alignas(64) float scores[KEYS + VL];
  const float *q = head.q + query * a->q_q;
  const uint8_t *mask = head.mask ? head.mask + query * a->mask_q : 0;
  float *y = head.y + query * a->y_q;
  float high = LOWEST, total = 0.0f;
  for (int64_t d = 0; d < a->d; d += VL)
    v_store(sums + d, v_zero());

  for (int64_t t0 = 0; t0 < a->keys; t0 += KEYS) {
    int64_t begin = t0, end = at_most(t0 + KEYS, a->keys);
    if (mask) { // only the keys between the first and the last that it sees
      uint64_t seen = 0;
      for (int64_t t = begin; t < end; t += VL)
        seen |= (uint64_t)v_bits(v_bytes(mask + t, at_most(VL, end - t)))
                << (t - begin);
      if (!seen)
        continue;
      end = begin + 64 - __builtin_clzll(seen);
      begin += __builtin_ctzll(seen);
    }
    int64_t count = end - begin;
    row_scores(a, s, head, q, begin, count, scores);

    vf top = v_all(high);
    for (int64_t i = 0; i < count; i += VL) {
      vm seen = mask ? v_bytes(mask + begin + i, at_most(VL, count - i))
                     : v_until(count - i);
      vf x = v_select(seen, v_mul(v_load(scores + i), v_all(a->scale)),
                      v_all(-__builtin_inff()));
      v_store(scores + i, x);
      top = v_max(x, top);
    }
    float higher = v_highest(top);
    vf sum = v_zero();
    for (int64_t i = 0; i < count; i += VL) {
      vf p = v_exp(v_sub(v_load(scores + i), v_all(higher)));
      v_store(scores + i, p);
      sum = v_add(sum, p);
    }
    float keep = 1.0f;
    if (higher > high) {
      float each[VL];
      v_store(each, v_exp(v_all(high - higher)));
      keep = each[0];
    }
    high = higher;
    total = total * keep + v_sum(sum);
    row_mix(a, s, head, scores, begin, count, keep, sums);
  }
  if (mask && total == 0.0f) {
    mean_of_values(a, s, head, y);
    return;
  }
  vf part = v_all(1.0f / total);
  for (int64_t d = 0; d < a->d; d += VL)
    v_store_n(y + d, v_mul(v_load(sums + d), part), at_most(VL, a->d - d));
}

//===----------------------------------------------------------------------===//
// A block of queries
//===----------------------------------------------------------------------===//

// What a tile of queries sees of a tile of keys.
typedef enum { NOTHING, SOME, ALL } sight_t;

INLINE sight_t sight_of(const linnet_attention_t *a, head_t head, int64_t query,
                        int64_t rows, int64_t t) {
  int64_t keys = at_most(NR, a->keys - t);
  if (!head.mask)
    return keys <= 0 ? NOTHING : keys < NR ? SOME : ALL;
  if (keys <= 0)
    return NOTHING;
  uint32_t any = 0, all = (uint32_t)((1ull << VL) - 1);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < NR; i += VL) {
      uint32_t bits = 0;
      if (i < keys)
        bits = v_bits(v_bytes(head.mask + (query + r) * a->mask_q + t + i,
                              at_most(VL, keys - i)));
      any |= bits;
      all &= bits;
    }
  return !any ? NOTHING : all == (uint32_t)((1ull << VL) - 1) ? ALL : SOME;
}

// The state of the online softmax of a block.
typedef struct {
  float high[QUERIES], total[QUERIES];
  _Alignas(64) float sums[QUERIES * MAX_D];
} online_t;

// scores[r, first..end) become exp(score * scale - high), masked ones zero.
// `mask` is that of row 0 and key 0 of the block, or NULL.
INLINE void soften(const linnet_attention_t *a, const uint8_t *mask,
                   const sight_t *sight, int64_t rows, int64_t keys,
                   int64_t first, int64_t end, float *scores, float *high,
                   float *total, float *sums, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    float *row = scores + r * A_STRIDE;
    vf top = v_all(high[r]);
    for (int64_t i = first; i < end; i += VL) {
      vf x = v_mul(v_load(row + i), v_all(a->scale));
      if (sight[i / NR] != ALL) {
        vm seen = sight[i / NR] == NOTHING || i >= keys ? v_until(0)
                  : mask
                      ? v_bytes(mask + r * a->mask_q + i, at_most(VL, keys - i))
                      : v_until(keys - i);
        x = v_select(seen, x, v_all(-__builtin_inff()));
      }
      v_store(row + i, x);
      top = v_max(x, top);
    }
    float higher = v_highest(top);
    vf sum = v_zero();
    for (int64_t i = first; i < end; i += VL) {
      vf p = v_exp(v_sub(v_load(row + i), v_all(higher)));
      v_store(row + i, p);
      sum = v_add(sum, p);
    }
    if (higher > high[r]) {
      vf keep = v_exp(v_all(high[r] - higher));
      float each[VL];
      v_store(each, keep);
      total[r] *= each[0];
      for (int64_t d = 0; d < width; d += VL)
        v_store(sums + r * width + d,
                v_mul(v_load(sums + r * width + d), keep));
      high[r] = higher;
    }
    total[r] += v_sum(sum);
  }
}

INLINE void attention_block(const linnet_attention_t *a, storage_t s,
                            head_t head, int64_t query) {
  _Alignas(64) float q[QUERIES * A_STRIDE];
  _Alignas(64) float k[KEYS * MAX_D];
  _Alignas(64) float v[KEYS * MAX_D];
  _Alignas(64) float scores[MR * A_STRIDE];
  online_t o;
  const int64_t rows = at_most(QUERIES, a->queries - query);
  const int64_t width = ceil_div(a->d, NR) * NR;
  const matrix_t keys = {head.k, a->k_t, 0, 0, 0};
  const matrix_t values = {head.v, a->v_t, 0, 0, 0};

  for (int64_t r = 0; r < rows; ++r) {
    o.high[r] = LOWEST;
    o.total[r] = 0.0f;
    for (int64_t d = 0; d < width; d += VL)
      v_store(o.sums + r * width + d, v_zero());
    for (int64_t d = 0; d < a->d; d += VL) {
      int64_t n = at_most(VL, a->d - d);
      v_store_n(q + r * A_STRIDE + d,
                v_load_n(head.q + (query + r) * a->q_q + d, n), n);
    }
  }

  for (int64_t t = 0; t < a->keys; t += KEYS) {
    int64_t count = at_most(KEYS, a->keys - t);
    sight_t sight[QUERY_TILES][KEY_TILES];
    int any = 0;
    for (int64_t r = 0; r < rows; r += MR)
      for (int j = 0; j < KEY_TILES; ++j) {
        sight_t one =
            sight_of(a, head, query + r, at_most(MR, rows - r), t + j * NR);
        sight[r / MR][j] = one;
        any |= one != NOTHING;
      }
    if (!any)
      continue;
    pack_nk(keys, s, 0, a->d, t, count, k);
    pack_kn(values, s, t, count, 0, a->d, v);

    for (int64_t r = 0; r < rows; r += MR) {
      const sight_t *seen = sight[r / MR];
      int first = 0, last = KEY_TILES - 1;
      while (first < KEY_TILES && seen[first] == NOTHING)
        ++first;
      if (first == KEY_TILES)
        continue;
      while (seen[last] == NOTHING)
        --last;
      int64_t low = at_most(MR, rows - r);
      for (int j = first; j <= last; ++j)
        micro_tile(low, NR, q + r * A_STRIDE, k + j * NR * a->d, a->d,
                   scores + j * NR, A_STRIDE, 0);
      int64_t begin = first * NR, end = (last + 1) * NR;
      const uint8_t *mask =
          head.mask ? head.mask + (query + r) * a->mask_q + t : 0;
      soften(a, mask, seen, low, count, begin, end, scores, o.high + r,
             o.total + r, o.sums + r * width, width);
      int64_t depth = at_most(end, count) - begin;
      for (int64_t d = 0; d < width; d += NR)
        micro_tile(low, NR, scores + begin, v + d * count + begin * NR, depth,
                   o.sums + r * width + d, width, 1);
    }
  }

  for (int64_t r = 0; r < rows; ++r) {
    float *y = head.y + (query + r) * a->y_q;
    if (head.mask && o.total[r] == 0.0f) {
      mean_of_values(a, s, head, y);
      continue;
    }
    vf part = v_all(1.0f / o.total[r]);
    for (int64_t d = 0; d < a->d; d += VL)
      v_store_n(y + d, v_mul(v_load(o.sums + r * width + d), part),
                at_most(VL, a->d - d));
  }
}

//===----------------------------------------------------------------------===//
// A share
//===----------------------------------------------------------------------===//

INLINE int attention_fits(const linnet_attention_t *a, int64_t share,
                          int64_t shares) {
  return a->b >= 0 && a->h >= 0 && a->queries >= 0 && a->hk > 0 &&
         a->h % a->hk == 0 && a->keys > 0 && a->d > 0 && a->d <= MAX_D &&
         share >= 0 && share < shares;
}

INLINE void attention_rows(const linnet_attention_t *a, storage_t s,
                           int64_t share, int64_t shares) {
  int64_t heads = a->b * a->h, items = heads * a->queries;
  for (int64_t i = share; i < items; i += shares) {
    int64_t one = i % heads;
    attention_row(a, s, head_of(a, s, one / a->h, one % a->h), i / heads);
  }
}

// The last queries first: with a causal mask they take longest, and the short
// ones fill up at the end.
INLINE void attention_blocks(const linnet_attention_t *a, storage_t s,
                             int64_t share, int64_t shares) {
  int64_t heads = a->b * a->h, blocks = ceil_div(a->queries, QUERIES);
  for (int64_t i = share; i < heads * blocks; i += shares) {
    int64_t one = i % heads;
    attention_block(a, s, head_of(a, s, one / a->h, one % a->h),
                    (blocks - 1 - i / heads) * QUERIES);
  }
}

#endif // LINNET_KERNELS_ATTENTION_H
