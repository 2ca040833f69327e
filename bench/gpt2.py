"""GPT-2 124M on this machine's processor: Linnet beside other systems, interleaved in one run.

    python bench/gpt2.py MODEL_DIR [--peers FOLDER] [--quick] [--resume] [--out FILE.json]
                         [--svg FILE.svg] [--page FILE.md] [--only REGEX] [--rounds N]

MODEL_DIR holds a GPT-2 124M as `model.safetensors` with the names of the hub; where there is none,
one of seeded random weights is written. Peers are scripts in FOLDER (see `rows.py` for their names
and `worker.py` for what they define), each in a virtual environment that BENCH_VENVS names:

    BENCH_VENVS="jax=venv-jax/bin/python,torch=venv-torch/bin/python"

Without peers only Linnet is measured, on its own targets and through each framework that is
installed (`nest_peer.py`). What is measured, batch 1, greedy, on --threads threads:

- time to the first token of a prompt of 512, and the rate of 128 tokens after it;
- cold start: a whole new process, files in the page cache, to the first token of a prompt of 16;
- load: in that process, from the end of the imports to a model that can be called;
- peak memory: the most that was resident in the process that answered the two first;
- for Linnet, the time to compile, the compiler's peak, the size of the artifact.

Every round asks each row once, so that a drift of the machine meets all; processes that wait are
stopped. The JSON is written after every round, and --resume goes on where a run was ended.
"""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "python"), str(HERE)]

from report import page, svg, table  # noqa: E402
from rows import (  # noqa: E402
    FRAMEWORKS,
    OURS,
    PEERS,
    Failed,
    Json,
    Process,
    Row,
    environments_of,
    matching,
    rows_of,
)

from linnet.measure import machine, matmul_rate, read_bandwidth  # noqa: E402

PROMPT, SHORT = 512, 16
# Weights that are read for each token: all but the table of positions.
READ = 124_439_808 - 1024 * 768


class Run:
    """The samples of a run, by row, kept in a file."""

    def __init__(self, options: Any, rows: Sequence[Row]) -> None:
        self.options, self.rows = options, list(rows)
        self.path: Path = options.out
        self.found: Json = {"version": 1, "machine": machine(), "limits": {}, "rows": []}
        if options.resume and self.path.exists():
            self.found = json.loads(self.path.read_text(encoding="utf-8"))
        known = {each["spec"]: each for each in self.found["rows"]}
        fresh: list[Json] = [
            {"spec": row.spec, "dtype": row.dtype, "family": row.family, "samples": {}}
            for row in rows
        ]
        rest = [each for each in self.found["rows"] if each["spec"] not in {r.spec for r in rows}]
        self.found["rows"] = [known.get(each["spec"], each) for each in fresh] + rest
        self._said = time.perf_counter()

    def of(self, row: Row) -> Json:
        """What is known of a row."""
        return next(each for each in self.found["rows"] if each["spec"] == row.spec)

    def samples(self, row: Row, measure: str) -> list[float]:
        """The samples of one measure of a row."""
        return self.of(row)["samples"].setdefault(measure, [])

    def alive(self, row: Row) -> bool:
        """Whether nothing went wrong with a row."""
        return "problem" not in self.of(row)

    def save(self) -> None:
        """Write the file."""
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.found, indent=1) + "\n", encoding="utf-8")
        part.replace(self.path)

    def say(self, text: str) -> None:
        """Tell what comes next, and how long the last thing took."""
        now = time.perf_counter()
        print(f"# {now - self._said:5.1f} s  {text}", file=sys.stderr, flush=True)
        self._said = now

    def attempt(self, row: Row, action: Callable[[], None]) -> None:
        """Do something with a row; a failure is noted and ends the row."""
        if not self.alive(row):
            return
        try:
            action()
        except Failed as failed:
            self.of(row)["problem"] = str(failed)
            self.say(f"{row.spec}: {failed}")

    def start(self, row: Row, prompt: int, how: str) -> Process:
        """Start a row's process."""
        return Process(row, self.options.model, self.options.threads, prompt, how)


def measure_limits(run: Run) -> None:
    """How fast the machine reads, and multiplies in f32."""
    limits = run.found["limits"]
    threads: int = run.options.threads
    if "read_gb_s" not in limits:
        limits["read_gb_s"] = read_bandwidth(threads).scaled(1e-9).median
        limits["read_one_thread_gb_s"] = read_bandwidth(1).scaled(1e-9).median
        limits["matmul_f32_gflop_s"] = matmul_rate().scaled(1e-9).median
        run.save()
    run.say(f"limits: {limits}")


def prepare(run: Run) -> None:
    """Compile our artifacts, and let peers convert and cache what they need: nothing is counted.

    What a row took to compile is, since it is its own.
    """
    for row in run.rows:
        if run.of(row).get("prepared"):
            continue

        def once(row: Row = row) -> None:
            if row.is_ours and not run.options.keep_artifacts:
                target = row.variant if row.variant == "xla-cpu" else "cpu"
                for each in (run.options.model / "linnet").glob(f"{row.dtype}-{target}-*"):
                    shutil.rmtree(each) if each.is_dir() else each.unlink()
            # What a peer makes for the long prompt it makes when it becomes resident, not counted.
            process = run.start(row, SHORT, "--load-only")
            process.end()
            if row.is_ours:
                process = run.start(row, PROMPT, "--load-only")
                process.end()
            known = run.of(row)
            known.update(peer=process.ready["peer"], notes=process.ready["notes"])
            known["compile_s"] = process.ready["compile_s"]
            known.update(process.ready.get("cost", {}))
            known["prepared"] = True

        run.attempt(row, once)
        run.save()
        run.say(f"prepared {row.spec}")


