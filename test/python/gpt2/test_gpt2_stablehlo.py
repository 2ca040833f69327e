"""`linnet stablehlo` on GPT-2 at its true sizes: what a module takes, gives and holds."""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

import re
import subprocess
import sys
from pathlib import Path

import pytest
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import stablehlo

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "examples" / "gpt2" / "gpt2.linnet"
SEED = ROOT.parent / "shared" / "seed" / "gpt2" / "gpt2.linnet"
SIZES = "Vocab=50257 MaxPositions=1024 H=768 Heads=12 Layers=12 Batch=1 MaxSeq=1024 T=f32"
# The entries: their own generics, the types of their inputs, and of their results.
ENTRIES = {
    "forward": ("B=1 S=8", ["tensor<1x8xi32>"], "tensor<1x8x50257xf32>"),
    "decode": ("", ["tensor<1x1xi32>", "tensor<i32>"], "tensor<1x50257xf32>"),
    "prefill": ("S=8", ["tensor<1x8xi32>", "tensor<i32>"], "tensor<1x50257xf32>"),
    "decode_rows": ("", ["tensor<1x1xi32>", "tensor<1xi32>"], "tensor<1x50257xf32>"),
    "prefill_slots": (
        "M=2 S=16",
        ["tensor<2x16xi32>", "tensor<2xi32>", "tensor<2xi32>"],
        "tensor<2x50257xf32>",
    ),
}


def programs() -> list[object]:
    absent = pytest.mark.skipif(not SEED.exists(), reason="the seed program is not at hand")
    return [pytest.param(OURS, id="ours"), pytest.param(SEED, id="seed", marks=absent)]


@pytest.mark.parametrize("program", programs())
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_takes_inputs_then_parameters_then_states(entry: str, program: Path) -> None:
    own, inputs, result = ENTRIES[entry]
    bindings = [part for bind in f"{SIZES} {own}".split() for part in ("--bind", bind)]
    command = [sys.executable, "-m", "linnet", "stablehlo", "--root", "Model", "--entry", entry]
    done = subprocess.run(
        [*command, *bindings, str(program)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

    # jaxlib's own MLIR parses and verifies it.
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    with ir.Context() as context:
        context.append_dialect_registry(registry)
        stablehlo.register_dialect(context)
        module = ir.Module.parse(done.stdout)
        assert module.operation.verify()
        (main,) = module.body.operations
        assert ir.StringAttr(main.attributes["sym_name"]).value == "main"
        type_ = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        taken = [str(one) for one in type_.inputs]
        given = [str(one) for one in type_.results]
        fields = [
            {name.name: ir.StringAttr(name.attr).value for name in ir.DictAttr(attributes)}
            for attributes in ir.ArrayAttr(main.attributes["arg_attrs"])
        ]

    kinds = [one.get("linnet.kind", "input") for one in fields]
    assert kinds == ["input"] * len(inputs) + ["param"] * 148 + ["state"] * 24
    assert taken[: len(inputs)] == inputs
    paths = [one["linnet.path"] for one in fields[len(inputs) :]]
    assert len(set(paths)) == 172
    assert paths[:3] == ["wte", "wpe", "blocks.0.ln_1.weight"]
    assert paths[147:149] == ["ln_f.bias", "blocks.0.attn.cache_k"]
    assert given == [result, *taken[-24:]]

    # No tensor data: every constant is one number.
    assert re.search(r"dense<\[|dense<\"0x|dense_resource", done.stdout) is None
    # Weights are read as they lie: none of them is moved.
    first, last = len(inputs), len(inputs) + 147
    moved = re.findall(r"stablehlo\.transpose %arg(\d+)", done.stdout)
    assert [number for number in moved if first <= int(number) <= last] == []
