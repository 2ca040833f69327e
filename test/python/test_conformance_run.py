"""The programs that are run: `test/conformance/run` and `test/programs/run`, on every target.

Each calls entries in order on one instance and compares with values that NumPy computed apart
from the programs.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import linnet
from linnet.signature import numpy_dtype

TEST = Path(__file__).resolve().parents[1]
TARGETS = {
    "reference": "numpy",
    "xla-cpu": "jaxlib",
    "cpu": "iree.runtime",
    "onnx": "onnxruntime",
}


def tensor(given: dict[str, Any]) -> NDArray[Any]:
    """Return a tensor of the cases' JSON."""
    numbers = np.array(given["data"], np.float64 if given["dtype"][0] in "fb" else None)
    dtype = numpy_dtype(given["dtype"])
    return numbers.astype(dtype).reshape(given["shape"])


def tensors(given: dict[str, Any]) -> dict[str, NDArray[Any]]:
    return {name: tensor(value) for name, value in given.items()}


def check(found: NDArray[Any], wanted: dict[str, Any], tolerance: dict[str, float]) -> None:
    expected = tensor(wanted)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if wanted["dtype"][0] in "iu" or wanted["dtype"] == "bool":
        np.testing.assert_array_equal(found, expected)
    else:
        np.testing.assert_allclose(
            found.astype(np.float64), expected.astype(np.float64), **tolerance
        )


def cases() -> list[Any]:
    found: list[Any] = []
    folders = (TEST / "conformance" / "run", TEST / "programs" / "run")
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        for target in TARGETS:
            found.append(pytest.param(path, target, id=f"{path.stem}-{target}"))
    return found


@pytest.mark.parametrize(("path", "target"), cases())
def test_a_case_gives_its_values(path: Path, target: str) -> None:
    pytest.importorskip(TARGETS[target])
    case = json.loads(path.read_text(encoding="utf-8"))
    model = linnet.compile(
        path.with_suffix(".linnet"),
        root=case["root"],
        generics=case["generics"],
        weights=tensors(case["weights"]),
        target=target,
    )
    tolerance = case.get("tolerance", {"atol": 0.0, "rtol": 0.0})
    for step in case["steps"]:
        result = model.call(step["entry"], tensors(step["inputs"]), step["generics"])
        results = result if isinstance(result, tuple) else (() if result is None else (result,))
        assert len(results) == len(step["outputs"])
        for found, wanted in zip(results, step["outputs"], strict=True):
            check(found, wanted, tolerance)
    for path_, wanted in (case.get("state_after") or {}).items():
        check(model.state[path_], wanted, tolerance)


def test_there_are_cases_and_the_known_failures_are_among_them() -> None:
    names = {path.stem for path in (TEST / "conformance" / "run").glob("*.json")}
    assert len(names) >= 33
