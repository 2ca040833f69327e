"""What every example is run on."""

import pytest

NEEDS = {
    "reference": "numpy",
    "xla-cpu": "jaxlib",
    "cpu": "iree.runtime",
    "onnx": "onnxruntime",
}


@pytest.fixture(scope="module", params=NEEDS)
def target(request: pytest.FixtureRequest) -> str:
    """Each target in turn, of those whose libraries are installed."""
    name: str = request.param
    pytest.importorskip(NEEDS[name])
    return name
