"""Times whole processes of the command line, and their memory, beside their budgets.

    python bench/startup.py [--runs N] [--json]

A run starts a fresh process and waits for its end. The first run of each command warms the page
cache and is not counted; the time is the median of the others, the memory the most that any of
them held at once (resident, as the kernel counts it). Compare ratios, not machines.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from many_blocks import program

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "examples" / "gpt2" / "gpt2.linnet"
GPT2 = {
    "Vocab": "50257",
    "MaxPositions": "1024",
    "H": "768",
    "Heads": "12",
    "Layers": "12",
    "Batch": "1",
    "MaxSeq": "1024",
    "T": "f32",
}
PACKAGES = ("numpy", "click", "rich", "jaxlib", "iree-base-compiler", "iree-base-runtime")


@dataclass(frozen=True, slots=True)
class Command:
    """A command line and the most milliseconds and MiB that it should take on two cores."""

    name: str
    arguments: tuple[str, ...]
    budget_ms: float
    budget_mib: float = 500


@dataclass(frozen=True, slots=True)
class Row:
    """What one command took, in milliseconds and MiB; `median_ms` is None where it failed."""

    name: str
    budget_ms: float
    budget_mib: float
    peak_mib: float | None
    median_ms: float | None
    least_ms: float | None
    most_ms: float | None
    runs: int
    problem: str | None


def commands(large: Path) -> list[Command]:
    """The commands that have a budget; `large` holds the generated program."""
    binds = [word for name, value in GPT2.items() for word in ("--bind", f"{name}={value}")]
    lowered = ("stablehlo", "--root", "Model", "--entry", "decode", *binds, "-o", os.devnull)
    return [
        Command("linnet --help", ("--help",), 150),
        Command("linnet check gpt2.linnet", ("check", str(MODEL)), 500),
        Command("linnet check, 500 blocks in 10,000 lines", ("check", str(large)), 5000),
        Command("linnet fmt --check, 10,000 lines", ("fmt", "--check", str(large)), 2000),
        Command("linnet stablehlo gpt2.linnet (decode)", (*lowered, str(MODEL)), 1500),
    ]


def measure(command: Command, runs: int) -> Row:
    """Run `command` once to warm up and `runs` times for the figure."""
    name, budget_ms, budget_mib = command.name, command.budget_ms, command.budget_mib
    times: list[float] = []
    peak = 0.0
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = run(command.arguments)
        times.append((time.perf_counter() - start) * 1000)
        if done.problem is not None:
            return Row(name, budget_ms, budget_mib, None, None, None, None, 0, done.problem)
        peak = max(peak, done.peak_mib)
    counted = times[1:]
    median = statistics.median(counted)
    return Row(name, budget_ms, budget_mib, peak, median, min(counted), max(counted), runs, None)


@dataclass(frozen=True, slots=True)
class Done:
    """A process that has ended: its peak of resident memory, and what went wrong."""

    peak_mib: float
    problem: str | None


def run(arguments: Sequence[str]) -> Done:
    """Run `linnet` in a process of its own, and wait for it."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "linnet", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        )
        # `wait4` alone tells the memory of this one process.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        last = "".join(said.read().strip().splitlines()[-1:])
    failed = process.returncode != 0
    problem = f"exit status {process.returncode}: {last}" if failed else None
    return Done(usage.ru_maxrss / 1024, problem)


def machine() -> dict[str, str]:
    """Where the figures come from: processor, cores, system, versions."""
    facts = {
        "processor": processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            facts[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            facts[name] = "not installed"
    return facts


def processor() -> str:
    """The processor's name, as the kernel gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def table(rows: Sequence[Row]) -> str:
    """The rows for a reader."""
    width = max(len(row.name) for row in rows)
    heads = ("median", "budget", "least", "most", "memory", "budget")
    lines = ["  ".join([f"{'command':<{width}}", *(f"{head:>8}" for head in heads)])]
    for row in rows:
        times = (row.median_ms, row.budget_ms, row.least_ms, row.most_ms)
        if row.median_ms is None or row.peak_mib is None:
            lines.append(f"{row.name:<{width}}  {'failed':>8}  {row.problem}")
            continue
        cells = [f"{value:>5.0f} ms" for value in times]
        cells += [f"{value:>4.0f} MiB" for value in (row.peak_mib, row.budget_mib)]
        within = row.median_ms <= row.budget_ms and row.peak_mib <= row.budget_mib
        over = [] if within else ["over its budget"]
        lines.append("  ".join([f"{row.name:<{width}}", *cells, *over]))
    return "\n".join(lines)


def main() -> int:
    """Measure and print; 1 if a command failed. Being slow is no failure here."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=9, help="counted runs of each command")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "many_blocks.linnet"
        large.write_text(program(500), encoding="utf-8")
        rows = [measure(command, options.runs) for command in commands(large)]
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        print("  ".join(f"{name} {value}" for name, value in machine().items()))
        print(table(rows))
    return 1 if any(row.problem is not None for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
