// The functions that IREE's code calls (`backends/iree/_kernels.py`): one word
// per argument, no structures.
//
// A buffer is a memref of rank 0: base, aligned base and offset in bytes. The
// sizes follow in the order of the structure's fields, then share and shares.
#ifndef LINNET_KERNELS_CALLS_H
#define LINNET_KERNELS_CALLS_H

#include "linnet_kernels.h"
#include "step.h"

#include <stddef.h>

#define BUFFER(name)                                                           \
  const char *name##_base, const char *name, size_t name##_offset
#define AT(name) ((void)name##_base, (const void *)((name) + name##_offset))
#define IF(bit, name) (flags & (bit) ? AT(name) : NULL)

static inline float bits_to_float(int64_t bits) {
  union {
    uint32_t bits;
    float value;
  } both = {(uint32_t)bits};
  return both.value;
}

#define LINEAR_CALL(suffix)                                                    \
  LINNET_KERNELS_API void linnet_call_linear_##suffix(                         \
      BUFFER(x), BUFFER(w), BUFFER(scale), BUFFER(zero), BUFFER(bias),         \
      BUFFER(residual), BUFFER(gain), BUFFER(shift), BUFFER(y), int64_t m,     \
      int64_t n, int64_t k, int64_t flags, int64_t group, int64_t activation,  \
      int64_t norm, int64_t eps, int64_t share, int64_t shares) {              \
    const linnet_linear_t args = {                                             \
        .x = AT(x),                                                            \
        .w = AT(w),                                                            \
        .scale = IF(LINNET_LINEAR_HAS_SCALE, scale),                           \
        .zero = IF(LINNET_LINEAR_HAS_ZERO, zero),                              \
        .bias = IF(LINNET_LINEAR_HAS_BIAS, bias),                              \
        .residual = IF(LINNET_LINEAR_HAS_RESIDUAL, residual),                  \
        .norm_gain = IF(LINNET_LINEAR_HAS_NORM_GAIN, gain),                    \
        .norm_shift = IF(LINNET_LINEAR_HAS_NORM_SHIFT, shift),                 \
        .y = (float *)AT(y),                                                   \
        .m = m,                                                                \
        .n = n,                                                                \
        .k = k,                                                                \
        .ldx = k,                                                              \
        .ldw = group ? k / 2 : LINEAR_LDW_##suffix,                            \
        .ldr = n,                                                              \
        .ldy = n,                                                              \
        .group = group,                                                        \
        .activation = activation,                                              \
        .norm = norm,                                                          \
        .eps = bits_to_float(eps)};                                            \
    (void)linnet_run_linear_##suffix(&args, share, shares);                    \
  }

#define LINEAR_LDW_f32_kn n
#define LINEAR_LDW_bf16_kn n
#define LINEAR_LDW_f16_kn n
#define LINEAR_LDW_i8_kn n
#define LINEAR_LDW_f32_nk k
#define LINEAR_LDW_bf16_nk k
#define LINEAR_LDW_f16_nk k
#define LINEAR_LDW_i8_nk k
#define LINEAR_LDW_i4_nk k
LINEAR_CALL(f32_kn)
LINEAR_CALL(f32_nk)
LINEAR_CALL(bf16_kn)
LINEAR_CALL(bf16_nk)
LINEAR_CALL(f16_kn)
LINEAR_CALL(f16_nk)
LINEAR_CALL(i8_kn)
LINEAR_CALL(i8_nk)
LINEAR_CALL(i4_nk)

#define ATTENTION_SIZES                                                        \
  int64_t b, int64_t h, int64_t hk, int64_t queries, int64_t keys, int64_t d,  \
      int64_t flags, int64_t scale, int64_t q_b, int64_t q_h, int64_t q_q,     \
      int64_t k_b, int64_t k_h, int64_t k_t, int64_t v_b, int64_t v_h,         \
      int64_t v_t, int64_t y_b, int64_t y_h, int64_t y_q, int64_t mask_b,      \
      int64_t mask_q

#define ATTENTION_ARGUMENTS                                                    \
  {.q = AT(q),                                                                 \
   .k = AT(k),                                                                 \
   .v = AT(v),                                                                 \
   .mask = IF(LINNET_ATTENTION_HAS_MASK, mask),                                \
   .y = (float *)AT(y),                                                        \
   .b = b,                                                                     \
   .h = h,                                                                     \
   .hk = hk,                                                                   \
   .queries = queries,                                                         \
   .keys = keys,                                                               \
   .d = d,                                                                     \
   .q_b = q_b,                                                                 \
   .q_h = q_h,                                                                 \
   .q_q = q_q,                                                                 \
   .k_b = k_b,                                                                 \
   .k_h = k_h,                                                                 \
   .k_t = k_t,                                                                 \
   .v_b = v_b,                                                                 \
   .v_h = v_h,                                                                 \
   .v_t = v_t,                                                                 \
   .y_b = y_b,                                                                 \
   .y_h = y_h,                                                                 \
   .y_q = y_q,                                                                 \
   .mask_b = mask_b,                                                           \
   .mask_q = mask_q,                                                           \
   .scale = bits_to_float(scale)}

// `step`: the rows `new_k` and `new_v` enter the caches at `at` first.
#define ATTENTION_CALL(suffix, element)                                        \
  LINNET_KERNELS_API void linnet_call_attention_##suffix(                      \
      BUFFER(q), BUFFER(k), BUFFER(v), BUFFER(mask), BUFFER(y),                \
      ATTENTION_SIZES, int64_t share, int64_t shares) {                        \
    const linnet_attention_t args = ATTENTION_ARGUMENTS;                       \
    (void)linnet_run_attention_##suffix(&args, share, shares);                 \
  }                                                                            \
  LINNET_KERNELS_API void linnet_call_step_##suffix(                           \
      BUFFER(q), BUFFER(k), BUFFER(v), BUFFER(mask), BUFFER(new_k),            \
      BUFFER(new_v), BUFFER(at), BUFFER(y), ATTENTION_SIZES, int64_t share,    \
      int64_t shares) {                                                        \
    const linnet_attention_t args = ATTENTION_ARGUMENTS;                       \
    const linnet_step_t step = {.new_k = AT(new_k),                            \
                                .new_v = AT(new_v),                            \
                                .k = (char *)AT(k),                            \
                                .v = (char *)AT(v),                            \
                                .at = *(const int32_t *)AT(at),                \
                                .bytes = sizeof(element)};                     \
    attention_step(&args, &step, linnet_run_attention_##suffix, share,         \
                   shares);                                                    \
  }

ATTENTION_CALL(f32, float)
ATTENTION_CALL(bf16, uint16_t)
ATTENTION_CALL(f16, uint16_t)

#endif // LINNET_KERNELS_CALLS_H
