"""Rates of the CPU kernels alone, beside what this machine can do.

    python bench/kernels.py [--level v3|v4] [--threads N] [--seconds S] [--json]

The limits are measured by the run itself: how fast N threads read memory in huge pages, and how
fast the products run on one block that stays in the cache. Then, in the shapes of GPT-2 124M:

- `decode`: the 48 products of the layers and the head, one row, each weight stored once and read
  once: GB/s of stored bytes, and how many tokens a second that would be;
- `prefill`: the products of the layers with 512 rows, with their norms, biases and activations,
  and causal attention: GFLOP/s, and milliseconds for the prompt.

There is no barrier between calls here, so a whole program can only be slower. Medians; the best run
in brackets. Run it on a quiet machine.
"""

import argparse
import ctypes
import json
import mmap
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from kernels_library import LEVELS, Attention, Kernels, Linear, load, why_not
from numpy.typing import NDArray

LAYERS, HEADS, WIDTH, VOCAB = 12, 12, 64, 50257
SHAPES = ((768, 2304), (768, 768), (768, 3072), (3072, 768))  # K, N of a layer
BYTES = {"f32": 4.0, "bf16": 2.0, "f16": 2.0, "i8": 1.0, "i4": 0.5}
GROUP = 64
MADV_HUGEPAGE = 14


@dataclass(frozen=True)
class Rate:
    """One line of the result."""

    name: str
    unit: str
    median: float
    best: float
    note: str = ""


@dataclass(frozen=True)
class Chain:
    """Calls, what keeps their arrays alive, and how much they do."""

    calls: list[tuple[str, ctypes.Structure]]
    arrays: list[NDArray[Any]]
    amount: float  # bytes or floating-point operations


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description="Rates of the CPU kernels alone.")
    parser.add_argument("--level", choices=LEVELS, default=None, help="the best that runs here")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each line")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    levels = [options.level] if options.level else list(reversed(LEVELS))
    usable = [level for level in levels if why_not(level) is None]
    if not usable:
        sys.exit(f"bench/kernels.py: {why_not(levels[0])}")
    with tempfile.TemporaryDirectory() as folder:
        kernels = load(usable[0], Path(folder))
        rates: list[Rate] = []
        for rate in measure(kernels, options.threads, options.seconds):
            rates.append(rate)
            if not options.json:
                print(
                    f"{rate.name:34} {rate.median:8.1f} ({rate.best:.1f}) {rate.unit} {rate.note}",
                    flush=True,
                )
        if options.json:
            print(json.dumps({"level": usable[0], "rates": [asdict(one) for one in rates]}))


def measure(kernels: Kernels, threads: int, seconds: float) -> Iterator[Rate]:
    """All lines, limits first."""
    times = repeated(reader(threads), seconds)
    yield rate("limit: reading, huge pages", "GB/s", READ_BYTES / 1e9, times)
    chain = blocks()
    yield rated("limit: products in the cache", "GFLOP/s", kernels, chain, threads, seconds)
    for storage, layouts in (("f32", "kn nk"), ("bf16", "kn"), ("i8", "kn nk"), ("i4", "nk")):
        for layout in layouts.split():
            chain = decode(storage, layout)
            name = f"decode: {storage}, {layout}"
            yield rated(name, "GB/s", kernels, chain, threads, seconds, "tokens/s")
    for storage, layout in (("f32", "kn"), ("f32", "nk"), ("bf16", "kn"), ("i8", "kn")):
        chain = prefill(storage, layout, 512)
        name = f"prefill: {storage}, {layout}, 512 rows"
        yield rated(name, "GFLOP/s", kernels, chain, threads, seconds, "ms")
    name = "prefill: causal attention, 512 rows"
    yield rated(name, "GFLOP/s", kernels, attention("f32", 512, 0), threads, seconds, "ms")
    name = "decode: attention, 576 positions"
    yield rated(name, "GB/s", kernels, attention("f32", 1, 575), threads, seconds, "ms")


def rated(
    name: str,
    unit: str,
    kernels: Kernels,
    chain: Chain,
    threads: int,
    seconds: float,
    also: str = "",
) -> Rate:
    """A chain, timed."""
    times = repeated(lambda: kernels.chain(chain.calls, threads), seconds)
    middle = statistics.median(times)
    note = {"ms": f"{middle * 1e3:.1f} ms", "tokens/s": f"{1 / middle:.0f} tokens/s"}.get(also, "")
    return rate(name, unit, chain.amount / 1e9, times, note)


def rate(name: str, unit: str, amount: float, times: list[float], note: str = "") -> Rate:
    """`amount` in each of the times."""
    return Rate(name, unit, amount / statistics.median(times), amount / min(times), note)


def repeated(run: Callable[[], object], seconds: float) -> list[float]:
    """Times of at least five runs after one that warms up."""
    run()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return times


def memory(size: float) -> NDArray[np.uint8]:
    """Bytes in pages of 2 MiB, where the kernel grants them."""
    page = 2 << 20
    length = (int(size) // page + 2) * page
    whole = mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    array = np.frombuffer(whole, np.uint8)
    array = array[-array.ctypes.data % page :]
    ctypes.CDLL(None).madvise(
        ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), MADV_HUGEPAGE
    )
    array[::4096] = 1
    return array


READ_BYTES = 512 << 20


