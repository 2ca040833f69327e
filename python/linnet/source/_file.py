"""A source file, a span of it, and the positions that people and tools count by.

Takes bytes or a path; gives a `SourceFile` whose text every later stage points into.
Offsets are code points of `text`; lines and columns are 1-based and count code points;
byte offsets are those of the file on disk, a byte-order mark included [LEX-1].
"""

import errno
import os
import stat
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

_LARGEST = 64 << 20  # Bytes; a program of a megabyte is already a long one.
_BOM = b"\xef\xbb\xbf"


class Position(NamedTuple):
    """A place in a file as machine output counts it (spec section 17)."""

    line: int
    column: int
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """The text of one file. Two files are the same only if they are one object.

    A byte that is not valid UTF-8 stands in `text` as one lone surrogate, and its code point
    offset in `invalid`, so that the lexer can point at it (`E1001`).
    """

    path: str
    text: str
    invalid: tuple[int, ...] = ()
    bom: bool = False
    _line_starts: list[int] = field(default_factory=list[int], init=False, repr=False)

    @property
    def utf8_path(self) -> str:
        """The path as MLIR takes it: bytes outside UTF-8, lone surrogates here, are escaped."""
        return self.path.encode("utf-8", "backslashreplace").decode("utf-8")

    @property
    def line_starts(self) -> list[int]:
        """Code point offsets at which the lines begin; line 1 begins at 0."""
        starts = self._line_starts
        if not starts:
            starts.append(0)
            at = self.text.find("\n")
            while at != -1:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """The 1-based line that holds a code point offset."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its line end."""
        starts = self.line_starts
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def line_column(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column, in code points, of a code point offset."""
        line = self.line_of(offset)
        return line, offset - self.line_starts[line - 1] + 1

    def position(self, offset: int) -> Position:
        """Line, column and byte offset of a code point offset."""
        line, column = self.line_column(offset)
        encoded = self.text[:offset].encode("utf-8", "surrogateescape")
        return Position(line, column, len(encoded) + (len(_BOM) if self.bom else 0))


class Span(NamedTuple):
    """A part of a file: code point offsets, `end` exclusive."""

    file: SourceFile
    start: int
    end: int

    @property
    def text(self) -> str:
        """The source text that the span covers."""
        return self.file.text[self.start : self.end]

    def to(self, other: "Span") -> "Span":
        """The span from the start of this one to the end of another in the same file."""
        return Span(self.file, self.start, other.end)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that the operating system would not give: its path and the reason."""

    path: str
    reason: str


def decode(data: bytes, path: str) -> SourceFile:
    """Return the file that `data` holds. Bytes outside UTF-8 are kept and listed [LEX-1]."""
    bom = data.startswith(_BOM)
    if bom:
        data = data[len(_BOM) :]
    try:
        return SourceFile(path, data.decode("utf-8"), bom=bom)
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        invalid = tuple(i for i, char in enumerate(text) if "\udc80" <= char <= "\udcff")
        return SourceFile(path, text, invalid, bom)


def read(path: str | Path) -> SourceFile | Unreadable:
    """Read and decode a file; the path is kept as given.

    A pipe or a device is refused: it might never end. So is a file of more than 64 MiB.
    """
    try:
        # A pipe without a writer would be waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            os.close(descriptor)
            folder = os.strerror(errno.EISDIR)
            return Unreadable(str(path), folder if stat.S_ISDIR(mode) else "not a regular file")
        with open(descriptor, "rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            return Unreadable(str(path), f"larger than {_LARGEST >> 20} MiB")
        return decode(data, str(path))
    except OSError as error:
        return Unreadable(str(path), error.strerror or type(error).__name__)
    except ValueError as error:  # a NUL byte in the path
        return Unreadable(str(path), str(error))
