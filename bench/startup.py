"""Times whole processes of the command line, beside their budgets.

    python bench/startup.py [--runs N] [--json]

A run starts a fresh process and waits for its end. The first run of each command warms the page
cache and is not counted; the figure is the median of the others. Compare ratios, not machines.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

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
    """A command line and the most milliseconds that it should take on two cores."""

    name: str
    arguments: tuple[str, ...]
    budget_ms: float


@dataclass(frozen=True, slots=True)
class Row:
    """What one command took, in milliseconds; `median_ms` is None where it failed."""

    name: str
    budget_ms: float
    median_ms: float | None
    least_ms: float | None
    most_ms: float | None
    runs: int
    problem: str | None


def commands() -> list[Command]:
    """The commands that have a budget."""
    binds = [word for name, value in GPT2.items() for word in ("--bind", f"{name}={value}")]
    lowered = ("stablehlo", "--root", "Model", "--entry", "decode", *binds, "-o", os.devnull)
    return [
        Command("linnet --help", ("--help",), 150),
        Command("linnet check gpt2.linnet", ("check", str(MODEL)), 500),
        Command("linnet stablehlo gpt2.linnet (decode)", (*lowered, str(MODEL)), 1500),
    ]


def measure(command: Command, runs: int) -> Row:
    """Run `command` once to warm up and `runs` times for the figure."""
    times: list[float] = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "linnet", *command.arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        )
        times.append((time.perf_counter() - start) * 1000)
        if done.returncode != 0:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            problem = f"exit status {done.returncode}: {''.join(last)}"
            return Row(command.name, command.budget_ms, None, None, None, 0, problem)
    counted = times[1:]
    median = statistics.median(counted)
    return Row(command.name, command.budget_ms, median, min(counted), max(counted), runs, None)


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
    lines = [f"{'command':<{width}}  {'median':>8}  {'budget':>8}  {'least':>8}  {'most':>8}"]
    for row in rows:
        budget = f"{row.budget_ms:.0f} ms"
        if row.median_ms is None or row.least_ms is None or row.most_ms is None:
            lines.append(f"{row.name:<{width}}  {'failed':>8}  {budget:>8}  {row.problem}")
            continue
        spread = f"{row.least_ms:>5.0f} ms  {row.most_ms:>5.0f} ms"
        over = "" if row.median_ms <= row.budget_ms else "  over its budget"
        lines.append(f"{row.name:<{width}}  {row.median_ms:>5.0f} ms  {budget:>8}  {spread}{over}")
    return "\n".join(lines)


def main() -> int:
    """Measure and print; 1 if a command failed. Being slow is no failure here."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=9, help="counted runs of each command")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    rows = [measure(command, options.runs) for command in commands()]
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        print("  ".join(f"{name} {value}" for name, value in machine().items()))
        print(table(rows))
    return 1 if any(row.problem is not None for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
