"""The rows of a comparison: which peers there are, and each as a process that waits its turn."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
Json = dict[str, Any]

# Ours first: the first row of a dtype is what the others are compared with. Behind the `@` stands
# the environment that a peer needs; a row whose environment is not given is left out.
OURS = (
    "linnet_peer.py/f32",
    "linnet_peer.py/f32/xla-cpu",
    "linnet_peer.py/bf16",
    "linnet_peer.py/int8",
    "linnet_peer.py/int4",
)
# The same program in other frameworks, through `linnet.nest`; one that is not installed says so.
FRAMEWORKS = (
    "nest_peer.py/f32/onnx",
    "nest_peer.py/f32/torch",
    "nest_peer.py/f32/torch,inductor",
    "nest_peer.py/f32/jax",
    "nest_peer.py/f32/jax-source",
    "nest_peer.py/f32/nnx",
)
PEERS = (
    "peer_iree.py/f32/bthd@jax",
    "peer_jax.py/f32/bthd@jax",
    "peer_llamacpp.py/f32@llama",
    "peer_ctranslate2.py/f32@torch",
    "peer_ort.py/f32@torch",
    "peer_transformers.py/f32@torch",
    "peer_transformers.py/f32/compile@torch",
    "peer_openvino.py/f32@openvino",
    "peer_iree.py/bf16/bthd@jax",
    "peer_llamacpp.py/bf16@llama",
    "peer_transformers.py/bf16@torch",
    "peer_openvino.py/bf16@openvino",
    "peer_iree.py/int8/bthd@jax",
    "peer_llamacpp.py/q8_0@llama",
    "peer_llamacpp.py/q4_0@llama",
    "peer_ctranslate2.py/int8@torch",
    "peer_ort.py/int8@torch",
    "peer_openvino.py/int8@openvino",
)
# What is compared with what: names of storage formats that hold about as many bits a weight.
FAMILIES = {
    "f32": "f32",
    "bf16": "bf16",
    "f16": "bf16",
    "int8": "int8",
    "q8_0": "int8",
    "int4": "int4",
    "q4_0": "int4",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A peer: SCRIPT/DTYPE[/VARIANT][@ENVIRONMENT]."""

    spec: str
    script: Path
    dtype: str
    variant: str
    python: str

    @property
    def family(self) -> str:
        """The rows that it is compared with."""
        return FAMILIES[self.dtype]

    @property
    def is_ours(self) -> bool:
        """Whether Linnet runs in it."""
        return self.script.parent == HERE


def rows_of(
    specs: Sequence[str], peers: Path | None, environments: Mapping[str, str]
) -> tuple[list[Row], list[str]]:
    """Return the rows that can run here, by family, and the specs that cannot."""
    found: list[Row] = []
    missing: list[str] = []
    for spec in specs:
        body, _, environment = spec.partition("@")
        script, dtype, variant = [*body.split("/"), "", ""][:3]
        python = environments.get(environment) if environment else sys.executable
        places = [HERE / script, *([peers / script] if peers else [])]
        path = next((place for place in places if place.is_file()), None)
        known = dtype in FAMILIES and python is not None and Path(python).exists()
        if path is None or python is None or not known:
            missing.append(spec)
        else:
            found.append(Row(spec, path, dtype, variant, python))
    order = list(dict.fromkeys(FAMILIES.values()))
    return sorted(found, key=lambda row: (order.index(row.family), not row.is_ours)), missing


def environments_of(text: str) -> dict[str, str]:
    """Read `jax=venv-jax/bin/python,torch=…`, the form of BENCH_VENVS."""
    pairs = [part.partition("=") for part in text.split(",") if part]
    return {name.strip(): os.path.abspath(path.strip()) for name, _, path in pairs}


class Failed(Exception):  # noqa: N818 - it ends a row, not the run
    """A row cannot be measured; the text says why."""


class Process:
    """A row's process. It is stopped whenever it is not asked for something.

    So an idle peer, whose threads may spin or wake, takes nothing from the one that is measured.
    """

    def __init__(self, row: Row, model: Path, threads: int, prompt: int, how: str) -> None:
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        command = [row.python, str(HERE / "worker.py"), str(row.script), str(model)]
        command += ["--dtype", row.dtype, "--threads", str(threads), "--prompt", str(prompt), how]
        command += ["--variant", row.variant] if row.variant else []
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
        environment["TF_CPP_MIN_LOG_LEVEL"] = "3"
        # Installed packages have bytecode; with this a start would compile what is not installed.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env=environment,
        )
        self.ready = self._answer()
        self.seconds = time.perf_counter() - self.started

    def _answer(self) -> Json:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            status = self._process.wait()
            self._said.seek(0)
            last = "".join(self._said.read().strip().splitlines()[-1:])
            raise Failed(f"exit status {status}: {last[:300]}")
        answer: Json = json.loads(line)
        if "error" in answer:
            raise Failed(str(answer["error"])[:300])
        return answer

    def stop(self) -> None:
        """Let it run no further until it is asked."""
        self._process.send_signal(signal.SIGSTOP)

    def ask(self, action: str) -> Json:
        """Let it do something, and stop it again."""
        assert self._process.stdin is not None
        self._process.send_signal(signal.SIGCONT)
        with contextlib.suppress(BrokenPipeError):  # It is dead; the answer says so.
            self._process.stdin.write(f"{action}\n")
            self._process.stdin.flush()
        answer = self._answer()
        self.stop()
        return answer

    def end(self) -> None:
        """End it, and wait."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        self._said.close()


def matching(specs: Sequence[str], pattern: str | None) -> list[str]:
    """Return the specs in which a regular expression is found."""
    return [spec for spec in specs if pattern is None or re.search(pattern, spec)]
