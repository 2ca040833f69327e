"""Compile the example's GPT-2 ahead of time, load it with its weights, let it write.

    python examples/gpt2/demo.py [--prompt TEXT] [--new N] [--temperature X] [--seed N]
                                 [--target cpu|xla-cpu]

One artifact holds two entries: `prefill` for a prompt of the given length and `decode` for one
token. It is kept in `build/demo/` and compiled again only when the program, the prompt's length or
Linnet itself has changed. The network reads and writes bytes, so it needs no tokenizer.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import linnet

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build" / "demo"
MAX_SEQ = 256
GENERICS = {
    "Vocab": 256,
    "MaxPositions": 256,
    "H": 128,
    "Heads": 4,
    "Layers": 4,
    "Batch": 1,
    "MaxSeq": MAX_SEQ,
    "T": "f32",
}


def is_current(artifact: Path) -> bool:
    """Return whether nothing that decides the artifact is newer than it."""
    manifest = artifact / "manifest.json"
    if not manifest.exists():
        return False
    package = Path(linnet.__file__).parent
    sources = [HERE / "gpt2.linnet"]
    sources += [p for p in package.rglob("*") if p.suffix in {".py", ".linnet", ".so"}]
    return max(p.stat().st_mtime for p in sources) <= manifest.stat().st_mtime


def compile_program(length: int, target: str) -> Path:
    """Return the artifact with `prefill` for `length` tokens and `decode`."""
    artifact = BUILD / f"gpt2-{target}-{length}.lna"
    if is_current(artifact):
        return artifact
    BUILD.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "linnet", "compile", "--root", "Model"]
    command += ["--entry", "prefill", "--entry", "decode"]
    for name, value in (GENERICS | {"S": length}).items():
        command += ["--bind", f"{name}={value}"]
    command += ["--target", target, "-o", str(artifact), str(HERE / "gpt2.linnet")]
    subprocess.run(command, check=True)
    return artifact


def choose(logits: np.ndarray, temperature: float, generator: np.random.Generator) -> int:
    """Return a byte drawn from `logits` [256]; the most likely one at temperature 0."""
    if temperature == 0:
        return int(logits.argmax())
    scaled = (logits - logits.max()).astype(np.float64) / temperature
    shares = np.exp(scaled)
    return int(generator.choice(len(shares), p=shares / shares.sum()))


def write(
    model: "linnet.Model", prompt: bytes, count: int, temperature: float, seed: int
) -> Iterator[int]:
    """Yield `count` bytes that follow `prompt`."""
    generator = np.random.default_rng(seed)
    tokens = np.frombuffer(prompt, np.uint8).astype(np.int32)[None]
    logits = model.call("prefill", {"tokens": tokens, "pos": np.int32(0)})[0]
    for pos in range(len(prompt), len(prompt) + count):
        byte = choose(logits, temperature, generator)
        yield byte
        token = np.array([[byte]], np.int32)
        logits = model.call("decode", {"token": token, "pos": np.int32(pos)})[0]


def main() -> int:
    """Read the options, then compile, load and write."""
    parser = argparse.ArgumentParser(description="Let the example's GPT-2 write.")
    parser.add_argument("--prompt", default="And it came to pass in those days, that the king ")
    parser.add_argument("--new", type=int, default=200, help="bytes to write (default 200)")
    parser.add_argument("--temperature", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--target", choices=["cpu", "xla-cpu"], default="cpu")
    options = parser.parse_args()
    prompt = options.prompt.encode()
    room = MAX_SEQ - len(prompt)
    if not prompt or options.new < 1 or options.new > room:
        print(
            f"prompt and new bytes have to fit into {MAX_SEQ}: --new 1 to {room} with this prompt"
        )
        return 2

    start = time.perf_counter()
    artifact = compile_program(len(prompt), options.target)
    compiled = time.perf_counter() - start
    start = time.perf_counter()
    model = linnet.load(
        artifact, weights=HERE / "model.safetensors", bindings=HERE / "bindings.json"
    )
    loaded = time.perf_counter() - start

    written = bytearray()
    print(options.prompt, end="", flush=True)
    start = first = time.perf_counter()
    for byte in write(model, prompt, options.new, options.temperature, options.seed):
        if not written:
            first = time.perf_counter()
        written.append(byte)
        print(chr(byte), end="", flush=True)
    seconds = time.perf_counter() - first
    print("\n")
    print(f"compiled for {options.target} in {compiled:.2f} s, loaded in {loaded * 1000:.0f} ms")
    print(
        f"first token after {(first - start) * 1000:.1f} ms, "
        f"then {(len(written) - 1) / max(seconds, 1e-9):.0f} tokens per second"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
