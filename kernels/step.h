// One step of decoding: the new row enters the caches, then the query attends.
#ifndef LINNET_KERNELS_STEP_H
#define LINNET_KERNELS_STEP_H

#include "linnet_kernels.h"
#include "simd.h"

// The caches, which are written: [B, Hk, T, D] with the strides of `args`; the
// new rows: [B, Hk, D]; `at`: the position of the new row, which outside of
// 0..T-1 is written nowhere. `bytes` are those of an element of the caches.
typedef struct {
  const char *new_k, *new_v;
  char *k, *v;
  int64_t at, bytes;
} linnet_step_t;

typedef int (*linnet_attend_t)(const linnet_attention_t *args, int64_t share,
                               int64_t shares);

INLINE void copy_row(char *to, const char *from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i++)
    to[i] = from[i];
}

// A share has whole key heads, whose rows it writes itself, so that none waits
// for another.
INLINE void attention_step(const linnet_attention_t *args,
                           const linnet_step_t *step, linnet_attend_t attend,
                           int64_t share, int64_t shares) {
  int64_t pairs = args->b * args->hk, group = args->h / args->hk;
  for (int64_t i = pairs * share / shares; i < pairs * (share + 1) / shares;
       i++) {
    int64_t b = i / args->hk, g = i % args->hk, size = step->bytes;
    int64_t k = (b * args->k_b + g * args->k_h) * size;
    int64_t v = (b * args->v_b + g * args->v_h) * size;
    if (step->at >= 0 && step->at < args->keys) {
      int64_t row = args->d * size;
      copy_row(step->k + k + step->at * args->k_t * size, step->new_k + i * row,
               row);
      copy_row(step->v + v + step->at * args->v_t * size, step->new_v + i * row,
               row);
    }
    linnet_attention_t part = *args;
    part.b = part.hk = 1;
    part.h = group;
    part.q += b * args->q_b + g * group * args->q_h;
    part.y += b * args->y_b + g * group * args->y_h;
    part.k = step->k + k;
    part.v = step->v + v;
    if (part.mask)
      part.mask += b * args->mask_b;
    (void)attend(&part, 0, 1);
  }
}

#endif // LINNET_KERNELS_STEP_H
