"""An edit as lines: what a reader has to see of it, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from linnet.diagnostics._diagnostic import Edit


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line around an edit, numbered as in the file it stands in, before or after.

    Of a `part` line, only the code points from `start` to `end` are new.
    """

    kind: Literal["old", "new", "part"]
    number: int
    text: str
    start: int = 0
    end: int = 0


def changed_lines(edit: Edit) -> Iterator[ChangedLine]:
    """The lines that an edit takes away, then those it makes."""
    file, start, end = edit.span
    first, last = file.line_of(start), file.line_of(end)
    begin = file.line_starts[first - 1]
    before = file.text[begin:start]
    after = file.line_text(last)[end - file.line_starts[last - 1] :]
    made = f"{before}{edit.replacement}{after}".replace("\r\n", "\n").split("\n")
    if start == end and len(made) == 1:
        yield ChangedLine("part", first, made[0], len(before), len(before) + len(edit.replacement))
        return
    gone = [file.line_text(number) for number in range(first, last + 1)]
    # A line that stays as it was at either edge is context and not told.
    head = next(
        (
            at
            for at, pair in enumerate(zip(gone, made, strict=False))
            if pair[0].rstrip() != pair[1].rstrip()
        ),
        min(len(gone), len(made)),
    )
    gone, made, first = gone[head:], made[head:], first + head
    while gone and made and gone[-1].rstrip() == made[-1].rstrip():
        gone, made = gone[:-1], made[:-1]
    for at, text in enumerate(gone):
        yield ChangedLine("old", first + at, text)
    for at, text in enumerate(made):
        yield ChangedLine("new", first + at, text)
