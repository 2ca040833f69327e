"""The proof of an export: the same program evaluated on both sides, on the same inputs."""

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linnet import __version__, nest
from linnet.errors import ConversionError
from linnet.export._twin import Difference, compared, draw_inputs
from linnet.nest import Arrays, Published
from linnet.runtime import Generics
from linnet.signature import at_sizes
from linnet.weights import WeightsSource

SEED: Final = 20190214
SIZES: Final = {"B": 2, "S": 12}

Named = Mapping[str, NDArray[Any]]
Theirs = Callable[[Mapping[str, Any]], NDArray[np.float32]]


def evaluated(
    source: Arrays,
    published: Published,
    generics: Generics,
    weights: WeightsSource,
    target: str,
    tolerance: float,
    theirs: Theirs,
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
    fixed = at_sizes(signature, {name: SIZES[name] for name in signature.symbols})
    inputs = draw_inputs(published, fixed, SEED)
    difference = compared(model(**inputs), theirs(inputs), inputs)
    if not difference.fits(tolerance):
        raise ConversionError(
            f"`{source.card.name}` gives other numbers in {target}: they differ by "
            f"{difference.largest:.1e} where the largest is {difference.scale:.1e}",
            f"the program is not what {published.architecture} computes",
        )
    return difference


def small_twin(
    source: Arrays,
    published: Published,
    target: str,
    tolerance: float,
    write: Callable[[Path, Published, Named], Theirs],
) -> tuple[Published, Difference]:
    """A twin of the same structure with small sizes and drawn weights, on both sides.

    `write` puts it into a folder in the target's form, and returns what evaluates that.
    """
    sizes = published.family.small(published.facts.generics)
    generics: dict[str, int | str] = {**sizes, "T": "f32"}
    if published.family.has_cache:
        generics |= {"Batch": 1, "MaxSeq": 16}
    opened = nest.open_program(source.card, generics)
    every = opened.members()
    members = [each for each in every if not each.optional or each.path in source.arrays]
    draw = np.random.default_rng(SEED)
    arrays: dict[str, Any] = {}
    for member in members:
        values = draw.standard_normal(member.shape).astype(np.float32) * np.float32(0.2)
        # A norm's weight is near one.
        arrays[member.path] = values + np.float32(len(member.shape) == 1)
    small = nest.published(source.card, opened.request.generics, members, every)
    with tempfile.TemporaryDirectory() as folder:
        theirs = write(Path(folder), small, {small.names[p]: each for p, each in arrays.items()})
        return small, evaluated(source, small, generics, arrays, target, tolerance, theirs)


def shown(difference: Difference, tolerance: float) -> dict[str, Any]:
    """A difference in the terms of the schema."""
    return {
        "inputs": {name: list(shape) for name, shape in difference.inputs.items()},
        "largest_difference": difference.largest,
        "largest_result": difference.scale,
        "tolerance": tolerance,
    }


def certificate(
    source: Arrays,
    published: Published,
    small: Published,
    difference: Difference,
    target: str,
    tolerance: float,
    versions: Mapping[str, str],
) -> dict[str, Any]:
    """The fields of a certificate (`certificate.schema.json`) but those of the files."""
    program = source.card.program.read_bytes()
    return {
        "certificate": 1,
        "target": target,
        "model": source.card.name,
        "architecture": published.architecture,
        "program": {
            "sha256": hashlib.sha256(program).hexdigest(),
            "root": source.card.root,
            "entry": source.card.entry,
        },
        "generics": dict(published.facts.generics),
        "constants": {
            name: value if isinstance(value, float) else str(value)
            for name, value in published.facts.constants.items()
        },
        "small": {
            "generics": dict(small.facts.generics),
            "seed": SEED,
            **shown(difference, tolerance),
        },
        "versions": {"linnet": __version__, "numpy": version("numpy"), **versions},
    }
