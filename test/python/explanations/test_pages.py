"""Each page's first program has the problem and nothing else; the second one has none."""

import re
from pathlib import Path

import pytest

from linnet.compiler import check_path
from linnet.diagnostics import CODES, Diagnostic
from linnet.explanations import Sources, explanation, explanations, main_file
from linnet.formatter import format_source
from linnet.source import decode

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "python" / "linnet" / "explanations" / "pages"
REFERENCE = ROOT.parent / "shared" / "spec" / "language.md"


def diagnose(sources: Sources, folder: Path) -> tuple[Diagnostic, ...]:
    """All that checking a program of a page says, warnings and proofs included."""
    for path, text in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return check_path(folder / main_file(sources)).diagnostics


@pytest.mark.parametrize("code", CODES)
def test_the_first_program_has_the_problem_and_no_other(code: str, tmp_path: Path) -> None:
    found = diagnose(explanation(code).wrong, tmp_path)
    assert [one.code for one in found] == [code], [one.message for one in found]


@pytest.mark.parametrize("code", CODES)
def test_the_repaired_program_is_accepted_without_a_warning(code: str, tmp_path: Path) -> None:
    assert [(one.code, one.message) for one in diagnose(explanation(code).right, tmp_path)] == []


@pytest.mark.parametrize("code", CODES)
def test_the_programs_are_in_the_style_of_the_formatter(code: str) -> None:
    page = explanation(code)
    for path, text in (*page.wrong.items(), *page.right.items()):
        if path.endswith(".linnet"):
            formatted = format_source(decode(text.encode(), path)).text
            assert formatted in (None, text)  # None where the syntax is what is wrong.
            assert max(map(len, text.splitlines())) <= 100


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in PAGES.iterdir()} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_page_explains(code: str) -> None:
    page = explanation(code)
    sentences = re.findall(r"[.?!](?:\s|$)", " ".join(page.paragraphs))
    assert len(sentences) >= 2
    assert page.related == tuple(dict.fromkeys(page.related))
    assert page.code not in page.related
    assert set(page.related) <= set(CODES)
    assert page.wrong.keys() == page.right.keys()


def test_every_rule_that_a_page_names_is_in_the_reference() -> None:
    if not REFERENCE.exists():
        pytest.skip("the language reference is not beside the checkout")
    labels = set(re.findall(r"\*\*\[([A-Z]+-\d+)\]", REFERENCE.read_text("utf-8")))
    # Sections 3.1, 16 and 17 have rules without labels.
    named = {rule for page in explanations() for rule in page.rules}
    assert named <= labels
