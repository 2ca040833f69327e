"""Every CORE op in every dtype on PyTorch, by the table that all backends are tried on."""

from typing import Any

import pytest

pytest.importorskip("torch")

from stablehlo._case import ALL, Array
from stablehlo._evaluators import differences, table

from linnet.backends.torch import TorchModel, torch_source
from linnet.core import CoreModule


@pytest.mark.parametrize("dtype", ALL)
def test_pytorch_agrees_with_the_reference(dtype: str) -> None:
    made = table(dtype)

    def call(name: str, inputs: list[Array]) -> list[Array]:
        core = CoreModule({name: made.families[name].function})
        signatures = {name: made.families[name].function.signature}
        model = TorchModel(torch_source(core), signatures, {}, "exact", None, None)
        results: Any = model.call(name, inputs)
        return [model.numpy(r) for r in (results if isinstance(results, tuple) else (results,))]

    assert "\n".join(differences(made, call, list(made.families))) == ""
