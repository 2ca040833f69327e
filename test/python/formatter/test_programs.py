"""Whole programs: the conformance cases, the seed, our own, and all of them in other layouts."""

import re
from pathlib import Path

import pytest
from formatter.layouts import in_another_layout, tokens_of, with_longer_names
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.formatter import format_source
from linnet.source import SourceFile, decode, read
from linnet.syntax import parse

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
