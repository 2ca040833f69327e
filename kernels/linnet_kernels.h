// The hand-written CPU kernels: matrix products over weights as they are
// stored, and attention.
//
// A function `linnet_run_*` computes ONE share of a piece of work: share `i` of
// `n`, in any order, on any threads; the shares of one call together write the
// whole result, and the result does not depend on `n`. `calls.h` has the same
// functions as IREE's code calls them.
//
// The objects are freestanding: no external symbol, no thread, no lock, no
// allocation, no state. A share uses at most LINNET_KERNELS_STACK bytes of
// stack. Pointers need only the alignment of their elements, nothing is read
// outside the arrays named here, and no result may overlap an argument unless
// it says so.
//
// All arithmetic is f32, whatever the storage. Floats are IEEE; bf16 and f16
// travel as `uint16_t`.
#ifndef LINNET_KERNELS_H
#define LINNET_KERNELS_H

#include <stdint.h>

#ifndef LINNET_KERNELS_API
#define LINNET_KERNELS_API __attribute__((visibility("hidden")))
#endif

#define LINNET_KERNELS_STACK (768 * 1024)

//===----------------------------------------------------------------------===//
// Linear: y = act((norm(x) · W) * scale + bias) + residual
//===----------------------------------------------------------------------===//
//
// x [M, K] f32, y [M, N] f32. W is read where it lies, nothing is packed
// beforehand:
//   kn: W[K, N], row-major: y[m, n] = Σ_k x[m, k] W[k, n]   (Conv1D, `x @ w`)
//   nk: W[N, K], row-major: y[m, n] = Σ_k x[m, k] W[n, k]   (`linear`, the tied
//   head)
// stored as f32, bf16, f16, i8 (raw numbers: the scale comes afterwards), or
//   i4 (nk alone): bytes [N, K/2], element 2j the low half and 2j+1 the high
//   half of byte j, 0..15, with scale and zero [N, K/group]: W[n, k] = (half -
//   zero[n, k / group]) * scale[n, k / group], as std.quant has it. K is a
//   multiple of `group`, and `group` of 8.
//
// Few rows stream W once (M <= 16: the one-row product of decoding); many rows
// go through packed panels. Same function: M chooses.

typedef enum {
  LINNET_ACT_NONE = 0,
  LINNET_ACT_GELU = 1, // the tanh form: std.nn.activations.gelu
  LINNET_ACT_SILU = 2,
  LINNET_ACT_RELU = 3,
  LINNET_ACT_GELU_ERF = 4, // std.nn.activations.gelu_erf
} linnet_activation_t;

typedef enum {
  LINNET_NORM_NONE = 0,
  LINNET_NORM_LAYER = 1, // (x - mean) * rsqrt(variance + eps) * gain + shift
  LINNET_NORM_RMS = 2,   // x * rsqrt(mean square + eps) * gain
} linnet_norm_t;

typedef struct {
  const float *x;
  const void *w;
  const float
      *scale; // [N], or [N, K/group] for i4 (required there); else NULL: 1
  const float *zero;       // [N, K/group], i4 alone (required there)
  const float *bias;       // [N] or NULL
  const float *residual;   // [M, N] or NULL; not y itself
  const float *norm_gain;  // [K] or NULL: 1
  const float *norm_shift; // [K] or NULL: 0
  float *y;
  int64_t m, n, k;
  int64_t ldx, ldw, ldr, ldy; // elements from row to row (i4: bytes for ldw)
  int64_t group;              // i4 alone
  int64_t activation;         // linnet_activation_t
  int64_t norm;               // linnet_norm_t: applied to the rows of x first
  float eps;
} linnet_linear_t;

// Which of the arguments a call passes (calls.h).
typedef enum {
  LINNET_LINEAR_HAS_SCALE = 1 << 8,
  LINNET_LINEAR_HAS_BIAS = 1 << 9,
  LINNET_LINEAR_HAS_RESIDUAL = 1 << 10,
  LINNET_LINEAR_HAS_NORM_GAIN = 1 << 11,
  LINNET_LINEAR_HAS_NORM_SHIFT = 1 << 12,
  LINNET_LINEAR_HAS_ZERO = 1 << 13,
} linnet_linear_flag_t;

//===----------------------------------------------------------------------===//
// Attention: y = softmax(mask(q · kᵀ * scale)) · v
//===----------------------------------------------------------------------===//
//
// std.nn.attention: scores and sums in f32, a masked score is -1e30, so a row
// that sees nothing averages all K values evenly. Blocks of keys that no query
// of the block sees are not read: a decode step at position p reads p + 1 rows
// of the cache, and a causal prefill half of them.
//
// Elements of one row (D of them, 1 <= D <= LINNET_ATTENTION_MAX_D) are
// adjacent; everything else goes by strides in elements, so [B, H, T, D] and
// [B, T, H, D] caches and the three parts of a fused projection all serve.
// Query head h uses key head h / (H / Hk). q and y are f32; k and v are f32,
// bf16 or f16.

#define LINNET_ATTENTION_MAX_D 256

typedef struct {
  const float *q;
  const void *k, *v;
  const uint8_t
      *mask; // [B, Q, K], nonzero: may look; NULL: all may; keys adjacent
  float *y;
  int64_t b, h, hk, queries, keys, d;
  int64_t q_b, q_h, q_q; // strides of q: batch row, head, query
  int64_t k_b, k_h, k_t; // of k: batch row, key head, key
  int64_t v_b, v_h, v_t;
  int64_t y_b, y_h, y_q;
  int64_t mask_b,
      mask_q; // of the mask; mask_b = 0: one mask for all batch rows
  float scale;
} linnet_attention_t;

// As for the products.
typedef enum { LINNET_ATTENTION_HAS_MASK = 1 } linnet_attention_flag_t;

//===----------------------------------------------------------------------===//
// The plain functions
//===----------------------------------------------------------------------===//
//
// 0 on success; 1 where the sizes are outside of what is said above, and then
// nothing is written.

#define LINNET_DECLARE_LINEAR(suffix)                                          \
  LINNET_KERNELS_API int linnet_run_linear_##suffix(                           \
      const linnet_linear_t *args, int64_t share, int64_t shares);
LINNET_DECLARE_LINEAR(f32_kn)
LINNET_DECLARE_LINEAR(f32_nk)
LINNET_DECLARE_LINEAR(bf16_kn)
LINNET_DECLARE_LINEAR(bf16_nk)
LINNET_DECLARE_LINEAR(f16_kn)
LINNET_DECLARE_LINEAR(f16_nk)
LINNET_DECLARE_LINEAR(i8_kn)
LINNET_DECLARE_LINEAR(i8_nk)
LINNET_DECLARE_LINEAR(i4_nk)
#undef LINNET_DECLARE_LINEAR

#define LINNET_DECLARE_ATTENTION(suffix)                                       \
  LINNET_KERNELS_API int linnet_run_attention_##suffix(                        \
      const linnet_attention_t *args, int64_t share, int64_t shares);
LINNET_DECLARE_ATTENTION(f32)
LINNET_DECLARE_ATTENTION(bf16)
LINNET_DECLARE_ATTENTION(f16)
#undef LINNET_DECLARE_ATTENTION

#endif // LINNET_KERNELS_H
