"""Every prefix, and every program short of one token, of the examples and of std.

In CI a sample with a fixed seed; `LINNET_ROBUSTNESS=all` takes all of them.
"""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import to_json
from linnet.source import decode
from linnet.syntax import parse

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted([*ROOT.glob("examples/**/*.linnet"), *ROOT.glob("python/linnet/std/**/*.linnet")])
ALL = os.environ.get("LINNET_ROBUSTNESS") == "all"
SECONDS = 10


def tokens(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a program lie."""
    from linnet.syntax._lexer import END, lex

    found = lex(decode(text.encode(), "x"), [])
    spans = zip(found.kinds, found.starts, found.ends, strict=True)
    return [(start, end) for kind, start, end in spans if kind != END]


def edits(text: str) -> Iterator[bytes]:
    """All programs that the text becomes by one cut or one deletion."""
    data = text.encode()
    yield from (data[:end] for end in range(len(data)))
    for start, end in tokens(text):
        yield (text[:start] + text[end:]).encode()


def judged(data: bytes, path: Path) -> None:
    """Check a program in this process: it returns, in time, with places inside of the file."""
    started = time.process_time()
    path.write_bytes(data)
    found = check_path(path)
    assert time.process_time() - started < SECONDS
    assert found.emitted is not None or found.diagnostics
    lines = data.decode("utf-8", "replace").split("\n")
    for one in to_json(found.diagnostics)["diagnostics"]:  # pyright: ignore
        place = one["location"]  # pyright: ignore
        if place is not None and place["file"] == str(path):  # pyright: ignore
            assert 1 <= place["start"]["line"] <= len(lines)  # pyright: ignore
            width = len(lines[place["start"]["line"] - 1])  # pyright: ignore
            assert 1 <= place["start"]["column"] <= width + 1  # pyright: ignore


@pytest.mark.parametrize("file", FILES, ids=[path.stem for path in FILES])
def test_a_program_short_of_something_is_judged(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "edited.linnet"
    every = list(edits(file.read_text("utf-8")))
    chosen = every if ALL else random.Random(file.stem).sample(every, min(len(every), 16))
    for data in chosen:
        judged(data, path)


@pytest.mark.parametrize("file", FILES, ids=[path.stem for path in FILES])
def test_every_prefix_is_parsed(file: Path) -> None:
    data = file.read_bytes()
    step = 1 if ALL else max(len(data) // 40, 1)
    for end in range(0, len(data), step):
        result = parse(decode(data[:end], "x"))
        assert (result.tree is None) == bool(result.diagnostics)
