"""Linnet itself as a peer: GPT-2 124M as `examples/gpt2` has it, compiled ahead of time.

    python worker.py linnet_peer.py MODEL_DIR --dtype f32 [--variant xla-cpu]

dtypes: f32, and bf16, int8 and int4 as `linnet quantize` writes the weights. Words of a variant:
`xla-cpu` (the target; else `cpu`), `steps` (a call from Python for each token; else the loop on
the device). The artifact is made on first use in MODEL_DIR/linnet, one a dtype, target and length
of prompt; delete it to have it made again. It serves as a SPEC of any harness that runs scripts
ending with `common.main`.
"""

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench")]

PROGRAM = ROOT / "examples" / "gpt2" / "gpt2.linnet"
SIZES = {"Vocab": 50257, "MaxPositions": 1024, "H": 768, "Heads": 12, "Layers": 12, "Batch": 1}
_PARTS = {
    "attn.qkv": "attn.c_attn",
    "attn.out": "attn.c_proj",
    "ln_1": "ln_1",
    "ln_2": "ln_2",
    "mlp.up": "mlp.c_fc",
    "mlp.down": "mlp.c_proj",
}


def bindings() -> dict[str, str]:
    """The program's paths to the names of a GPT-2 checkpoint on the hub."""
    found = {"wte": "transformer.wte.weight", "wpe": "transformer.wpe.weight"}
    for layer in range(SIZES["Layers"]):
        for ours, theirs in _PARTS.items():
            for leaf in ("weight", "bias"):
                path = f"blocks.{layer}.{ours}.{leaf}"
                found[path] = f"transformer.h.{layer}.{theirs}.{leaf}"
    for leaf in ("weight", "bias"):
        found[f"ln_f.{leaf}"] = f"transformer.ln_f.{leaf}"
    return found


def artifact(model_dir: Path, dtype: str, target: str, prompt: int, positions: int) -> Path:
    """Where the artifact lies; it is compiled if it is not there, with its cost beside it."""
    path = model_dir / "linnet" / f"{dtype}-{target}-{prompt}.lna"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        compile_artifact(path, dtype, target, prompt, positions)
    return path


def compile_artifact(path: Path, dtype: str, target: str, prompt: int, positions: int) -> None:
    """Compile `prefill` at one length and `decode`, and write what it took beside the artifact."""
    sizes: dict[str, int | str] = {**SIZES, "MaxSeq": positions, "T": "f32", "prefill.S": prompt}
    binds = [word for name, value in sizes.items() for word in ("--bind", f"{name}={value}")]
    chosen = ["--root", "Model", "--target", target, "--no-cache"]
    chosen += [word for name in ("prefill", "decode", "generate") for word in ("--entry", name)]
    if dtype != "f32":
        chosen += ["--weights-dtype", dtype]
    start = time.perf_counter()
    peak = run_linnet("compile", str(PROGRAM), *chosen, *binds, "-o", str(path))
    cost = {
        "compile_s": time.perf_counter() - start,
        "compile_peak_mib": peak / 2**20,
        "artifact_mib": sum(f.stat().st_size for f in path.rglob("*") if f.is_file()) / 2**20,
    }
    cost_of(path).write_text(json.dumps(cost), encoding="utf-8")


def weights(model_dir: Path, dtype: str) -> Path:
    """Where the weights lie in a form; they are written if they are not there."""
    if dtype == "f32":
        return model_dir / "model.safetensors"
    path = model_dir / "linnet" / f"{dtype}.safetensors"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        names = path.with_suffix(".bindings.json")
        names.write_text(json.dumps(bindings()), encoding="utf-8")
        sizes: dict[str, int | str] = {**SIZES, "MaxSeq": 1024, "T": "f32"}
        binds = [word for name, value in sizes.items() for word in ("--bind", f"{name}={value}")]
        program = ["--program", str(PROGRAM), "--root", "Model", "--bindings", str(names), *binds]
        source = str(model_dir / "model.safetensors")
        run_linnet("quantize", source, "--dtype", dtype, *program, "-o", str(path))
    return path


def run_linnet(*arguments: str) -> int:
    """Run the command line; return the bytes that it, or what it started, held at most."""
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-m", "linnet", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        stdout=subprocess.DEVNULL,
    )
    # Of the command and of the compiler that it waits for, the one that held more.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"`linnet {arguments[0]}` failed with status {process.returncode}")
    return usage.ru_maxrss * 1024


def cost_of(path: Path) -> Path:
    """The file with what an artifact took to compile."""
    return path.with_suffix(".json")


class Linnet:
    """The entries `prefill` and `decode` of one artifact."""

    def __init__(self, model_dir: str, dtype: str, threads: int) -> None:
        from common import MAX_POS, PROMPT  # pyright: ignore

        words = os.environ.get("PEER_VARIANT", "").split(",")
        if "steps" in words:
            self.decode = self._decode
        target = "xla-cpu" if "xla-cpu" in words else "cpu"
        folder = Path(model_dir)
        path = artifact(folder, dtype, target, int(PROMPT), int(MAX_POS))  # pyright: ignore
        # Before any backend is loaded: each makes its threads when it starts.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
        import linnet

        self.cost: dict[str, float] = json.loads(cost_of(path).read_text(encoding="utf-8"))
        self.compile_s = self.cost["compile_s"]
        self.notes = f"linnet {linnet.__version__}, target {target}"
        self._model: Any = linnet.load(path, weights(folder, dtype), bindings(), target)
        self._position = 0

    def prefill(self, ids: Sequence[int]) -> int:
        """Run the prompt at position 0; what lies behind it in the caches is masked."""
        logits = self._model.call("prefill", {"tokens": [ids], "pos": 0})
        self._position = len(ids)
        return int(logits[0].argmax())

    def decode_rate(self, ids: Sequence[int], n: int) -> tuple[list[int], float]:
        """Take `n` tokens by the loop on the device. The first is the prompt's, and comes alone."""
        tokens: list[int] = []
        start = end = 0.0
        for token in self._model.generate(ids, n + 1):
            end = time.perf_counter()
            if not tokens:
                start = end
            tokens.append(token)
        return tokens, end - start

    def _decode(self, token: int, n: int) -> list[int]:
        """Take `n` single steps."""
        found: list[int] = []
        for _ in range(n):
            given = {"token": [[token]], "pos": self._position}
            token = int(self._model.call("decode", given)[0].argmax())
            self._position += 1
            found.append(token)
        return found


if __name__ == "__main__":
    from common import main  # pyright: ignore

    main("linnet", Linnet)  # pyright: ignore
