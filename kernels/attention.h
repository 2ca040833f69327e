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
_Static_assert(KEYS == 64, "what is seen of a block is one word of bits");
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
      uint64_t seen = bytes_64(mask + begin, end - begin);
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

// What a block of queries sees of a block of keys, which begins at t.
typedef struct {
  int64_t t;
  sight_t of[QUERY_TILES][KEY_TILES];
} block_t;

// The first block of keys from t on of which anything is seen; `t` is `keys`
// where there is none.
NOINLINE void find_block(const linnet_attention_t *a, head_t head,
                         int64_t query, int64_t rows, int64_t t,
                         block_t *block) {
  const uint64_t tile = ~0ull >> (64 - NR);
  for (; t < a->keys; t += KEYS) {
    int64_t keys = at_most(KEYS, a->keys - t);
    const uint64_t exist = ~0ull >> (64 - keys);
    uint64_t seen = 0;
    for (int64_t r = 0; r < rows; r += MR) {
      uint64_t any = 0, all = exist;
      if (head.mask)
        for (int64_t i = r; i < at_most(r + MR, rows); ++i) {
          uint64_t bits =
              bytes_64(head.mask + (query + i) * a->mask_q + t, keys);
          any |= bits;
          all &= bits;
        }
      else
        any = exist;
      for (int j = 0; j < KEY_TILES; ++j)
        block->of[r / MR][j] = !(any >> j * NR & tile)          ? NOTHING
                               : (all >> j * NR & tile) != tile ? SOME
                                                                : ALL;
      seen |= any;
    }
    if (seen)
      break;
  }
  block->t = at_most(t, a->keys);
}

// The state of the online softmax for a tile of queries. The sums of the
// weights are kept as vectors, and added up at the end.
typedef struct {
  _Alignas(64) float high[VL];
  _Alignas(64) float totals[MR][VL];
} online_t;

// scores[r, first..end) become exp(score * scale - high), masked ones zero,
// and `sums` are scaled to the new highest scores. `mask` is that of the first
// row and key, or NULL; keys from `keys` on do not exist.
//
// In passes over the rows of the tile: the chain from the scores to their
// maximum to the weights is long, and so the rows overlap.
INLINE void soften(const linnet_attention_t *a, const uint8_t *mask,
                   const sight_t *sight, int64_t rows, int64_t keys,
                   int64_t first, int64_t end, float *scores, online_t *o,
                   float *sums, int64_t width) {
  const vf scale = v_all(a->scale), none = v_all(-__builtin_inff());
  vf tops[VL];
#pragma GCC unroll 16
  for (int r = 0; r < VL; ++r) {
    tops[r] = v_all(LOWEST);
    if (r >= rows)
      continue;
    float *row = scores + r * A_STRIDE;
    for (int64_t i = first; i < end; i += VL) {
      vf x = v_mul(v_load(row + i), scale);
      if (sight[i / NR] != ALL) {
        vm seen = sight[i / NR] == NOTHING || i >= keys ? v_until(0)
                  : mask
                      ? v_bytes(mask + r * a->mask_q + i, at_most(VL, keys - i))
                      : v_until(keys - i);
        x = v_select(seen, x, none);
      }
      v_store(row + i, x);
      tops[r] = v_max(x, tops[r]);
    }
  }
  v_transpose(tops); // the maxima of all rows at once
#pragma GCC unroll 4
  for (int step = VL / 2; step > 0; step /= 2)
#pragma GCC unroll 8
    for (int r = 0; r < step; ++r)
      tops[r] = v_max(tops[r], tops[r + step]);

  _Alignas(64) float keep[VL];
  vf high = v_load(o->high), higher = v_max(tops[0], high);
  v_store(keep, v_exp(v_sub(high, higher)));
  v_store(o->high, higher);
  int changed = v_highest(v_sub(higher, high)) > 0.0f;

  for (int64_t r = 0; r < rows; ++r) {
    float *row = scores + r * A_STRIDE;
    vf top = v_all(o->high[r]), sum = v_zero();
    for (int64_t i = first; i < end; i += VL) {
      vf p = v_exp(v_sub(v_load(row + i), top));
      v_store(row + i, p);
      sum = v_add(sum, p);
    }
    v_store(o->totals[r], v_fma(v_load(o->totals[r]), v_all(keep[r]), sum));
  }
  if (changed)
    for (int64_t r = 0; r < rows; ++r) {
      vf factor = v_all(keep[r]);
      for (int64_t d = 0; d < width; d += VL)
        v_store(sums + r * width + d,
                v_mul(v_load(sums + r * width + d), factor));
    }
}

