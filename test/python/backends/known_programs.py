"""The programs with known values, for backends that are built from a checked program."""

import json
from pathlib import Path
from typing import Any

from test_conformance_run import TEST, check, tensors

from linnet.compiler import Checked, Request, check_path, declared_entries, members
from linnet.errors import CapabilityError
from linnet.runtime._infer import infer_generics

FOLDERS = (TEST / "conformance" / "run", TEST / "programs" / "run")
CASES = [path for folder in FOLDERS for path in sorted(folder.glob("*.json"))]


def model_of(
    build: Any, checked: Checked, case: dict[str, Any], step: dict[str, Any], numerics: Any
) -> Any:
    """The entry of a step, with open sizes where they may be."""
    emitted, weights, inputs = checked.accepted(), tensors(case["weights"]), tensors(step["inputs"])
    found = next(e for e in declared_entries(emitted.module) if e.name == step["entry"])
    given: dict[str, Any] = {**case["generics"], **(step["generics"] or {})}
    bound = infer_generics(found, dict(inputs), given)
    request = Request(root=case["root"], entries=(step["entry"],), generics=bound)
    present = [m.path for m in members(emitted, request, checked.sources) if m.path in weights]
    optional = [m.path for m in members(emitted, request, checked.sources) if m.optional]
    optionals = [path for path in present if path in optional]
    optionals += [i.name for i in found.inputs if i.optional and i.name in inputs]
    root, entries = case["root"], (step["entry"],)
    try:
        half_open = Request(root, entries, given, optionals, open=True)
        return build(checked, half_open, weights, numerics=numerics)
    except CapabilityError:
        closed = Request(root, entries, bound, optionals)
        return build(checked, closed, weights, numerics=numerics)


def check_case(build: Any, path: Path, numerics: str = "exact") -> None:
    """Run the steps of a program on a backend, and compare what they give and keep."""
    case = json.loads(path.read_text(encoding="utf-8"))
    checked = check_path(path.with_suffix(".linnet"))
    tolerance = case.get("tolerance", {"atol": 0.0, "rtol": 0.0})
    states: dict[str, Any] = {}
    for step in case["steps"]:
        model = model_of(build, checked, case, step, numerics)
        model.set_states({p: v for p, v in states.items() if p in model.states()})
        inputs = tensors(step["inputs"])
        given = [inputs[value.name] for value in model.signatures[step["entry"]].inputs]
        result: Any = model.call(step["entry"], given)
        results: Any = (
            result if isinstance(result, tuple) else (() if result is None else (result,))
        )
        assert len(results) == len(step["outputs"])
        for found, wanted in zip(results, step["outputs"], strict=True):
            check(model.numpy(found), wanted, tolerance)
        states |= model.states()
    after: dict[str, Any] = case.get("state_after") or {}
    for name, wanted in after.items():
        check(states[name], wanted, tolerance)
