"""Valid programs broken in one place: each is refused there.

What is broken, and why that is wrong whatever the rest of the program is, says
`generate/_break.py`. For a `where` that is taken away no refusal may be needed; then every claim
must hold without it, so whatever sizes satisfy what is left must lower.
`LINNET_ROBUSTNESS=all` takes every break of every program.
"""

import itertools
import os
import random
import re
from pathlib import Path

import pytest
from generate._break import Break, breaks
from generate._numbers import Unwanted
from generate._program import write_program

from linnet.compiler import Checked, Request, check_path, declared_entries, lower
from linnet.diagnostics import Severity
from linnet.errors import ProgramError, UsageError
from linnet.source import decode
from linnet.syntax import parse

ROOT = Path(__file__).resolve().parents[3]
ALL = os.environ.get("LINNET_ROBUSTNESS") == "all"
FILES = sorted(
    [
        *ROOT.glob("test/conformance/accept/*.linnet"),
        *ROOT.glob("examples/**/*.linnet"),
        *ROOT.glob("python/linnet/std/**/*.linnet"),
    ]
)
EACH = 100_000 if ALL else 2


def judged(each: Break, path: Path) -> None:
    """Check one broken program against what must become of it."""
    if parse(decode(each.text.encode(), "x")).tree is None:
        return  # The edit met parentheses that a span leaves out.
    path.write_text(each.text, encoding="utf-8")
    found = check_path(path)
    errors = [one for one in found.diagnostics if one.severity is Severity.ERROR]
    if any(one.code == "E1202" for one in errors):
        return  # An import of the package that the program was taken out of.
    if not errors and not each.must_be_needed:
        instantiated(found, each)
        return
    assert errors, f"{each.kind}: accepted\n{each.text}"
    codes = [one.code for one in errors]
    assert set(codes) & each.codes, f"{each.kind}: {codes}, not {sorted(each.codes)}\n{each.text}"
    if each.must_be_needed:
        places = [(o.primary.span.start, o.primary.span.end) for o in errors if o.primary]
        assert any(start <= each.end and end >= each.start for start, end in places), (
            f"{each.kind}: at {places}, not within {each.start}..{each.end}\n{each.text}"
        )


def instantiated(found: Checked, each: Break) -> None:
    """Lower the entries at small sizes: only a fact may fail, and a dimension be negative."""
    assert found.emitted is not None
    emitted = found.emitted
    for entry in declared_entries(emitted.module):
        generics = {**dict(entry.root_generics), **dict(entry.generics)}
        kinds = [generics[name] for name in generics]
        if any(kind == "Shape" for kind in kinds) or len(generics) > 4:
            continue
        choices = [range(4) if kind == "Dim" else ("f32",) for kind in kinds]
        for values in itertools.islice(itertools.product(*choices), 24):
            bound = dict(zip(generics, values, strict=True))
            try:
                lower(emitted, Request(entry.root, [entry.name], bound), found.sources)
            except ProgramError as error:
                codes = {one.code for one in error.diagnostics}
                assert codes <= {"E2206", "E2208"}, f"{each.kind} at {bound}: {codes}\n{each.text}"
            except UsageError:
                break


@pytest.mark.parametrize("file", FILES, ids=[path.stem for path in FILES])
def test_a_broken_program_is_refused_in_its_place(file: Path, tmp_path: Path) -> None:
    every = list(breaks(file.read_text("utf-8")))
    choose = random.Random(file.stem)
    for each in choose.sample(every, min(len(every), EACH)):
        judged(each, tmp_path / "broken.linnet")


@pytest.mark.parametrize("seed", range(2000 if ALL else 25))
def test_a_broken_generated_program_is_refused_in_its_place(seed: int, tmp_path: Path) -> None:
    choose = random.Random(seed)
    try:
        program = write_program(choose.randrange)
    except Unwanted:
        pytest.skip("no program of this seed")
    every = list(breaks(program.text))
    for each in choose.sample(every, min(len(every), 3)):
        judged(each, tmp_path / "broken.linnet")


def test_every_kind_of_break_is_made() -> None:
    kinds = {each.kind for file in FILES for each in breaks(file.read_text("utf-8"))}
    assert len(kinds) == len(set(re.findall(r'self\.(?:edited|grown)\(\s*"([^"]+)"', _source())))


def _source() -> str:
    return (ROOT / "test" / "python" / "generate" / "_break.py").read_text("utf-8")
