// The entries that IREE calls: bindings and push constants become arguments.
#ifndef LINNET_KERNELS_ENTRIES_H
#define LINNET_KERNELS_ENTRIES_H

#include "iree_abi.h"
#include "linnet_kernels.h"
#include "simd.h"

INLINE uint32_t word(const linnet_iree_dispatch_t *d, int at) {
  return at < d->push_constant_count ? d->push_constants[at] : 0;
}

INLINE float word_float(const linnet_iree_dispatch_t *d, int at) {
  union {
    uint32_t bits;
    float value;
  } u = {word(d, at)};
  return u.value;
}

INLINE int64_t word_or(const linnet_iree_dispatch_t *d, int at, int64_t other) {
  uint32_t w = word(d, at);
  return w ? (int64_t)w : other;
}

INLINE void linear_arguments(const linnet_iree_dispatch_t *d, storage_t s,
                             int nk, linnet_linear_t *a) {
  uint32_t flags = word(d, LINNET_LINEAR_FLAGS);
  void *const *next = d->bindings;
  a->m = word(d, LINNET_LINEAR_M);
  a->n = word(d, LINNET_LINEAR_N);
  a->k = word(d, LINNET_LINEAR_K);
  a->group = word(d, LINNET_LINEAR_GROUP);
  a->eps = word_float(d, LINNET_LINEAR_EPS);
  a->activation = flags & LINNET_LINEAR_ACT_MASK;
  a->norm = flags >> LINNET_LINEAR_NORM_SHIFT_BITS;
  a->ldx = word_or(d, LINNET_LINEAR_LDX, a->k);
  a->ldw = word_or(d, LINNET_LINEAR_LDW, s == I4 ? a->k / 2 : nk ? a->k : a->n);
  a->ldy = a->ldr = word_or(d, LINNET_LINEAR_LDY, a->n);

  int64_t y_offset = word(d, LINNET_LINEAR_Y_OFFSET);
  a->x = (const float *)*next++ + word(d, LINNET_LINEAR_X_OFFSET);
  a->w = (const char *)*next++ +
         word(d, LINNET_LINEAR_W_OFFSET) * storage_bytes(s);
  a->scale = flags & LINNET_LINEAR_HAS_SCALE ? (const float *)*next++ : 0;
  a->bias = flags & LINNET_LINEAR_HAS_BIAS ? (const float *)*next++ : 0;
  a->residual = flags & LINNET_LINEAR_HAS_RESIDUAL
                    ? (const float *)*next++ + y_offset
                    : 0;
  a->norm_gain =
      flags & LINNET_LINEAR_HAS_NORM_GAIN ? (const float *)*next++ : 0;
  a->norm_shift =
      flags & LINNET_LINEAR_HAS_NORM_SHIFT ? (const float *)*next++ : 0;
  a->y = (float *)*next + y_offset;
}

#define ENTRY(name)                                                            \
  LINNET_KERNELS_API int linnet_##name(                                        \
      const linnet_iree_environment_t *environment,                            \
      const linnet_iree_dispatch_t *dispatch,                                  \
      const linnet_iree_workgroup_t *workgroup)

#define LINEAR_ENTRY(name, storage, nk)                                        \
  ENTRY(linear_##name);                                                        \
  ENTRY(linear_##name) {                                                       \
    (void)environment;                                                         \
    linnet_linear_t args;                                                      \
    linear_arguments(dispatch, storage, nk, &args);                            \
    return linnet_run_linear_##name(&args, workgroup->workgroup_id_x,          \
                                    dispatch->workgroup_count_x);              \
  }

INLINE void attention_arguments(const linnet_iree_dispatch_t *d, storage_t s,
                                linnet_attention_t *a) {
  const int64_t bytes = storage_bytes(s);
  void *const *next = d->bindings;
  a->b = word(d, LINNET_ATTENTION_B);
  a->h = word(d, LINNET_ATTENTION_H);
  a->hk = word(d, LINNET_ATTENTION_HK);
  a->queries = word(d, LINNET_ATTENTION_Q);
  a->keys = word(d, LINNET_ATTENTION_K);
  a->d = word(d, LINNET_ATTENTION_D);
  a->scale = word_float(d, LINNET_ATTENTION_SCALE);
  a->q_b = word(d, LINNET_ATTENTION_Q_B);
  a->q_h = word(d, LINNET_ATTENTION_Q_H);
  a->q_q = word(d, LINNET_ATTENTION_Q_Q);
  a->k_b = word(d, LINNET_ATTENTION_K_B);
  a->k_h = word(d, LINNET_ATTENTION_K_H);
  a->k_t = word(d, LINNET_ATTENTION_K_T);
  a->v_b = word(d, LINNET_ATTENTION_V_B);
  a->v_h = word(d, LINNET_ATTENTION_V_H);
  a->v_t = word(d, LINNET_ATTENTION_V_T);
  a->y_b = word(d, LINNET_ATTENTION_Y_B);
  a->y_h = word(d, LINNET_ATTENTION_Y_H);
  a->y_q = word(d, LINNET_ATTENTION_Y_Q);
  a->mask_b = word(d, LINNET_ATTENTION_MASK_B);
  a->mask_q = word(d, LINNET_ATTENTION_MASK_Q);

  a->q = (const float *)*next++ + word(d, LINNET_ATTENTION_Q_OFFSET);
  a->k = (const char *)*next++ + word(d, LINNET_ATTENTION_K_OFFSET) * bytes;
  a->v = (const char *)*next++ + word(d, LINNET_ATTENTION_V_OFFSET) * bytes;
  a->mask = word(d, LINNET_ATTENTION_FLAGS) & LINNET_ATTENTION_HAS_MASK
                ? (const uint8_t *)*next++
                : 0;
  a->y = (float *)*next + word(d, LINNET_ATTENTION_Y_OFFSET);
}

#define ATTENTION_ENTRY(name, storage)                                         \
  ENTRY(attention_##name);                                                     \
  ENTRY(attention_##name) {                                                    \
    (void)environment;                                                         \
    linnet_attention_t args;                                                   \
    attention_arguments(dispatch, storage, &args);                             \
    return linnet_run_attention_##name(&args, workgroup->workgroup_id_x,       \
                                       dispatch->workgroup_count_x);           \
  }

#endif // LINNET_KERNELS_ENTRIES_H
