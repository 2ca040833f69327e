"""What an outline holds: calls of functions, and the functions that they share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.core import Op, Region, Value
from linnet.outline._analysis import Facts
from linnet.signature import Shape


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body with holes; `shape` is that of the value it names, to be told beside it."""

    depth: int
    text: str
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter; `number` is one that is given as a Python number."""

    name: str
    value: Value
    number: bool = False


@dataclass(eq=False)
class Occurrence:
    """One call in CORE: a scope, or an entry as a whole.

    `extras` are values from outside that its text needs and that are no members. `donated` are the
    operands that it may change.
    """

    callee: str
    kind: str
    path: str
    region: Region
    facts: Facts
    op: Op | None = None
    names: tuple[str, ...] = ()
    generics: Mapping[str, str] = field(default_factory=dict[str, str])
    extras: tuple[Value, ...] = ()
    numbers: frozenset[int] = frozenset()
    donated: Mapping[int, str] = field(default_factory=dict[int, str])
    versions: Mapping[Value, str] = field(default_factory=dict[Value, str])
    params: tuple[Param, ...] = ()
    lines: list[Line] = field(default_factory=list[Line])
    returned: int = 0
    aliases: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """A size that callers give: its name, and what it is at each call."""

    name: str
    values: Mapping[Occurrence, str]


@dataclass(eq=False)
class Variant:
    """A function that all its occurrences call.

    `name` is what Python calls it. `sizes` are further arguments; `attributes` are sizes that
    the instance holds, by the paths of the instances. `lines` have no holes left.
    """

    callee: str
    kind: str
    name: str
    occurrences: list[Occurrence]
    params: list[str] = field(default_factory=list[str])
    sizes: list[Size] = field(default_factory=list[Size])
    attributes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    lines: list[str] = field(default_factory=list[str])
    needs_device: bool = False
    defaults: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def writes(self) -> bool:
        """Whether a call changes states."""
        return any(occurrence.writes for occurrence in self.occurrences)
