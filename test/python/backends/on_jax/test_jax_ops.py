"""Every CORE op in every dtype as JAX source, by the table that all backends are tried on."""

from typing import Any

import pytest

pytest.importorskip("jax")

from stablehlo._case import ALL, Array
from stablehlo._evaluators import differences, table

from linnet.backends.jax import SourceModel
from linnet.core import CoreModule


@pytest.mark.parametrize("dtype", ALL)
def test_jax_agrees_with_the_reference(dtype: str) -> None:
    made = table(dtype)

    def call(name: str, inputs: list[Array]) -> list[Array]:
        model = SourceModel(CoreModule({name: made.families[name].function}), {})
        results: Any = model.call(name, inputs)
        return [model.numpy(r) for r in (results if isinstance(results, tuple) else (results,))]

    assert "\n".join(differences(made, call, list(made.families), flushes=True)) == ""
