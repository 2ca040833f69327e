"""The same program on both sides: what ours computes, and what the class of `transformers` does."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ConversionError
from linnet.nest import Published, needs_extra
from linnet.signature import Signature, fixed_shape
from linnet.weights import write_safetensors

# The names of a forward pass of `transformers` for the inputs of our entries.
_INPUTS: Final = {
    "tokens": "input_ids",
    "token_types": "token_type_ids",
    "mask": "attention_mask",
    "image": "pixel_values",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """The largest difference of an entry's results, and the largest result."""

    largest: float
    scale: float
    inputs: Mapping[str, tuple[int, ...]]

    def fits(self, tolerance: float) -> bool:
        """Whether both sides agree; results above one are compared by their size."""
        return bool(self.largest <= tolerance * max(1.0, self.scale))


def need_transformers() -> None:
    """CapabilityError where `transformers` or torch is not installed."""
    for module in ("torch", "transformers"):
        if find_spec(module) is None:
            raise needs_extra("the certificate of an export", "transformers", module)


def write_folder(
    folder: Path,
    config: Mapping[str, object],
    tensors: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Write `config.json` and `model.safetensors`; return the hash of the latter."""
    text = json.dumps(config, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    (folder / "config.json").write_text(text, encoding="utf-8")
    return write_safetensors(folder / "model.safetensors", tensors, progress)


def draw_inputs(published: Published, signature: Signature, seed: int) -> dict[str, Any]:
    """Inputs of an entry at fixed sizes, by our names."""
    draw = np.random.default_rng(seed)
    sizes = published.facts.generics
    found: dict[str, Any] = {}
    for value in signature.inputs:
        shape = fixed_shape(value.shape)
        if value.name == "image":
            found[value.name] = draw.standard_normal(shape).astype(np.float32)
        elif value.name == "mask":
            # The last text ends early.
            found[value.name] = np.ones(shape, np.int32)
            found[value.name][-1, -(shape[1] // 3) :] = 0
        else:
            limit = sizes["Types"] if value.name == "token_types" else sizes["Vocab"]
            found[value.name] = draw.integers(0, limit, shape, dtype=np.int32)
    return found


def theirs(folder: Path, published: Published, inputs: Mapping[str, Any]) -> NDArray[np.float32]:
    """What the class of `transformers` computes from a folder, in f32.

    ConversionError where it does not take every tensor, or misses one.
    """
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    kind = getattr(transformers, published.architecture)
    quiet = transformers.logging.get_verbosity()
    bars = transformers.logging.is_progress_bar_enabled()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        model, report = kind.from_pretrained(
            folder, dtype=torch.float32, local_files_only=True, output_loading_info=True
        )
    finally:
        transformers.logging.set_verbosity(quiet)
        if bars:
            transformers.logging.enable_progress_bar()
    for what in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        for name in sorted(map(str, report[what])):
            raise ConversionError(f"transformers reports `{name}` among its {what}")
    given = {_INPUTS[name]: torch.from_numpy(value) for name, value in inputs.items()}
    with torch.no_grad():
        results = model.eval()(**given)
    held = results["logits"] if "logits" in results else results["last_hidden_state"]
    return held.float().numpy()


def compared(ours: Any, found: NDArray[np.float32], inputs: Mapping[str, Any]) -> Difference:
    """The largest difference between the two sides; ConversionError for another shape."""
    mine = np.asarray(ours, np.float32)
    if mine.shape != found.shape:
        raise ConversionError(
            f"the program gives shape {list(mine.shape)}, transformers {list(found.shape)}"
        )
    return Difference(
        float(np.abs(mine - found).max(initial=0)),
        float(np.abs(found).max(initial=0)),
        {name: value.shape for name, value in inputs.items()},
    )
