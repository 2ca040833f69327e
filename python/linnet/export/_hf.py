"""Export to the Hugging Face form: `config.json`, safetensors, tokenizer, and a certificate.

The certificate is the proof of the export: the same program is evaluated on both sides, ours by
the reference and theirs by the class of `transformers` from a written folder, and an export whose
sides differ is not made.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from linnet import nest
from linnet.export._certificate import Named, Theirs, evaluated, shown, small_twin
from linnet.export._certificate import certificate as certificate_of
from linnet.export._twin import need_transformers, theirs, write_folder
from linnet.nest import Origin, Published, open_arrays, whole_folder
from linnet.runtime import Generics
from linnet.weights import WeightsSource

CERTIFICATE: Final = "certificate.json"
# Of the model as it is: of each result, or of the largest where that is above one.
TOLERANCE: Final = 2e-4
# At small sizes rounding stays below 5e-6 of that, and the two forms of GELU differ by 1e-4.
SMALL_TOLERANCE: Final = 2e-5
_TARGET: Final = "transformers"


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
            small, difference = small_twin(source, published, _TARGET, SMALL_TOLERANCE, _write)
            versions = {name: version(name) for name in (_TARGET, "torch")}
            made = certificate_of(
                source, published, small, difference, _TARGET, SMALL_TOLERANCE, versions
            )
            certificate |= made
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
                full_size = evaluated(
                    source,
                    published,
                    source.opened.request.generics,
                    source.arrays,
                    _TARGET,
                    TOLERANCE,
                    lambda inputs: theirs(place, published, inputs),
                )
                certificate["weights"] = shown(full_size, TOLERANCE)
            text = json.dumps(certificate, indent=1, ensure_ascii=False) + "\n"
            (place / CERTIFICATE).write_text(text, encoding="utf-8")
    parameters = sum(array.size for array in named.values())
    return HfExport(Path(target), published.architecture, parameters, certificate)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(folder: Path, small: Published, named: Named) -> Theirs:
    write_folder(folder, small.config(), named)
    return lambda inputs: theirs(folder, small, inputs)
