"""What a model takes, measured in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.errors import InternalError, LinnetError, UsageError
from linnet.measure._limits import Spread, median_of


@dataclass(frozen=True, slots=True)
class Workload:
    """What is run: a prompt from empty states, then `new_tokens` after its first one, `rounds`
    times after one that is not counted."""

    prompt: Sequence[int]
    new_tokens: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of `linnet.load` and to the first token of the prompt, tokens a second after it, and
    the most bytes that were resident at once."""

    load_s: float
    ttft_s: Spread
    decode_tok_s: Spread
    peak_bytes: int


def run_model(
    artifact: Path,
    weights: Path | None,
    bindings: Path | None,
    target: str | None,
    workload: Workload,
    progress: Callable[[str], None],
) -> Measured:
    """Load an artifact in a fresh process, run the workload, and return what it took.

    `progress` is told what comes next. Raises what loading or running raises, as UsageError or
    LinnetError.
    """
    asked = {
        "artifact": str(artifact),
        "weights": None if weights is None else str(weights),
        "bindings": None if bindings is None else str(bindings),
        "target": target,
        "prompt": list(workload.prompt),
        "new_tokens": workload.new_tokens,
        "rounds": workload.rounds,
    }
    progress("loading")
    load_s, peak = 0.0, 0
    ttft: list[float] = []
    decode: list[float] = []
    for answer in _answers(asked):
        match answer:
            case {"error": str(message), "hint": hint, "status": status}:
                raise (UsageError if status == 2 else LinnetError)(message, hint)
            case {"load_s": float(seconds)}:
                load_s = seconds
                progress("warming up")
            case {"ttft_s": float(first), "decode_s": float(rest)}:
                ttft.append(first)
                decode.append(workload.new_tokens / rest if rest > 0 else 0.0)
                if len(ttft) <= workload.rounds:
                    progress(f"round {len(ttft)} of {workload.rounds}")
            case {"peak_bytes": int(size)}:
                peak = size
            case _:
                raise InternalError(f"the measured process said {answer}")
    return Measured(load_s, median_of(ttft[1:]), median_of(decode[1:]), peak)


def _answers(asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "linnet.measure._session"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        process.stdin.write(json.dumps(asked))
        process.stdin.close()
        for line in process.stdout:
            yield json.loads(line)
        said = process.stderr.read()
        if process.wait() != 0:
            last = "".join(said.strip().splitlines()[-1:]) or "no output"
            raise InternalError(f"the measured process ended with {process.returncode}: {last}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
