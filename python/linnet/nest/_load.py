"""`load`: a nest, its weights, and a backend make a model."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from linnet.nest._backends import backend as backend_of
from linnet.nest._backends import build_of, check_options
from linnet.nest._find import find, weight_files
from linnet.nest._hub import Hub
from linnet.nest._linnet import LinnetBuilt
from linnet.nest._model import Model, Origin
from linnet.nest._program import Opened, open_program
from linnet.nest._protocol import Compile, Numerics
from linnet.nest._weights import BindingsSource, Held, cast, open_held
from linnet.runtime import Generics
from linnet.runtime import compile as compile_source
from linnet.weights import WeightsSource, bind_weights


def load(
    name_or_path: str | os.PathLike[str],
    backend: str = "linnet",
    *,
    numerics: Numerics = "exact",
    compile: Compile | None = None,
    generics: Generics | None = None,
    weights: WeightsSource = None,
    bindings: BindingsSource = None,
    dtype: str | None = None,
    entries: Sequence[str] = (),
    offline: bool = False,
    **options: Any,
) -> Model:
    """Return a nest's model on a backend.

    `name_or_path` is a model of the package, a directory with a card, or a repo of the Hub,
    `OWNER/NAME[@REVISION]`. What is not here is fetched, unless `offline`. `generics` replace those
    of the card; `weights` (a safetensors file, a folder of them, or arrays by name) and `bindings`
    replace its weights. `dtype` sets every dtype generic of the root, and rounds float weights to
    it. `entries` names those to build, none means all. `options` are the backend's own: `target`
    and `weights_dtype` of `linnet`, `device` of `torch`, `providers` and `opset` of
    `onnx`.

    NestError for a nest that is not found, CardError for a card with mistakes, UsageError for an
    unknown name or option, CapabilityError for a backend that is not installed or cannot do it,
    ProgramError and WeightsError as `linnet.compile`.
    """
    check_options(backend, numerics, compile, list(options))
    one = backend_of(backend)
    build = None if backend == "linnet" else build_of(backend)
    hub = Hub(offline)
    origin = Origin(generics, weights, bindings, dtype)
    card = find(name_or_path, hub)
    opened = open_program(card, generics, dtype, entries, one.loops and backend != "linnet")
    held = open_held(card, weights, bindings, weight_files(hub))
    if build is None:
        return Model(card, backend, _linnet(opened, held, dtype, options), origin)
    request, members = opened.request_for(held)
    if dtype is not None:
        held = cast(held, members)
    arrays = bind_weights(members, held.tensors, held.bindings).arrays
    built = build(opened.checked, request, arrays, numerics=numerics, compile=compile, **options)
    return Model(card, backend, built, origin)


def _linnet(
    opened: Opened, held: Held, dtype: str | None, options: Mapping[str, Any]
) -> LinnetBuilt:
    card = opened.card
    if dtype is not None:
        held = cast(held, opened.request_for(held)[1])
    arrays = {
        key: tensor.array
        for (source, key), tensor in held.tensors.by_key.items()
        if source is None and tensor.array is not None
    }
    rules = {path: key for path, source, key in held.bindings.rules if source is None}
    model = compile_source(
        card.program,
        card.root,
        opened.request.generics,
        arrays,
        rules,
        target=options.get("target", "cpu"),
        weights_dtype=options.get("weights_dtype"),
    )
    return LinnetBuilt(model, opened.request.entries, opened.signature)