INLINE void attention_block(const linnet_attention_t *a, storage_t s,
                            head_t head, int64_t query) {
  _Alignas(64) float q[QUERIES * A_STRIDE];
  _Alignas(64) float k[KEYS * MAX_D];
  _Alignas(64) float v[KEYS * MAX_D];
  _Alignas(64) float sums[QUERIES * MAX_D];
  _Alignas(64) float scores[MR * A_STRIDE];
  online_t online[QUERY_TILES];
  const int64_t rows = at_most(QUERIES, a->queries - query), d = a->d;
  const int64_t width = ceil_div(d, NR) * NR, bytes = storage_bytes(s);
  const matrix_t keys = {head.k, a->k_t, 0, 0, 0};
  const matrix_t values = {head.v, a->v_t, 0, 0, 0};

  for (int64_t r = 0; r < rows; ++r) {
    const float *from = head.q + (query + r) * a->q_q;
    online[r / MR].high[r % MR] = LOWEST;
    v_store(online[r / MR].totals[r % MR], v_zero());
    for (int64_t i = 0; i < width; i += VL)
      v_store(sums + r * width + i, v_zero());
    for (int64_t i = 0; i < d; i += VL) {
      prefetch_l2(from + 8 * a->q_q + i);
      int64_t n = at_most(VL, d - i);
      if (n == VL)
        v_store(q + r * A_STRIDE + i, v_load(from + i));
      else
        v_store_n(q + r * A_STRIDE + i, v_load_n(from + i, n), n);
    }
  }
  for (int64_t r = rows; r % MR; ++r) // of the last tile, no queries
    online[r / MR].high[r % MR] = LOWEST;
  for (int64_t i = 0; i < QUERY_TILES; ++i)
    for (int64_t r = MR; r < VL; ++r)
      online[i].high[r] = LOWEST;

  block_t block, next;
  find_block(a, head, query, rows, 0, &block);
  for (; block.t < a->keys; block = next) {
    const int64_t t = block.t, count = at_most(KEYS, a->keys - t);
    pack_nk(keys, s, 0, d, t, count, k);
    pack_kn(values, s, t, count, 0, d, v);

    find_block(a, head, query, rows, t + KEYS, &next);
    int64_t ahead = at_most(KEYS, a->keys - next.t);
    ahead_t next_keys = {head.k + next.t * a->k_t * bytes, ahead,
                         a->k_t * bytes, d * bytes, 0};
    ahead_t next_values = {head.v + next.t * a->v_t * bytes, ahead,
                           a->v_t * bytes, d * bytes, 0};
    int64_t lines = ceil_div(ahead_lines(&next_keys), ceil_div(rows, MR));

    for (int64_t r = 0; r < rows; r += MR) {
      const sight_t *seen = block.of[r / MR];
      int first = 0, last = KEY_TILES - 1;
      while (first < KEY_TILES && seen[first] == NOTHING)
        ++first;
      if (first == KEY_TILES)
        continue;
      while (seen[last] == NOTHING)
        --last;
      int64_t low = at_most(MR, rows - r);
      ahead_take(&next_keys, lines);
      for (int j = first; j <= last; ++j)
        micro_tile(low, NR, q + r * A_STRIDE, k + j * NR * d, d,
                   scores + j * NR, A_STRIDE, 0);
      int64_t begin = first * NR, end = (last + 1) * NR;
      const uint8_t *mask =
          head.mask ? head.mask + (query + r) * a->mask_q + t : 0;
      soften(a, mask, seen, low, count, begin, end, scores, &online[r / MR],
             sums + r * width, width);
      ahead_take(&next_values, lines);
      int64_t depth = at_most(end, count) - begin;
      for (int64_t i = 0; i < width; i += NR)
        micro_tile(low, NR, scores + begin, v + i * count + begin * NR, depth,
                   sums + r * width + i, width, 1);
    }
  }

  for (int64_t r = 0; r < rows; ++r) {
    float *y = head.y + (query + r) * a->y_q;
    float total = v_sum(v_load(online[r / MR].totals[r % MR]));
    if (head.mask && total == 0.0f) {
      mean_of_values(a, s, head, y);
      continue;
    }
    vf part = v_all(1.0f / total);
    for (int64_t i = 0; i < d; i += VL)
      v_store_n(y + i, v_mul(v_load(sums + r * width + i), part),
                at_most(VL, d - i));
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

// Head by head, so that the blocks of one share keys and values in the cache,
// and the last queries of a head first: with a causal mask they take longest.
INLINE void attention_blocks(const linnet_attention_t *a, storage_t s,
                             int64_t share, int64_t shares) {
  int64_t heads = a->b * a->h, blocks = ceil_div(a->queries, QUERIES);
  for (int64_t i = share; i < heads * blocks; i += shares) {
    int64_t one = i / blocks;
    attention_block(a, s, head_of(a, s, one / a->h, one % a->h),
                    (blocks - 1 - i % blocks) * QUERIES);
  }
}

#endif // LINNET_KERNELS_ATTENTION_H
