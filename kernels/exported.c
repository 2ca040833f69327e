// What a test or a benchmark loads: this file and one of the kernel objects,
// linked into a shared library. It is no part of the package.
//
// `threads` workers each run their share of a chain of calls, one call after
// the other, with no barrier between them: a test of the shares, and the rate
// of the machine when there is nothing but the kernels.
#include "linnet_kernels.h"

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
