"""Whole programs: the conformance cases, the printer's round trip, and damaged copies."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax.tree import same_tree

from linnet.source import SourceFile, decode, read
from linnet.syntax import parse, show

REPOSITORY = Path(__file__).resolve().parents[3]
CONFORMANCE = REPOSITORY / "test" / "conformance"
PROGRAMS = sorted(
    [
        *CONFORMANCE.rglob("*.linnet"),
        *(REPOSITORY / "test" / "programs").rglob("*.linnet"),
        *(REPOSITORY / "python" / "linnet" / "std").rglob("*.linnet"),
    ]
)


def source(path: Path) -> SourceFile:
    found = read(path)
    assert isinstance(found, SourceFile)
    return found


def name(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_a_program_has_exactly_the_syntax_errors_it_announces(path: Path) -> None:
    file = source(path)
    expect = re.search(r"(?m)^// expect: (\w+)", file.text)
    code = expect.group(1) if expect else "ok"
    wanted = {code} if re.fullmatch(r"E1[01]\d\d", code) else set[str]()
    # A `grad` behind what is no function is told by the parser, which has no place for it.
    assert {one.code for one in parse(file).diagnostics} - {"E2125"} == wanted


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_what_is_printed_reads_back_to_the_same_tree(path: Path) -> None:
    tree = parse(source(path)).tree
    if tree is None:
        pytest.skip("has syntax errors")
    printed = parse(decode(show(tree).encode(), "printed"))
    assert printed.tree is not None, printed.diagnostics
    assert same_tree(tree.items, printed.tree.items)
    assert same_tree(tree.uses, printed.tree.uses)


TOKEN = re.compile(r"\w+|\s+|.")
TEXTS = [path.read_text("utf-8", "replace") for path in PROGRAMS]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_damaged_programs_never_raise(text: str, data: st.DataObject) -> None:
    tokens = TOKEN.findall(text)
    places = st.integers(0, max(len(tokens) - 1, 0))
    for place in data.draw(st.lists(places, min_size=1, max_size=5)):
        other = data.draw(st.sampled_from(["", "", "}", "{", "(", "<", ">", "fn", "let", "=", ";"]))
        tokens[place] = other
    tokens = tokens[: data.draw(st.integers(0, len(tokens)))]
    result = parse(decode("".join(tokens).encode(), "damaged"))
    assert (result.tree is None) == bool(result.diagnostics)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    parse(decode(b"module a fn f() { let a = " + data, "noise"))
