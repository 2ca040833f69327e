"""The process that is measured: runs one peer and answers, a line of JSON at a time.

    python worker.py SCRIPT MODEL_DIR [--dtype f32] [--variant WORDS] [--threads 2] [--prompt 512]
                     [--worker | --load-only]

SCRIPT defines a class with

    __init__(model_dir, dtype, threads)   load (and compile); may set `compile_s` and `notes`
    prefill(ids) -> int                   empty the cache, run the prompt, return the first token
    decode(token, n) -> list[int]         n more greedy tokens, or, where single steps are not to
                                          be had, decode_rate(ids, n) -> (tokens, seconds)

and ends with `from common import main; main("name", Class)`. `common` is this file, so that every
peer is measured by the same lines. With --worker the commands `ttft`, `decode`, `rss` and `quit`
are read from standard input; with --load-only the process ends after the first token. Imports of
the peer count as its start, not as its loading.
"""

import argparse
import json
import os
import random
import runpy
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


def _prompt_length(arguments: list[str]) -> int:
    """The length that --prompt gives, here since peers import it as a constant."""
    return int(arguments[arguments.index("--prompt") + 1]) if "--prompt" in arguments else 512


BEGUN = time.perf_counter()
PROMPT, NEW, MAX_POS = _prompt_length(sys.argv), 128, 768
VOCAB = 50257


def prompt_ids(n: int | None = None, seed: int = 1) -> list[int]:
    """A prompt of `n` (all of PROMPT without) seeded token ids."""
    draw = random.Random(seed)
    return [draw.randrange(VOCAB - 1) for _ in range(PROMPT if n is None else n)]


def seconds_alive() -> float:
    """Seconds since this process was started, interpreter included, to a hundredth."""
    try:
        with open("/proc/self/stat", encoding="ascii") as stat, open("/proc/uptime") as up:
            ticks = int(stat.read().rpartition(")")[2].split()[19])
            return float(up.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
    except OSError:
        return time.perf_counter() - BEGUN


def memory() -> Json:
    """The most memory that was resident at once, and the anonymous part of it now, in MiB.

    Pages of mapped files count in the first and not in the second.
    """
    with open("/proc/self/status", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line)
    return {
        "peak_rss_mib": int(fields["VmHWM"].split()[0]) / 1024,
        "anon_rss_mib": int(fields["RssAnon"].split()[0]) / 1024,
    }


class Measured:
    """One loaded peer, and what can be asked of it."""

    def __init__(self, name: str, kind: Callable[[str, str, int], Any], options: Any) -> None:
        start = time.perf_counter()
        self._peer = kind(options.model, options.dtype, options.threads)
        loaded = time.perf_counter()
        first = int(self._peer.prefill(prompt_ids()))
        self.ready: Json = {
            "peer": name,
            "dtype": options.dtype,
            "load_s": loaded - start,
            "first_s": time.perf_counter() - loaded,
            "start_s": seconds_alive(),
            "compile_s": getattr(self._peer, "compile_s", None),
            "cost": getattr(self._peer, "cost", {}),
            "notes": getattr(self._peer, "notes", ""),
            "first_token": first,
            **memory(),
        }

    def ttft(self) -> Json:
        """A prompt from an empty cache to the first token, in milliseconds."""
        start = time.perf_counter()
        first = int(self._peer.prefill(prompt_ids()))
        return {"ttft_ms": (time.perf_counter() - start) * 1e3, "first_token": first}

    def decode(self) -> Json:
        """NEW tokens after a prompt, the prompt not counted, in tokens per second."""
        if not hasattr(self._peer, "decode"):
            tokens, seconds = self._peer.decode_rate(prompt_ids(), NEW)
        else:
            first = int(self._peer.prefill(prompt_ids()))
            start = time.perf_counter()
            rest = [int(token) for token in self._peer.decode(first, NEW)]
            seconds = time.perf_counter() - start
            tokens = [first, *rest]
        return {"decode_tok_s": NEW / seconds, "tokens": [int(token) for token in tokens]}


def main(name: str, kind: Callable[[str, str, int], Any]) -> None:
    """Measure a peer as the command line asks; called by its script."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=512, help="tokens of the prompt")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--variant", default="", help="words that the peer knows")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--worker", action="store_true")
    how.add_argument("--load-only", action="store_true")
    options = parser.parse_args()
    if options.variant:
        os.environ["PEER_VARIANT"] = options.variant
        name = f"{name}:{options.variant}"
    # Libraries print to standard output as they please; the answers go where they cannot.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(answer: Json) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    measured = Measured(name, kind, options)
    if options.load_only:
        say(measured.ready)
    elif options.worker:
        say(measured.ready)
        _serve(measured, say)
    else:
        measured.decode()
        ttft = [measured.ttft()["ttft_ms"] for _ in range(options.repeats)]
        rate = [measured.decode()["decode_tok_s"] for _ in range(options.repeats)]
        medians = {"ttft_ms": statistics.median(ttft), "decode_tok_s": statistics.median(rate)}
        say({**measured.ready, **medians, **memory()})


def _serve(measured: Measured, say: Callable[[Json], None]) -> None:
    actions = {"ttft": measured.ttft, "decode": measured.decode, "rss": memory}
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        try:
            say(actions[line.strip()]())
        except Exception as error:  # One action that fails must not lose the others.
            say({"error": f"{type(error).__name__}: {error}"})


def _run_script() -> None:
    """Run the script that the command line names, with this module as its `common`."""
    script, *rest = sys.argv[1:]
    sys.modules["common"] = sys.modules["__main__"]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    sys.argv = [script, *rest]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    _run_script()