def reader(threads: int) -> Callable[[], object]:
    """Adds up memory, each thread its part."""
    from concurrent.futures import ThreadPoolExecutor

    words = memory(READ_BYTES)[:READ_BYTES].view(np.uint64)
    parts = np.array_split(words, threads)
    pool = ThreadPoolExecutor(threads)
    return lambda: list(pool.map(np.add.reduce, parts))


def linear(
    kind: str, x: NDArray[Any], w: int, scale: NDArray[Any], y: NDArray[Any], k: int, n: int
) -> Linear:
    """A product of contiguous arrays, the weight at the address `w`."""
    storage, layout = kind.split("_")[1:]
    return Linear(
        x=x.ctypes.data,
        w=w,
        scale=scale.ctypes.data if storage in ("i8", "i4") else None,
        zero=scale.ctypes.data if storage == "i4" else None,
        y=y.ctypes.data,
        m=len(x),
        n=n,
        k=k,
        ldx=x.shape[1],
        ldw=k // 2 if storage == "i4" else n if layout == "kn" else k,
        ldr=n,
        ldy=n,
        group=GROUP,
        eps=1e-5,
    )


def blocks() -> Chain:
    """One product whose operands stay in the caches, over and over."""
    m, n, k = 504, 768, 768
    x, y = np.ones((m, k), np.float32), np.ones((m, n), np.float32)
    w = memory(4 * k * n)
    call = linear("linear_f32_kn", x, w.ctypes.data, x, y, k, n)
    return Chain([("linear_f32_kn", call)] * 5, [x, y, w], 5.0 * 2 * m * n * k)


def decode(storage: str, layout: str) -> Chain:
    """The products of one token. The head is stored [N, K], as the embedding is."""
    shapes = [shape for _ in range(LAYERS) for shape in SHAPES]
    stored = [int(k * n * BYTES[storage]) for k, n in [*shapes, (768, VOCAB)]]
    weights = memory(sum(stored))
    x, y = np.ones((1, 3072), np.float32), np.ones((1, VOCAB), np.float32)
    scale = np.ones(768 * VOCAB // GROUP, np.float32)
    calls: list[tuple[str, ctypes.Structure]] = []
    at = weights.ctypes.data
    for (k, n), size in zip([*shapes, (768, VOCAB)], stored, strict=True):
        kind = f"linear_{storage}_{'nk' if n == VOCAB else layout}"
        calls.append((kind, linear(kind, x, at, scale, y, k, n)))
        at += size
    scales = sum(stored) / GROUP * 16 if storage == "i4" else 0  # and zeros
    return Chain(calls, [weights, x, y, scale], sum(stored) + scales)


def prefill(storage: str, layout: str, rows: int) -> Chain:
    """The products of the layers with what GPT-2 has before and after them."""
    kind = f"linear_{storage}_{layout}"
    weights = memory(sum(k * n for k, n in SHAPES) * LAYERS * BYTES[storage])
    rng = np.random.default_rng(0)
    wide = {n: rng.standard_normal((rows, n), np.float32) for n in (768, 2304, 3072)}
    other = wide[768].copy()
    ones, zeros = np.ones(3072, np.float32), np.zeros(3072, np.float32)
    calls: list[tuple[str, ctypes.Structure]] = []
    at = weights.ctypes.data
    for _ in range(LAYERS):
        for place, (k, n) in enumerate(SHAPES):
            y = other if n == 768 else wide[n]
            call = linear(kind, wide[k], at, ones, y, k, n)
            call.bias = zeros.ctypes.data
            if place in (0, 2):
                call.norm, call.norm_gain, call.norm_shift = 1, ones.ctypes.data, zeros.ctypes.data
            else:
                call.residual = wide[768].ctypes.data
            call.activation = 1 if place == 2 else 0
            calls.append((kind, call))
            at += int(k * n * BYTES[storage])
    work = 2.0 * rows * sum(k * n for k, n in SHAPES) * LAYERS
    return Chain(calls, [weights, *wide.values(), other, ones, zeros], work)


def attention(storage: str, queries: int, position: int) -> Chain:
    """The attention of all layers, causal, into caches [H, T, D]. The amount is the work that the
    mask leaves, for one query the bytes of the cache that it sees."""
    keys, d = max(1024, queries), WIDTH
    seen = np.arange(keys)[None, :] <= np.arange(queries)[:, None] + position
    mask = seen.astype(np.uint8)
    rng = np.random.default_rng(0)
    q = rng.standard_normal((queries, 3 * HEADS * d), np.float32)
    y = np.zeros((queries, HEADS * d), np.float32)
    caches = rng.standard_normal((LAYERS, 2, HEADS, keys, d), np.float32)
    calls: list[tuple[str, ctypes.Structure]] = []
    for layer in range(LAYERS):
        call = Attention(
            *(q.ctypes.data, caches[layer, 0].ctypes.data, caches[layer, 1].ctypes.data),
            *(mask.ctypes.data, y.ctypes.data, 1, HEADS, HEADS, queries, keys, d),
            *(0, d, 3 * HEADS * d),
            *(0, keys * d, d),
            *(0, keys * d, d),
            *(0, d, HEADS * d),
            *(0, keys, d**-0.5),
        )
        calls.append((f"attention_{storage}", call))
    work = 4.0 * float(seen.sum()) * d * HEADS * LAYERS
    size = 2.0 * (position + 1) * d * 4 * HEADS * LAYERS
    return Chain(calls, [q, y, mask, caches], work if queries > 1 else size)


if __name__ == "__main__":
    main()
