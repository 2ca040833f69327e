"""`linnet bench`: how fast a model is here, beside what the machine allows."""

import json
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from linnet.cli._memory import show_bytes
from linnet.cli._options import program_options, read_binds
from linnet.errors import UsageError
from linnet.measure import (
    Measured,
    Workload,
    machine,
    matmul_rate,
    random_weights,
    read_bandwidth,
    run_model,
)
from linnet.memory import bytes_of
from linnet.signature import Value


@click.command(
    "bench",
    epilog="Example: `linnet bench gpt2.lna --weights model.safetensors --bindings bindings.json`.",
)
@click.argument("program", type=click.Path(path_type=Path))
@program_options
@click.option("--target", metavar="cpu|xla-cpu", help="What to run on.")
@click.option("--weights", type=click.Path(path_type=Path), help="A safetensors file or folder.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Paths to tensor names.")
@click.option(
    "--prompt-length", type=click.IntRange(min=1), default=512, show_default=True, help="Tokens."
)
@click.option(
    "--new-tokens", type=click.IntRange(min=1), default=128, show_default=True, help="After it."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="That are counted."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    program: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    std: Path | None,
    target: str | None,
    weights: Path | None,
    bindings: Path | None,
    prompt_length: int,
    new_tokens: int,
    rounds: int,
    as_json: bool,
) -> None:
    """Measure PROGRAM, an artifact or a .linnet file, which is compiled first: loading, the time
    to the first token of a prompt, the rate of tokens after it, the peak of memory, and how much of
    the machine's bandwidth that rate takes. Needs entries as `linnet generate` does.

    Without --weights they are random numbers: no speed depends on them.
    """
    from linnet.artifact import is_artifact, read_artifact

    if not program.exists():
        raise UsageError(f"{program} does not exist", "give an artifact or a .linnet file")
    with tempfile.TemporaryDirectory(prefix="linnet-bench-") as folder:
        if not is_artifact(program):
            program = _compiled(
                program, Path(folder), root, entries, binds, std, target, prompt_length
            )
        elif root or entries or binds or std:
            raise UsageError("an artifact's entries and sizes are settled", "leave them out")
        artifact = read_artifact(program)
        variant = artifact.variant(target)
        manifest = artifact.manifest
        random_ones = weights is None and bool(manifest.parameters)
        if random_ones:
            if bindings is not None:
                raise UsageError("--bindings names tensors of --weights", "give both, or neither")
            _progress("making up weights")
            weights = Path(folder) / "random.safetensors"
            random_weights(weights, manifest.parameters)
        _progress("measuring the machine")
        threads = len(os.sched_getaffinity(0))
        bandwidth, arithmetic = read_bandwidth(threads).median, matmul_rate().median
        steps = [e.signature for e in manifest.entries if e.signature.entry == "decode"]
        prompt = _prompt(steps[0].results if steps else (), prompt_length)
        workload = Workload(prompt, new_tokens, rounds)
        found = run_model(program, weights, bindings, variant.target, workload, _progress)
    held = bytes_of(manifest.parameters)
    limit = bandwidth / held if held else None
    facts: dict[str, Any] = {
        "version": 1,
        "root": manifest.root,
        "target": variant.target,
        "random_weights": random_ones,
        "weight_bytes": held,
        "prompt_length": prompt_length,
        "new_tokens": new_tokens,
        **asdict(found),
        "limits": {
            "read_bytes_per_s": bandwidth,
            "matmul_f32_flop_per_s": arithmetic,
            "decode_tok_s": limit,
        },
        "share_of_limit": None if limit is None else found.decode_tok_s.median / limit,
        "machine": machine(),
    }
    click.echo(json.dumps(facts, indent=2) if as_json else _text(facts, found))


def _progress(text: str) -> None:
    """Tell what comes next to who waits for it."""
    if sys.stderr.isatty():
        click.echo(f"{text} …", err=True)


def _compiled(
    program: Path,
    folder: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    std: Path | None,
    target: str | None,
    prompt_length: int,
) -> Path:
    """Compile a source: without --entry what generating needs, the prompt in one piece."""
    from linnet import __version__
    from linnet.compiler import Stages, check_path, choose_root, declared_entries
    from linnet.runtime import build_artifact

    declared = declared_entries(check_path(program, std).accepted().module)
    chosen = choose_root(declared, root)
    known = {entry.name: entry for entry in declared if entry.root == chosen}
    if "decode" not in known:
        raise UsageError("the program has no entry `decode`", "generation needs `decode`")
    names = entries or tuple(name for name in ("prefill", "decode") if name in known)
    generics = read_binds(binds)
    if "prefill" in names:
        sizes = [name for name, kind in known["prefill"].generics.items() if kind == "Dim"]
        if len(sizes) == 1 and not {sizes[0], f"prefill.{sizes[0]}"} & generics.keys():
            generics[f"prefill.{sizes[0]}"] = prompt_length
    output = folder / f"{program.stem}.lna"
    _progress("compiling")
    build_artifact(
        program,
        output,
        root,
        names,
        generics,
        "absent",
        (target or "cpu",),
        std,
        Stages(),
        __version__,
    )
    return output


def _prompt(results: Sequence[Value], length: int) -> list[int]:
    """Seeded tokens of the vocabulary that the logits of `decode` have."""
    last = results[0].shape[-1] if results and results[0].shape else 1
    vocabulary = last if isinstance(last, int) else 1
    draw = random.Random(1)
    return [draw.randrange(vocabulary) for _ in range(length)]


def _text(facts: dict[str, Any], found: Measured) -> str:
    """The figures for a reader."""
    weights = show_bytes(facts["weight_bytes"]) + " of weights"
    if facts["random_weights"]:
        weights += ", random numbers"
    ttft, decode = found.ttft_s.scaled(1e3), found.decode_tok_s
    lines = [
        f"{facts['root'] or 'the module'} on {facts['target']}, {weights}",
        f"load          {found.load_s:.2f} s",
        f"first token   {ttft.median:.1f} ms ({ttft.least:.1f}–{ttft.most:.1f}) "
        f"of a prompt of {facts['prompt_length']}",
        f"decode        {decode.median:.1f} tokens/s ({decode.least:.1f}–{decode.most:.1f}) "
        f"over {facts['new_tokens']}",
        f"peak memory   {show_bytes(found.peak_bytes)}",
    ]
    limits = facts["limits"]
    read = f"this machine reads {limits['read_bytes_per_s'] / 1e9:.1f} GB/s"
    if limits["decode_tok_s"] is None:
        lines.append(read)
    else:
        lines.append(
            f"{read}: the weights {limits['decode_tok_s']:.1f} times a second, of which decoding "
            f"reaches {facts['share_of_limit']:.0%}"
        )
    rate = limits["matmul_f32_flop_per_s"] / 1e9
    lines.append(f"and multiplies {rate:.0f} GFLOP/s in f32, by NumPy's BLAS")
    return "\n".join(lines)
