// What the products have in common: shares of the columns, norms of the rows of
// x, and what follows the sum.
#ifndef LINNET_KERNELS_LINEAR_H
#define LINNET_KERNELS_LINEAR_H

#include "linnet_kernels.h"
#include "simd.h"

// At most so many rows stream the weights once, with sums in registers and L1
// for QUAD rows at a time.
enum { QUAD = 4, FEW_ROWS = 16 };
// Few rows that are normalised first lie on the stack, this much of them.
enum { NORM_ELEMENTS = 1 << 16 };

typedef struct {
  int64_t begin, end;
} range_t;

// Share `share` of `shares` of 0..n, in whole units.
INLINE range_t share_of(int64_t n, int64_t unit, int64_t share,
                        int64_t shares) {
  int64_t units = ceil_div(n, unit);
  range_t r = {at_most(share * units / shares * unit, n),
               at_most((share + 1) * units / shares * unit, n)};
  return r;
}

// The functions of std.nn.activations. The tanh form of GELU goes by
// (1 + tanh u) / 2 = 1 / (1 + exp(-2u)), which loses nothing near zero.
INLINE vf v_activate(vf x, int64_t activation) {
  const vf one = v_all(1.0f);
  switch (activation) {
  case LINNET_ACT_GELU: {
    vf cube = v_mul(v_mul(x, x), x);
    vf u = v_fma(cube, v_all(0.044715f), x);
    vf e = v_exp(v_mul(u, v_all(-2.0f * 0.7978845608f)));
    return v_div(x, v_add(one, e));
  }
  case LINNET_ACT_SILU:
    return v_div(x, v_add(one, v_exp(v_sub(v_zero(), x))));
  case LINNET_ACT_RELU:
    return v_max(v_zero(), x);
  case LINNET_ACT_GELU_ERF: {
    vf size = v_abs(x);
    vf t = v_div(one, v_fma(v_all(0.2316419f), size, one));
    vf c = v_fma(t, v_all(1.330274429f), v_all(-1.821255978f));
    c = v_fma(t, c, v_all(1.781477937f));
    c = v_fma(t, c, v_all(-0.356563782f));
    c = v_fma(t, c, v_all(0.319381530f));
    vf e = v_exp(v_mul(v_mul(size, size), v_all(-0.5f)));
    vf lower = v_mul(v_mul(v_all(0.3989422804014327f), e), v_mul(t, c));
    return v_mul(x, v_select(v_nonnegative(x), v_sub(one, lower), lower));
  }
  default:
    return x;
  }
}

// y[m, n..n+count) = act(sum * scale + bias) + residual. `sum` may be that part
// of y.
NOINLINE void finish(const linnet_linear_t *a, const float *scale, int64_t m,
                     int64_t n, int64_t count, const float *sum) {
  float *y = a->y + m * a->ldy + n;
  const float *bias = a->bias ? a->bias + n : 0;
  const float *residual = a->residual ? a->residual + m * a->ldr + n : 0;
  scale = scale ? scale + n : 0;
  if (sum == y && !scale && !bias && !residual && !a->activation)
    return;
  for (int64_t i = 0; i < count; i += VL) {
    int64_t left = count - i;
    if (left >= VL) {
      vf v = v_load(sum + i);
      if (scale)
        v = v_mul(v, v_load(scale + i));
      if (bias)
        v = v_add(v, v_load(bias + i));
      v = v_activate(v, a->activation);
      if (residual)
        v = v_add(v, v_load(residual + i));
      v_store(y + i, v);
    } else {
      vf v = v_load_n(sum + i, left);
      if (scale)
        v = v_mul(v, v_load_n(scale + i, left));
      if (bias)
        v = v_add(v, v_load_n(bias + i, left));
      v = v_activate(v, a->activation);
      if (residual)
        v = v_add(v, v_load_n(residual + i, left));
      v_store_n(y + i, v, left);
    }
  }
}

// A row of x is normalised as (x - mean) * factor * gain + shift.
typedef struct {
  float mean, factor;
} norm_t;

// The mean is taken first and the squares about it, as the definition has it.
NOINLINE norm_t norm_of(const linnet_linear_t *a, const float *x) {
  int64_t k = a->k, whole = k / VL * VL;
  norm_t r = {0.0f, 1.0f};
  if (a->norm == LINNET_NORM_LAYER) {
    vf sum = v_zero();
    for (int64_t i = 0; i < whole; i += VL)
      sum = v_add(sum, v_load(x + i));
    if (whole < k)
      sum = v_add(sum, v_load_n(x + whole, k - whole));
    r.mean = v_sum(sum) / (float)k;
  }
  vf mean = v_all(r.mean), squares = v_zero();
  for (int64_t i = 0; i < whole; i += VL) {
    vf c = v_sub(v_load(x + i), mean);
    squares = v_fma(c, c, squares);
  }
  float rest = 0.0f;
  for (int64_t i = whole; i < k; ++i)
    rest += (x[i] - r.mean) * (x[i] - r.mean);
  float variance = (v_sum(squares) + rest) / (float)k;
  r.factor = 1.0f / scalar_sqrt(variance + a->eps);
  return r;
}

// Elements k..k+count of a row, normalised, to `to`.
NOINLINE void normalise(const linnet_linear_t *a, norm_t norm, const float *x,
                        int64_t k, int64_t count, float *to) {
  const float *gain = a->norm_gain, *shift = a->norm_shift;
  vf mean = v_all(norm.mean), factor = v_all(norm.factor);
  for (int64_t i = 0; i < count; i += VL) {
    int64_t left = count - i;
    if (left >= VL) {
      vf v = v_mul(v_sub(v_load(x + k + i), mean), factor);
      if (gain)
        v = v_mul(v, v_load(gain + k + i));
      if (shift)
        v = v_add(v, v_load(shift + k + i));
      v_store(to + i, v);
    } else {
      vf v = v_mul(v_sub(v_load_n(x + k + i, left), mean), factor);
      if (gain)
        v = v_mul(v, v_load_n(gain + k + i, left));
      if (shift)
        v = v_add(v, v_load_n(shift + k + i, left));
      v_store_n(to + i, v, left);
    }
  }
}

// False where the arguments are outside of what the header says.
INLINE int linear_fits(const linnet_linear_t *a, storage_t s, int64_t share,
                       int64_t shares) {
  if (a->m < 0 || a->n < 0 || a->k < 0 || share < 0 || share >= shares)
    return 0;
  if (a->activation < LINNET_ACT_NONE || a->activation > LINNET_ACT_GELU_ERF)
    return 0;
  if (a->norm < LINNET_NORM_NONE || a->norm > LINNET_NORM_RMS)
    return 0;
  if (s == I4 && (!a->scale || !a->zero || a->group < 8 || a->group % 8 != 0 ||
                  a->k % a->group != 0))
    return 0;
  return 1;
}

#endif // LINNET_KERNELS_LINEAR_H
