"""Export to the Hugging Face form: `config.json`, safetensors, tokenizer, and a certificate.

The certificate is the proof of the export: the same program is evaluated on both sides, ours by
the reference and theirs by the class of `transformers` from a written folder, and an export whose
sides differ is not made.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from linnet import __version__, nest
from linnet.errors import ConversionError
from linnet.export._twin import (
    Difference,
    compared,
    draw_inputs,
    need_transformers,
    theirs,
    write_folder,
)
from linnet.nest import Arrays, Origin, Published, open_arrays, whole_folder
from linnet.runtime import Generics
from linnet.signature import at_sizes
from linnet.weights import WeightsSource

CERTIFICATE: Final = "certificate.json"
# Of the model as it is: of each result, or of the largest where that is above one.
TOLERANCE: Final = 2e-4
# At small sizes rounding stays below 5e-6 of that, and the two forms of GELU differ by 1e-4.
SMALL_TOLERANCE: Final = 2e-5
_SEED: Final = 20190214
_SIZES: Final = {"B": 2, "S": 12}


@dataclass(frozen=True, slots=True)
class HfExport:
    """What `export` wrote: the folder, its class, the parameters, and its certificate."""

    path: Path
    architecture: str
    parameters: int
    certificate: Mapping[str, Any]


def export_hf(
    model: "str | os.PathLike[str] | nest.Model",
    target: str | os.PathLike[str],
    *,
    generics: Generics | None = None,
    weights: WeightsSource = None,
    bindings: str | os.PathLike[str] | Mapping[str, str] | None = None,
    dtype: str | None = None,
    full: bool = False,
    certify: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> HfExport:
    """Write a folder that `transformers`, and engines that read its form, load.

    `model` is a nest by name or path, or a model that was loaded; `generics`, `weights`, `bindings`
    and `dtype` as those of `nest.load`. The folder gets config.json, model.safetensors under the
    published names, what lies beside the card for tokens, and certificate.json: the program at
    small sizes with drawn weights, evaluated on both sides, and with `full` also as it is. Without
    `certify` there is no certificate, and `transformers` is not needed.

    ConversionError names a path, generic or constant that has no place in the class, and tells of
    a difference between the sides; then nothing is written. CapabilityError where `transformers`
    is not installed; UsageError for the target; further errors as those of `nest.load`.
    """
    if certify:
        need_transformers()
    source = open_arrays(model, Origin(generics, weights, bindings, dtype))
    bound: dict[str, object] = dict(source.opened.request.generics)
    published = nest.published(source.card, bound, source.members, source.opened.members())
    certificate: dict[str, Any] = {}
    with whole_folder(Path(target)) as place:
        if certify:
            small, difference = _small(source, published)
            certificate = _certificate(source, published, small, difference)
        named = {published.names[path]: array for path, array in source.arrays.items()}
        digest = write_folder(place, published.config(), named, progress)
        for name in nest.PASSED_ON:
            beside = source.card.directory / name
            if name != "config.json" and beside.is_file():
                shutil.copyfile(beside, place / name)
        if certify:
            certificate["files"] = {
                "config.json": _digest(place / "config.json"),
                "model.safetensors": digest,
            }
            if full:
                found = _full(source, published, place)
                certificate["weights"] = _shown(found, TOLERANCE)
            text = json.dumps(certificate, indent=1, ensure_ascii=False) + "\n"
            (place / CERTIFICATE).write_text(text, encoding="utf-8")
    parameters = sum(array.size for array in named.values())
    return HfExport(Path(target), published.architecture, parameters, certificate)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _shown(difference: Difference, tolerance: float) -> dict[str, Any]:
    return {
        "inputs": {name: list(shape) for name, shape in difference.inputs.items()},
        "largest_difference": difference.largest,
        "largest_result": difference.scale,
        "tolerance": tolerance,
    }


def _certificate(
    source: Arrays, published: Published, small: Published, difference: Difference
) -> dict[str, Any]:
    program = source.card.program.read_bytes()
    return {
        "certificate": 1,
        "target": "transformers",
        "model": source.card.name,
        "architecture": published.architecture,
        "program": {
            "sha256": hashlib.sha256(program).hexdigest(),
            "root": source.card.root,
            "entry": source.card.entry,
        },
        "generics": dict(published.facts.generics),
        "constants": {name: _constant(v) for name, v in published.facts.constants.items()},
        "small": {
            "generics": dict(small.facts.generics),
            "seed": _SEED,
            **_shown(difference, SMALL_TOLERANCE),
        },
        "versions": {
            "linnet": __version__,
            **{name: version(name) for name in ("transformers", "torch", "numpy")},
        },
    }


def _constant(value: object) -> object:
    return value if isinstance(value, float) else str(value)


def _evaluated(
    source: Arrays,
    published: Published,
    generics: Generics,
    weights: WeightsSource,
    folder: Path,
    tolerance: float,
) -> Difference:
    """Both sides of the card's entry on the same inputs, in f32; ConversionError if they differ."""
    model = nest.load(
        source.card.directory,
        generics=generics,
        weights=weights,
        bindings={},
        dtype="f32",
        entries=[source.card.entry],
        target="reference",
    )
    signature = model.signatures[source.card.entry]
    fixed = at_sizes(signature, {name: _SIZES[name] for name in signature.symbols})
    inputs = draw_inputs(published, fixed, _SEED)
    difference = compared(model(**inputs), theirs(folder, published, inputs), inputs)
    if not difference.fits(tolerance):
        raise ConversionError(
            f"`{source.card.name}` gives other numbers in transformers: they differ by "
            f"{difference.largest:.1e} where the largest is {difference.scale:.1e}",
            f"the program is not what {published.architecture} computes",
        )
    return difference


def _small(source: Arrays, published: Published) -> tuple[Published, Difference]:
    """A twin of the same structure with small sizes and drawn weights, on both sides."""
    sizes = published.family.small(published.facts.generics)
    generics: dict[str, int | str] = {**sizes, "T": "f32"}
    if published.family.has_cache:
        generics |= {"Batch": 1, "MaxSeq": 16}
    opened = nest.open_program(source.card, generics)
    every = opened.members()
    members = [each for each in every if not each.optional or each.path in source.arrays]
    draw = np.random.default_rng(_SEED)
    arrays: dict[str, Any] = {}
    for member in members:
        values = draw.standard_normal(member.shape).astype(np.float32) * np.float32(0.2)
        # A norm's weight is near one.
        arrays[member.path] = values + np.float32(len(member.shape) == 1)
    small = nest.published(source.card, opened.request.generics, members, every)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        named = {small.names[path]: array for path, array in arrays.items()}
        write_folder(place, small.config(), named)
        return small, _evaluated(source, small, generics, arrays, place, SMALL_TOLERANCE)


def _full(source: Arrays, published: Published, place: Path) -> Difference:
    """The program as it is, with its weights, against the written folder."""
    generics = source.opened.request.generics
    return _evaluated(source, published, generics, source.arrays, place, TOLERANCE)
