// What a test or a benchmark loads: this file and one of the kernel objects,
// linked into a shared library. It is no part of the package.
//
// `threads` workers each run their share of a chain of calls, one call after
// the other, with no barrier between them: a test of the shares, and the rate
// of the machine when there is nothing but the kernels.
#include "linnet_kernels.h"

#include "iree_abi.h"

#include <pthread.h>

#define EXPORT __attribute__((visibility("default")))

typedef int (*run_t)(const void *args, int64_t share, int64_t shares);

static run_t const RUNS[] = {
    (run_t)linnet_run_linear_f32_kn,  (run_t)linnet_run_linear_f32_nk,
    (run_t)linnet_run_linear_bf16_kn, (run_t)linnet_run_linear_bf16_nk,
    (run_t)linnet_run_linear_f16_kn,  (run_t)linnet_run_linear_f16_nk,
    (run_t)linnet_run_linear_i8_kn,   (run_t)linnet_run_linear_i8_nk,
    (run_t)linnet_run_linear_i4_nk,   (run_t)linnet_run_attention_f32,
    (run_t)linnet_run_attention_bf16, (run_t)linnet_run_attention_f16,
};

typedef int (*entry_t)(const linnet_iree_environment_t *environment,
                       const linnet_iree_dispatch_t *dispatch,
                       const linnet_iree_workgroup_t *workgroup);

#define ENTRY(name)                                                            \
  int linnet_##name(const linnet_iree_environment_t *,                         \
                    const linnet_iree_dispatch_t *,                            \
                    const linnet_iree_workgroup_t *);
ENTRY(linear_f32_kn)
ENTRY(linear_f32_nk)
ENTRY(linear_bf16_kn)
ENTRY(linear_bf16_nk)
ENTRY(linear_f16_kn)
ENTRY(linear_f16_nk)
ENTRY(linear_i8_kn)
ENTRY(linear_i8_nk)
ENTRY(linear_i4_nk)
ENTRY(attention_f32)
ENTRY(attention_bf16)
ENTRY(attention_f16)
#undef ENTRY

// In the order of RUNS.
static entry_t const ENTRIES[] = {
    linnet_linear_f32_kn,  linnet_linear_f32_nk,  linnet_linear_bf16_kn,
    linnet_linear_bf16_nk, linnet_linear_f16_kn,  linnet_linear_f16_nk,
    linnet_linear_i8_kn,   linnet_linear_i8_nk,   linnet_linear_i4_nk,
    linnet_attention_f32,  linnet_attention_bf16, linnet_attention_f16,
};

typedef struct {
  const int64_t *kinds; // places in RUNS
  const void *const *args;
  int64_t calls, share, shares;
  int failed;
} chain_t;

static void *run_chain(void *argument) {
  chain_t *c = (chain_t *)argument;
  for (int64_t i = 0; i < c->calls; ++i)
    c->failed |= RUNS[c->kinds[i]](c->args[i], c->share, c->shares);
  return 0;
}

EXPORT int linnet_test_share(int64_t kind, const void *args, int64_t share,
                             int64_t shares) {
  return RUNS[kind](args, share, shares);
}

// All workgroups of a dispatch, one after the other.
EXPORT int linnet_test_dispatch(int64_t kind, const uint32_t *words,
                                int64_t word_count, void *const *bindings,
                                int64_t binding_count, int64_t workgroups) {
  linnet_iree_dispatch_t dispatch = {
      .workgroup_size_x = 1,
      .workgroup_size_y = 1,
      .workgroup_size_z = 1,
      .push_constant_count = (uint16_t)word_count,
      .workgroup_count_x = (uint32_t)workgroups,
      .workgroup_count_y = 1,
      .workgroup_count_z = 1,
      .binding_count = (uint8_t)binding_count,
      .push_constants = words,
      .bindings = bindings,
  };
  int failed = 0;
  for (int64_t i = 0; i < workgroups; ++i) {
    linnet_iree_workgroup_t workgroup = {.workgroup_id_x = (uint32_t)i};
    failed |= ENTRIES[kind](0, &dispatch, &workgroup);
  }
  return failed;
}

EXPORT int linnet_test_chain(const int64_t *kinds, const void *const *args,
                             int64_t calls, int64_t threads) {
  enum { MOST = 64 };
  chain_t chains[MOST];
  pthread_t handles[MOST];
  int failed = 0;
  if (threads < 1 || threads > MOST)
    return 1;
  for (int64_t i = 0; i < threads; ++i) {
    chains[i] = (chain_t){kinds, args, calls, i, threads, 0};
    if (i > 0 && pthread_create(&handles[i], 0, run_chain, &chains[i]))
      return 1;
  }
  run_chain(&chains[0]);
  for (int64_t i = 0; i < threads; ++i) {
    if (i > 0)
      pthread_join(handles[i], 0);
    failed |= chains[i].failed;
  }
  return failed;
}
