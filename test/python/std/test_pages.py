"""The reference pages of `std`: every item says what it means, and its example is part of a program
that is accepted, formatted, and runs."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from linnet.compiler import Request, check_path, declared_entries, lower
from linnet.formatter import format_source
from linnet.reference import run
from linnet.source import decode

TOOL = Path(__file__).parents[3] / "tools" / "std_docs.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("std_docs", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


docs = loaded()
MODULES = {docs.name_of(path): path for path in sorted(docs.STD.rglob("*.linnet"))}
ITEMS = [
    pytest.param(name, item.name.text, docs.comment(docs.read(path)[0], item), id=item.name.text)
    for name, path in MODULES.items()
    for item in docs.public(docs.read(path)[1])
]


def words(text: str) -> str:
    """The text without what a formatter decides."""
    return re.sub(r"\s+", "", text).replace(",)", ")")


@pytest.mark.parametrize(("module", "item", "paragraphs"), ITEMS)
def test_the_example_of_an_item_is_in_the_program(
    module: str, item: str, paragraphs: list[str]
) -> None:
    assert len(paragraphs) >= 2, "a meaning and an example"
    lead, *calls = re.split(r"`([^`]+)`", paragraphs[-1])
    assert lead == "Example: "
    program = words(docs.example_of(module).read_text(encoding="utf-8"))
    for call in calls[::2]:
        assert words(call) in program
    assert any(item in call for call in calls[::2])


@pytest.mark.parametrize("module", MODULES)
def test_numerics_are_told_of_every_function(module: str) -> None:
    text, tree = docs.read(MODULES[module])
    for item in docs.public(tree):
        if type(item).__name__ == "Function":
            assert "Numerics: " in "\n".join(docs.comment(text, item)), item.name.text


@pytest.mark.parametrize("module", MODULES)
def test_the_program_of_a_module_runs(module: str) -> None:
    """Accepted without a warning; with every dimension four, each entry gives its results."""
    path: Path = docs.example_of(module)
    checked = check_path(path)
    assert not checked.diagnostics
    emitted = checked.accepted()
    rng = np.random.default_rng(0)
    for entry in declared_entries(emitted.module):
        kinds = entry.root_generics | entry.generics
        generics = {name: 4 if kind == "Dim" else "f32" for name, kind in kinds.items()}
        request = Request(entry.root, [entry.name], generics, "absent")
        core = lower(emitted, request, checked.sources)
        signature = core.functions[entry.name].signature
        members = (*signature.inputs, *signature.params, *signature.states)
        given = [rng.integers(0, 2, member.shape).astype(member.numpy) for member in members]
        results = run(core, entry.name, given)
        wanted = [value.shape for value in (*signature.results, *signature.states)]
        assert [result.shape for result in results] == wanted
        assert results


@pytest.mark.parametrize("module", MODULES)
def test_the_program_of_a_module_is_formatted(module: str) -> None:
    path: Path = docs.example_of(module)
    assert format_source(decode(path.read_bytes(), path.name)).text == path.read_text("utf-8")


def test_every_program_belongs_to_a_module() -> None:
    found = {path.name for path in docs.EXAMPLES.iterdir()}
    assert found == {docs.example_of(name).name for name in MODULES}
