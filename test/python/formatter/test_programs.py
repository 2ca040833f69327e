"""Whole programs: the conformance cases, the seed, our own, and all of them in other layouts."""

import dataclasses
import re
from pathlib import Path

import pytest
from formatter.layouts import in_another_layout, tokens_of, with_longer_names
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.formatter import format_source
from linnet.source import SourceFile, Span, decode, read
from linnet.syntax import _tree, parse

REPOSITORY = Path(__file__).resolve().parents[3]
SHARED = REPOSITORY.parent / "shared"
CONFORMANCE = sorted((REPOSITORY / "test" / "conformance").rglob("*.linnet"))
OURS = sorted(
    [
        *(REPOSITORY / "python" / "linnet" / "std").rglob("*.linnet"),
        *(REPOSITORY / "examples").rglob("*.linnet"),
    ]
)

# Accepted conformance programs that are not in the style, and why.
UNFORMATTED = {
    "accept/005_no_terminators.linnet": "several statements on a line are its point",
    "accept/013_trailing_commas.linnet": "commas before a closer on the same line are its point",
    "accept/076_std_model.linnet": "breaks behind an `=` where 99 columns would do",
    "run/009_casts.linnet": "has two elements of a broken list on one line",
}


def source(path: Path) -> SourceFile:
    found = read(path)
    assert isinstance(found, SourceFile)
    return found


def name(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def formatted(text: str) -> str:
    result = format_source(decode(text.encode(), "program.linnet"))
    assert result.text is not None, result.diagnostics
    return result.text


@pytest.mark.parametrize("path", CONFORMANCE, ids=name)
def test_a_conformance_program_is_in_the_style(path: Path) -> None:
    """The cases were written in the true style, so they are the oracle of our rules."""
    key = str(path.relative_to(REPOSITORY / "test" / "conformance"))
    file = source(path)
    result = format_source(file)
    if result.text is None:
        assert key.startswith("reject") or "needs:" in file.text
        pytest.skip("has syntax errors")
    same = result.text == file.text
    if key.startswith("reject"):
        assert parse(decode(result.text.encode(), key)).tree is not None
    else:
        assert same == (key not in UNFORMATTED)


@pytest.mark.parametrize("path", OURS, ids=name)
def test_a_program_of_ours_is_formatted(path: Path) -> None:
    file = source(path)
    assert format_source(file).text == file.text


def test_the_seed_is_laid_out_as_it_was() -> None:
    """Its copy has lost indents and blank lines, and nothing else."""
    path = SHARED / "seed" / "gpt2" / "gpt2.linnet"
    if not path.is_file():
        pytest.skip("the shared seed is absent")
    file = source(path)
    result = format_source(file)
    assert result.text is not None
    lines = [line.strip() for line in result.text.splitlines() if line.strip()]
    assert lines == [line.strip() for line in file.text.splitlines() if line.strip()]


PROGRAMS = [tokens_of(file.text) for file in map(source, [*CONFORMANCE, *OURS]) if parse(file).tree]
SEEDS = st.integers(0, 2**32)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PROGRAMS), SEEDS, st.sampled_from([0.01, 0.05, 0.3]))
def test_no_comment_is_lost_and_a_second_pass_changes_nothing(
    tokens: list[str], seed: int, share: float
) -> None:
    """That tokens and tree stay is what `format_source` itself checks."""
    text, notes = in_another_layout(with_longer_names(tokens, seed), seed, share)
    once = formatted(text)
    assert re.findall(r"note\d+", once) == notes
    assert formatted(once) == once
    assert not re.search(r"[ \t\r]$", once, re.MULTILINE)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PROGRAMS), SEEDS)
def test_the_style_does_not_depend_on_the_layout(tokens: list[str], seed: int) -> None:
    """But for the blank lines that an author may leave between statements and members."""
    tokens = with_longer_names(tokens, seed)
    text, _ = in_another_layout(tokens, seed, 0)
    lines = [line for line in formatted(text).splitlines() if line]
    assert lines == [line for line in formatted(" ".join(tokens)).splitlines() if line]


def node_classes() -> set[str]:
    """The names of all classes of the syntax tree."""
    found = {
        name
        for name, each in vars(_tree).items()
        if dataclasses.is_dataclass(each) and each.__module__ == _tree.__name__
    }
    assert {"Module", "Let", "Binary"} <= found
    return found


def classes_in(value: object) -> set[str]:
    if isinstance(value, Span) or value is None:
        return set()
    if isinstance(value, tuple):
        return {name for each in value for name in classes_in(each)}
    if not dataclasses.is_dataclass(value):
        return set()
    inner = {f.name for f in dataclasses.fields(value)}
    return {type(value).__name__}.union(*(classes_in(getattr(value, name)) for name in inner))


def test_every_node_of_the_tree_stands_in_a_program_that_is_formatted() -> None:
    """A node that the formatter does not know fails here, whoever adds it to the parser."""
    rest = """module m fn f() { let s = "text" x = y } op g(x: f32) -> f32 kernel k { return x }
    grad(y, dy) { return dy } kernel k(x: f32) -> y: f32 grid(1) { store(y, x) }"""
    texts = [source(path).text for path in [*CONFORMANCE, *OURS]]
    seen: set[str] = set()
    for text in [*texts, rest]:
        tree = parse(decode(text.encode(), "node.linnet")).tree
        if tree is not None:
            seen |= classes_in(tree)
            formatted(text)
    assert node_classes() - seen == set()


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PROGRAMS), st.data())
def test_a_changed_program_is_formatted_or_has_syntax_errors(
    tokens: list[str], data: st.DataObject
) -> None:
    """Tokens that no program of ours has beside each other: a difference would be an error."""
    tokens = list(tokens)
    for place in data.draw(st.lists(st.integers(0, len(tokens) - 1), min_size=1, max_size=3)):
        other = tokens[data.draw(st.integers(0, len(tokens) - 1))]
        tokens[place] = data.draw(st.sampled_from(["", other, f"{tokens[place]} {other}"]))
    result = format_source(decode(" ".join(tokens).encode(), "changed.linnet"))
    assert (result.text is None) == bool(result.diagnostics)
    assert result.text is None or formatted(result.text) == result.text
