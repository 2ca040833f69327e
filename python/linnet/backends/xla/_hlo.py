"""Reads the text of an optimised HLO module, as far as the flow of values needs it.

The text is what an executable's `hlo_modules()[0].to_string()` gives: one instruction a line, the
computations before those that call them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

Path = tuple[int, ...]

_COMPUTATION = re.compile(r"^(ENTRY )?%([\w.-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"^\s+(ROOT )?%([\w.-]+) = (.*)$")
_ARRAY = re.compile(r"([a-z]\w*)\[([\d,<= ]*)\]")
_NAME = re.compile(r"%([\w.-]+)")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition)=%([\w.-]+)")
_BRANCHES = re.compile(r"\b(?:branch_computations=\{([^}]*)\}|true_computation=%([\w.-]+))")
_FALSE = re.compile(r"\bfalse_computation=%([\w.-]+)")
_ALIAS = re.compile(r"\{([\d, ]*)\}: \((\d+), \{([\d, ]*)\}")
_LINE = re.compile(r'source_file="([^"]*)".*?source_line=(\d+)')


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; `counts` has the number of elements of each array of its result."""

    name: str
    opcode: str
    operands: tuple[str, ...]
    counts: Mapping[Path, int]
    attributes: str
    argument: str

    @property
    def index(self) -> int:
        """The number of a parameter or of an element taken from a tuple."""
        if self.opcode == "parameter":
            return int(self.argument)
        found = re.search(r"\bindex=(\d+)", self.attributes)
        return int(found[1]) if found else 0

    @property
    def called(self) -> dict[str, str]:
        """The computations it runs, by the attribute that names them."""
        return dict(_CALLED.findall(self.attributes))

    @property
    def branches(self) -> list[str]:
        """The computations of a conditional, in order."""
        found = _BRANCHES.search(self.attributes)
        if found is None:
            return []
        if found[1] is not None:
            return _NAME.findall(found[1])
        return [found[2], *_FALSE.findall(self.attributes)]

    @property
    def aliases(self) -> list[tuple[Path, int]]:
        """Which arrays of the result lie in the memory of which operands."""
        _, _, text = self.attributes.partition("output_to_operand_aliasing=")
        return [(_path(out), int(operand)) for out, operand, _ in _ALIAS.findall(text)]

    @property
    def line(self) -> int | None:
        """The line of the program that it comes from."""
        found = _LINE.search(self.attributes)
        return int(found[2]) if found and found[1] not in ("", "-") else None


@dataclass(frozen=True, slots=True)
class Computation:
    """Instructions in the order of their text; the last word is `root`'s."""

    instructions: tuple[Instruction, ...]
    root: str

    def find(self, name: str) -> Instruction | None:
        """Return an instruction by its name."""
        return next((each for each in self.instructions if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Hlo:
    """A module. `aliases` are the results that lie in the memory of parameters."""

    entry: Computation
    computations: Mapping[str, Computation]
    aliases: Mapping[Path, int]


def read_hlo(text: str) -> Hlo:
    """Return the module; ValueError for a text that has no entry."""
    computations: dict[str, Computation] = {}
    entry: Computation | None = None
    name, is_entry, root = "", False, ""
    body: list[Instruction] = []
    for line in text.splitlines():
        if opened := _COMPUTATION.match(line):
            name, is_entry, root, body = opened[2], opened[1] is not None, "", []
        elif line.startswith("}"):
            computations[name] = Computation(tuple(body), root)
            if is_entry:
                entry = computations[name]
        elif found := _INSTRUCTION.match(line):
            body.append(_instruction(found[2], found[3]))
            if found[1] is not None:
                root = found[2]
    if entry is None:
        raise ValueError("the text has no entry computation")
    return Hlo(entry, computations, _aliases(text.partition("\n")[0]))


def _aliases(header: str) -> dict[Path, int]:
    _, found, rest = header.partition("input_output_alias={")
    if not found:
        return {}
    end = _closing(rest, 0, "{", "}", depth=1)
    return {_path(out): int(number) for out, number, _ in _ALIAS.findall(rest[:end])}


def _instruction(name: str, text: str) -> Instruction:
    end = _closing(text, 0, "(", ")") + 1 if text.startswith("(") else text.index(" ")
    counts, rest = _counts(text[:end]), text[end:].strip()
    opcode, _, tail = rest.partition("(")
    close = _closing(tail, 0, "(", ")", depth=1)
    argument = tail[:close]
    operands = tuple(_NAME.findall(argument)) if opcode != "constant" else ()
    return Instruction(name, opcode, operands, counts, tail[close + 1 :], argument)


def _closing(text: str, start: int, opens: str, closes: str, depth: int = 0) -> int:
    """Return where the bracket closes that is open `depth` deep at `start`."""
    for at in range(start, len(text)):
        if text[at] == opens:
            depth += 1
        elif text[at] == closes:
            depth -= 1
            if depth == 0:
                return at
    return len(text)


def _counts(type_: str) -> dict[Path, int]:
    """Return the elements of each array of a type, `f32[2,3]{1,0}` or a tuple of such."""
    counts: dict[Path, int] = {}
    if not type_.startswith("("):
        found = _ARRAY.match(type_)
        if found is not None:
            counts[()] = prod(int(size.strip("<= ")) for size in found[2].split(",") if size)
        return counts
    for number, part in enumerate(_parts(type_[1:-1])):
        counts.update({(number, *path): count for path, count in _counts(part).items()})
    return counts


def _parts(text: str) -> list[str]:
    parts, depth, start = list[str](), 0, 0
    text = re.sub(r"/\*.*?\*/", "", text)
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()] if text.strip() else parts


def _path(text: str) -> Path:
    return tuple(int(number) for number in text.split(",") if number.strip())
