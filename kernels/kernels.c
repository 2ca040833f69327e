// All kernels for one level of x86-64, one object.
#include "linnet_kernels.h"

#include "attention.h"
#include "linear_few.h"
#include "linear_panels.h"

#define LINEAR(name, storage, nk)                                              \
  int linnet_run_linear_##name(const linnet_linear_t *args, int64_t share,     \
                               int64_t shares) {                               \
    if (!linear_fits(args, storage, share, shares))                            \
      return 1;                                                                \
    if (args->m == 0 || args->n == 0)                                          \
      return 0;                                                                \
    if (linear_is_few(args, storage))                                          \
      few_##name(args, share, shares);                                         \
    else                                                                       \
      panels_##name(args, share, shares);                                      \
    return 0;                                                                  \
  }

// Apart, so that the stack of the one is not taken while the other runs.
#define LINEAR_PARTS(name, storage, nk)                                        \
  NOINLINE void few_##name(const linnet_linear_t *args, int64_t share,         \
                           int64_t shares) {                                   \
    linear_few(args, storage, nk, share, shares);                              \
  }                                                                            \
  NOINLINE void panels_##name(const linnet_linear_t *args, int64_t share,      \
                              int64_t shares) {                                \
    linear_panels(args, storage, nk, share, shares);                           \
  }                                                                            \
  LINEAR(name, storage, nk)

LINEAR_PARTS(f32_kn, F32, 0)
LINEAR_PARTS(f32_nk, F32, 1)
LINEAR_PARTS(bf16_kn, BF16, 0)
LINEAR_PARTS(bf16_nk, BF16, 1)
LINEAR_PARTS(f16_kn, F16, 0)
LINEAR_PARTS(f16_nk, F16, 1)
LINEAR_PARTS(i8_kn, I8, 0)
LINEAR_PARTS(i8_nk, I8, 1)
LINEAR_PARTS(i4_nk, I4, 1)

#define ATTENTION(name, storage)                                               \
  NOINLINE void rows_##name(const linnet_attention_t *args, int64_t share,     \
                            int64_t shares) {                                  \
    attention_rows(args, storage, share, shares);                              \
  }                                                                            \
  NOINLINE void blocks_##name(const linnet_attention_t *args, int64_t share,   \
                              int64_t shares) {                                \
    attention_blocks(args, storage, share, shares);                            \
  }                                                                            \
  int linnet_run_attention_##name(const linnet_attention_t *args,              \
                                  int64_t share, int64_t shares) {             \
    if (!attention_fits(args, share, shares))                                  \
      return 1;                                                                \
    if (args->queries <= FEW_QUERIES)                                          \
      rows_##name(args, share, shares);                                        \
    else                                                                       \
      blocks_##name(args, share, shares);                                      \
    return 0;                                                                  \
  }

ATTENTION(f32, F32)
ATTENTION(bf16, BF16)
ATTENTION(f16, F16)

#include "calls.h"
