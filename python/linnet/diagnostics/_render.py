"""The one renderer: a diagnostic as people read it, in a terminal or a log."""

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TextIO

from linnet.diagnostics._codes import Severity
from linnet.diagnostics._columns import draw
from linnet.diagnostics._diagnostic import Diagnostic, Edit, Label, Witness
from linnet.diagnostics._suggestion import changed_lines
from linnet.source import SourceFile

_PAGE = 100  # Columns of all but titles and the user's own lines.
_WIDTH = _PAGE - 6  # The same behind a gutter.


@dataclass(frozen=True, slots=True)
class _Ink:
    """How each kind of text begins, and how any of them ends. Empty without colour."""

    error: str = ""
    warning: str = ""
    note: str = ""
    gutter: str = ""
    bold: str = ""
    added: str = ""
    end: str = ""


_PLAIN = _Ink()
_COLOUR = _Ink(
    "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;34m", "\x1b[1m", "\x1b[1;32m", "\x1b[0m"
)


@dataclass(frozen=True, slots=True)
class _Mark:
    """One underline of one printed line, in terminal columns."""

    start: int
    end: int
    primary: bool
    text: str


def wants_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to colour what goes to a stream: terminals only, and never under NO_COLOR."""
    return not environ.get("NO_COLOR") and environ.get("TERM") != "dumb" and stream.isatty()


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning`; empty when there is nothing to count."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counts = [
        f"{count} {severity}{'' if count == 1 else 's'}"
        for severity in (Severity.ERROR, Severity.WARNING)
        if (count := severities.count(severity))
    ]
    return ", ".join(counts)


def render_all(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """All diagnostics, a blank line between them; empty when there are none."""
    return "\n".join(render(diagnostic, colour=colour) for diagnostic in diagnostics)


def render(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """One diagnostic with its snippets, notes and help; ends with a line end."""
    ink = _COLOUR if colour else _PLAIN
    severity = diagnostic.severity
    tint = ink.error if severity is Severity.ERROR else ink.warning
    lines = [
        f"{tint}{severity}[{diagnostic.code}]{ink.end}{ink.bold}: {diagnostic.message}{ink.end}"
    ]

    separate = list(diagnostic.related)
    width = 0
    if diagnostic.primary is not None:
        file = diagnostic.primary.span.file
        beside = [label for label in diagnostic.also if label.span.file is file]
        separate[:0] = [label for label in diagnostic.also if label.span.file is not file]
        snippet, width = _snippet(diagnostic.primary, beside, tint, ink)
        lines += snippet
    else:
        separate[:0] = diagnostic.also

    notes = list(diagnostic.notes)
    if diagnostic.witness:
        notes.insert(0, f"fails for {diagnostic.fails or _witness(diagnostic.witness)}")
    remarks = [("note", note) for note in notes]
    if diagnostic.help is not None:
        remarks.append(("help", diagnostic.help))
    margin = " " * (width + 1)
    for kind, text in remarks:
        head, *rest = _folded(text, _PAGE - len(margin) - len(kind) - 4)
        lines.append(f"{margin}{ink.gutter}={ink.end} {ink.bold}{kind}{ink.end}: {head}")
        lines += [f"{margin}{' ' * (len(kind) + 4)}{line}" for line in rest]
    # An edit of the underlined text alone is told by its help line.
    if diagnostic.edit is not None and not _renames(diagnostic):
        lines += _change(diagnostic.edit, width, ink)

    for label in separate:
        title = label.text or "see here"
        lines.append(f"{ink.note}note{ink.end}{ink.bold}: {title}{ink.end}")
        lines += _snippet(Label(label.span), [], ink.note, ink)[0]
    return "".join(f"{_encodable(line.rstrip())}\n" for line in lines)


def _folded(text: str, width: int) -> list[str]:
    """The lines of a remark, long ones broken between words; what is quoted stays together."""
    out: list[str] = []
    for line in text.splitlines() or [""]:
        if len(line) <= width or not line[0].isalpha():
            out.append(line)
            continue
        kept = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), line)
        broken = textwrap.wrap(kept, width, break_long_words=False, break_on_hyphens=False)
        out += [part.replace("\0", " ") for part in broken]
    return out


def _witness(witness: Witness) -> str:
    return ", ".join(
        f"{name} = {size if isinstance(size, int) else list(size)}"
        for name, size in witness.items()
    )


def _snippet(primary: Label, beside: list[Label], tint: str, ink: _Ink) -> tuple[list[str], int]:
    """The `-->` line and the source lines with their underlines, and the gutter's width."""
    file = primary.span.file
    line, column = file.line_column(primary.span.start)
    marks: dict[int, list[tuple[Label, bool]]] = {line: [(primary, True)]}
    for label in beside:
        marks.setdefault(file.line_of(label.span.start), []).append((label, False))

    width = len(str(max(marks)))
    bar = f"{ink.gutter}|{ink.end}"
    out = [
        f"{' ' * width}{ink.gutter}-->{ink.end} {file.path}:{line}:{column}",
        f"{' ' * width} {bar}",
    ]
    previous = None
    for number in sorted(marks):
        if previous is not None and number == previous + 2:
            between = draw(file.line_text(number - 1), 0).text
            out.append(f"{ink.gutter}{number - 1:>{width}}{ink.end} {bar} {between}")
        elif previous is not None and number > previous + 2:
            out.append(f"{ink.gutter}...{ink.end}")
        text, places = _place(file, number, marks[number])
        out.append(f"{ink.gutter}{number:>{width}}{ink.end} {bar} {text}")
        out += [f"{' ' * width} {bar} {line}" for line in _underlines(places, tint, ink)]
        previous = number
    return out, width


