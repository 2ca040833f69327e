"""Runs generated programs on every target against each other, for as long as wanted.

    python test/python/generate/fuzz.py --minutes 60 --seed 1 --log fuzz.jsonl

A worker process writes and runs one program a seed; a crash or a program that does not end is a
finding too, and the next worker goes on behind it. Each finding is made smaller and printed with
its seed and its inputs. At the end: programs, features, what targets lacked, findings.
"""

import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test" / "python")]

import numpy as np  # noqa: E402

from generate._numbers import Unwanted  # noqa: E402
from generate._program import Program, write_program  # noqa: E402
from generate._shrink import Taken, shrunk  # noqa: E402
from generate._targets import TARGETS, prepared, run_on  # noqa: E402

# Seconds that one program may take on one target before its process is ended.
PATIENCE = 120


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0, help="the first program's")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--iree-every", type=int, default=4, help="IREE compiles slowly")
    parser.add_argument("--shrink", type=int, default=60, help="programs tried per finding")
    parser.add_argument("--log", type=Path, default=Path("fuzz.jsonl"))
    parser.add_argument("--worker", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.worker is not None:
        _work(options)
        return 0
    return _supervise(options)


# The worker: a line of JSON before a program, and one after it.


def _work(options: argparse.Namespace) -> None:
    np.seterr(all="ignore")
    seed = options.seed
    while time.time() < options.worker:
        choices = Taken(rng=random.Random(seed))
        try:
            program = write_program(choices.below)
        except Unwanted:
            seed += 1
            continue
        for target in options.targets.split(","):
            if target == "cpu" and seed % options.iree_every:
                continue
            _say(seed=seed, target=target, event="start")
            lacking: dict[str, int] = {}
            problem = _problem(program, target, lacking)
            _say(seed=seed, target=target, event="end", lacking=list(lacking), finding=problem)
            if problem is not None:
                _report(options, seed, target, choices.taken, problem)
                break
        known, compared = program.compared()
        _say(
            seed=seed,
            event="done",
            features=sorted(program.features),
            calls=len(program.calls),
            known=known,
            compared=compared,
        )
        seed += 1


def _say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def _problem(program: Program, target: str, lacking: dict[str, int]) -> str | None:
    """What is wrong with a program on a target: an exception's kind and first line."""
    try:
        run_on(program, prepared(program), target, lacking)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:300]}"
    return None


def _kind(problem: str) -> str:
    """What a smaller program must share with the finding."""
    return problem.partition(":")[0]


def _report(
    options: argparse.Namespace, seed: int, target: str, choices: list[int], problem: str
) -> None:
    def fails(smaller: Program) -> bool:
        _say(seed=seed, target=target, event="start")  # still alive
        found = _problem(smaller, target, {})
        return found is not None and _kind(found) == _kind(problem)

    _, program = shrunk(choices, fails, options.shrink if target != "cpu" else options.shrink // 3)
    _say(
        seed=seed,
        target=target,
        event="finding",
        problem=_problem(program, target, {}) or problem,
        program=repr(program),
    )


# The supervisor.


def _supervise(options: argparse.Namespace) -> int:
    end = time.time() + options.minutes * 60
    seed = options.seed
    totals: collections.Counter[str] = collections.Counter()
    features: collections.Counter[str] = collections.Counter()
    lacking: collections.Counter[str] = collections.Counter()
    findings: list[dict[str, Any]] = []
    started = time.time()
    with options.log.open("w", encoding="utf-8") as log:
        while time.time() < end:
            seed = _one_worker(options, seed, end, totals, features, lacking, findings, log)
    _summary(options, seed, time.time() - started, totals, features, lacking, findings)
    return 1 if findings else 0


def _one_worker(
    options: argparse.Namespace,
    seed: int,
    end: float,
    totals: "collections.Counter[str]",
    features: "collections.Counter[str]",
    lacking: "collections.Counter[str]",
    findings: list[dict[str, Any]],
    log: Any,
) -> int:
    """Run a worker until it ends, dies or is silent for too long; return the next seed."""
    command = [sys.executable, __file__, "--worker", str(end), "--seed", str(seed)]
    command += ["--targets", options.targets, "--iree-every", str(options.iree_every)]
    command += ["--shrink", str(options.shrink)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        last: dict[str, Any] = {"seed": seed, "target": "", "event": "start"}
        while True:
            signal.signal(signal.SIGALRM, lambda *_: worker.kill())
            signal.alarm(PATIENCE)
            line = worker.stdout.readline()
            signal.alarm(0)
            if not line:
                break
            log.write(line)
            log.flush()
            last = json.loads(line)
            match last["event"]:
                case "end":
                    totals[f"runs on {last['target']}"] += 1
                    lacking.update(last["lacking"])
                case "done":
                    totals["programs"] += 1
                    totals["calls"] += last["calls"]
                    totals["numbers"] += last["compared"]
                    totals["numbers that are known"] += last["known"]
                    features.update(last["features"])
                case "finding":
                    findings.append(last)
                    print(f"\nfinding, seed {last['seed']} on {last['target']}: {last['problem']}")
                    print(last["program"], flush=True)
                case _:
                    pass
        said = worker.stderr.read() if worker.stderr is not None else ""
    if last["event"] == "start":
        code = worker.returncode
        what = "it did not end" if code == -signal.SIGKILL else f"the process died with {code}"
        finding = {"seed": last["seed"], "target": last["target"], "problem": what, "program": said}
        findings.append(finding)
        log.write(json.dumps({**finding, "event": "finding"}) + "\n")
        print(f"\nfinding, seed {last['seed']} on {last['target']}: {what}", flush=True)
    return int(last["seed"]) + 1


def _summary(
    options: argparse.Namespace,
    seed: int,
    seconds: float,
    totals: "collections.Counter[str]",
    features: "collections.Counter[str]",
    lacking: "collections.Counter[str]",
    findings: list[dict[str, Any]],
) -> None:
    print(f"\nseeds {options.seed}..{seed - 1} in {seconds / 60:.1f} minutes")
    for name, count in totals.items():
        print(f"{count:8}  {name}")
    print("features, by programs that have them:")
    print("  " + ", ".join(f"{name} {count}" for name, count in features.most_common()))
    for name, count in lacking.most_common():
        print(f"{count:8}  {name}")
    print(f"{len(findings)} findings")
    for finding in findings:
        print(f"  seed {finding['seed']} on {finding['target']}: {finding['problem'][:160]}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    raise SystemExit(main())