def cold_starts(run: Run, rounds: int) -> None:
    """Whole processes to the first token of a short prompt. `prepare` has warmed the page cache."""
    for number in range(rounds):
        for row in run.rows:
            taken = run.samples(row, "cold_s")
            if len(taken) > number or sum(taken) > 30:  # One that takes that long needs no more.
                continue

            def once(row: Row = row) -> None:
                process = run.start(row, SHORT, "--load-only")
                process.end()
                run.samples(row, "cold_s").append(process.seconds)
                run.samples(row, "load_s").append(process.ready["load_s"])

            run.attempt(row, once)
        run.save()
        run.say(f"cold starts, round {number + 1} of {rounds}")


def resident(run: Run, rounds: int) -> None:
    """TTFT and decoding, in processes that stay."""
    open_rows = [row for row in run.rows if len(run.samples(row, "decode_tok_s")) < rounds]
    processes: dict[str, Process] = {}

    def begin(row: Row) -> None:
        processes[row.spec] = process = run.start(row, PROMPT, "--worker")
        process.stop()
        process.ask("ttft")
        process.ask("decode")

    def once(row: Row, number: int) -> None:
        process = processes[row.spec]
        ttft = process.ask("ttft")
        decoded = process.ask("decode")
        if len(run.samples(row, "decode_tok_s")) <= number:
            run.samples(row, "ttft_ms").append(ttft["ttft_ms"])
            run.samples(row, "decode_tok_s").append(decoded["decode_tok_s"])
            run.of(row)["tokens"] = decoded["tokens"]
            run.of(row).update(process.ask("rss"))

    try:
        for row in open_rows:
            run.attempt(row, lambda row=row: begin(row))
        run.say("all processes are there and warm")
        for number in range(rounds):
            if all(len(run.samples(row, "decode_tok_s")) > number for row in open_rows):
                continue
            for row in open_rows:
                run.attempt(row, lambda row=row, number=number: once(row, number))
            run.save()
            run.say(f"round {number + 1} of {rounds}")
    finally:
        for process in processes.values():
            process.end()


def read_options() -> Any:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--peers", type=Path, default=os.environ.get("BENCH_PEERS"))
    parser.add_argument("--threads", type=int, default=min(2, len(os.sched_getaffinity(0))))
    parser.add_argument("--rounds", type=int, help="counted rounds; 5, or 3 with --quick")
    parser.add_argument("--only", metavar="REGEX", help="rows whose name it finds")
    parser.add_argument("--stages", default="limits,prepare,cold,resident", help="what to do")
    parser.add_argument("--quick", action="store_true", help="f32 alone, fewer rounds")
    parser.add_argument("--resume", action="store_true", help="keep the samples of --out")
    parser.add_argument("--keep-artifacts", action="store_true", help="do not compile again")
    parser.add_argument("--out", type=Path, default=Path("gpt2-bench.json"))
    parser.add_argument("--svg", type=Path, help="write a plot")
    parser.add_argument("--page", type=Path, help="write the tables as a page")
    parser.add_argument("--report-only", action="store_true", help="print what --out holds")
    return parser.parse_args()


def main() -> int:
    """Measure, print, write; 1 if a row failed."""
    options = read_options()
    if options.report_only:
        found = json.loads(options.out.read_text(encoding="utf-8"))
        return show(options, found)
    specs = [*OURS, *FRAMEWORKS, *(PEERS if options.peers else ())]
    if options.quick:
        slow = ("compile", "inductor")
        specs = [spec for spec in specs if "/f32" in spec and not any(w in spec for w in slow)]
    environments = environments_of(os.environ.get("BENCH_VENVS", ""))
    rows, missing = rows_of(matching(specs, options.only), options.peers, environments)
    if missing:
        print(f"# no environment for {', '.join(missing)}", file=sys.stderr)
    if not rows:
        print("no row is left to measure", file=sys.stderr)
        return 1
    if not (options.model / "model.safetensors").exists():
        from checkpoint import write

        write(options.model)
    rounds: int = options.rounds or (3 if options.quick else 5)
    run = Run(options, rows)
    for name in options.stages.split(","):
        match name:
            case "limits":
                measure_limits(run)
            case "prepare":
                prepare(run)
            case "cold":
                cold_starts(run, rounds)
            case "resident":
                resident(run, rounds)
            case _:
                print(f"no stage `{name}`", file=sys.stderr)
                return 2
    return show(options, run.found)


def show(options: Any, found: Json) -> int:
    """Print the tables, and write the plot and the page that were asked for."""
    if not found["limits"]:
        return 0  # Nothing was measured yet.
    print(table(found, READ))
    if options.svg:
        options.svg.write_text(svg(found, READ), encoding="utf-8")
    if options.page:
        options.page.write_text(page(found, READ), encoding="utf-8")
    problems = [row for row in found["rows"] if "problem" in row]
    for row in problems:
        print(f"failed: {row['spec']}: {row['problem']}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