def _renames(diagnostic: Diagnostic) -> bool:
    edit, primary = diagnostic.edit, diagnostic.primary
    return edit is not None and primary is not None and edit.span == primary.span


def _change(edit: Edit, width: int, ink: _Ink) -> list[str]:
    """What the edited lines become, with `+` below what is new."""
    changed = list(changed_lines(edit))
    width = max(width, *(len(str(line.number)) for line in changed))
    bar = f"{ink.gutter}|{ink.end}"
    out = [f"{' ' * width} {bar}"]
    for line in changed:
        sign = {"old": "-", "new": "+", "part": "|"}[line.kind]
        tint = {"old": ink.error, "new": ink.added, "part": ink.gutter}[line.kind]
        drawn = draw(line.text, 0)
        out.append(
            f"{ink.gutter}{line.number:>{width}}{ink.end} {tint}{sign}{ink.end} {drawn.text}"
        )
        if line.kind == "part":
            first, last = drawn.column(line.start), drawn.column(line.end)
            marks = f"{' ' * first}{ink.added}{'+' * max(last - first, 1)}{ink.end}"
            out.append(f"{' ' * width} {bar} {marks}")
    return out


def _place(
    file: SourceFile, number: int, labels: list[tuple[Label, bool]]
) -> tuple[str, list[_Mark]]:
    """The printed line, and its labels in terminal columns. A span ends with its first line."""
    start = file.line_starts[number - 1]
    source = file.line_text(number)
    drawn = draw(source, labels[0][0].span.start - start)
    marks: list[_Mark] = []
    for label, primary in labels:
        first = min(label.span.start - start, len(source))
        last = min(label.span.end - start, len(source))
        column = drawn.column(first)
        end = max(drawn.column(last), column + 1)
        marks.append(_Mark(column, end, primary, label.text))
    return drawn.text, marks


def _underlines(marks: list[_Mark], tint: str, ink: _Ink) -> list[str]:
    """The line of underlines with the last label beside it, then the other labels below.

    A label below hangs from a bar; the rightmost one comes first, so that no text crosses
    a bar.
    """
    ordered = sorted(marks, key=lambda mark: (mark.start, mark.primary))
    cells: dict[int, tuple[str, str]] = {}
    for mark in sorted(marks, key=lambda mark: mark.primary):
        sign = ("^", tint) if mark.primary else ("-", ink.gutter)
        for column in range(mark.start, mark.end):
            cells[column] = sign

    last = ordered[-1]
    # A longer underline would run through the text, and a long text would leave the page.
    beside = max(cells) == last.end - 1
    beside = beside and (last.end + 1 + len(last.text) <= _WIDTH or not last.start)
    first = _draw_cells(cells, ink)
    if beside and last.text:
        first += f" {_tinted(last, tint, ink)}"
    hanging = [mark for mark in (ordered[:-1] if beside else ordered) if mark.text]

    lines = [first]
    bars = [mark for mark in hanging if mark.start + len(mark.text) <= _WIDTH or len(hanging) > 1]
    if bars:
        lines.append(_draw_cells(_bars(bars, tint, ink), ink))
    while hanging:
        mark = hanging.pop()
        left = _bars([other for other in hanging if other.start < mark.start], tint, ink)
        row = _draw_cells(left, ink)
        reach = max(left, default=-1) + 1
        # A text that would leave the page moves to the left, up to the bars there.
        start = min(mark.start, max(_WIDTH - len(mark.text), reach + 1 if left else 0))
        lines.append(f"{row}{' ' * (start - reach)}{_tinted(mark, tint, ink)}")
    return lines


def _bars(marks: list[_Mark], tint: str, ink: _Ink) -> dict[int, tuple[str, str]]:
    return {mark.start: ("|", tint if mark.primary else ink.gutter) for mark in marks}


def _tinted(mark: _Mark, tint: str, ink: _Ink) -> str:
    return f"{tint if mark.primary else ink.gutter}{mark.text}{ink.end}"


def _draw_cells(cells: dict[int, tuple[str, str]], ink: _Ink) -> str:
    """Characters at their columns; neighbours of one colour share one escape sequence."""
    row = [cells.get(column, (" ", "")) for column in range(max(cells, default=-1) + 1)]
    out: list[str] = []
    for tint, run in groupby(row, key=lambda cell: cell[1]):
        text = "".join(char for char, _ in run)
        out.append(f"{tint}{text}{ink.end}" if tint else text)
    return "".join(out)


def _encodable(line: str) -> str:
    """Text that any UTF-8 stream takes: stray bytes become the replacement character."""
    return line.encode("utf-8", "replace").decode("utf-8")
