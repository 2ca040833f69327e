"""Runs CORE functions as the PyTorch source that is written of them.

The same call as that of the reference: inputs, params and buffers, states -> results, states.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.backends.torch import TorchModel, torch_source
from linnet.core import CoreModule

Array = NDArray[Any]
_MODELS: dict[int, tuple[CoreModule, dict[str, TorchModel]]] = {}


def run(core: CoreModule, entry: str, arguments: Sequence[Array]) -> list[Array]:
    """Call an entry by bodies as they are written."""
    function = core.functions[entry]
    signature = function.signature
    inputs = arguments[: len(signature.inputs)]
    rest = arguments[len(signature.inputs) :]
    members = [*signature.params, *signature.states]
    held = {member.path: value for member, value in zip(members, rest, strict=True)}
    # Kept with its module, whose address stays its own so.
    _, models = _MODELS.setdefault(id(core), (core, {}))
    model = models.get(entry)
    if model is None:
        source = torch_source(CoreModule({entry: function}))
        model = TorchModel(source, {entry: signature}, held, "exact", None, None)
        models[entry] = model
    model.set_states({member.path: held[member.path] for member in signature.states})
    found: Any = model.call(entry, inputs)
    single: Any = () if found is None else (found,)
    results: Any = found if isinstance(found, tuple) else single
    states = model.states()
    given = [model.numpy(result) for result in results]
    after = [states[member.path] for member in signature.states]
    return [np.asarray(value) for value in (*given, *after)]
