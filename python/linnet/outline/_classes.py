"""The tree of instances, and the classes that they share.

An instance is a node of the paths of members and calls. Instances of one block whose constructors
and methods read the same, but for numbers, are of one class; those numbers are arguments of its
constructor.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linnet.outline._calls import Calls
from linnet.outline._names import camel, python_name, snake, unused
from linnet.outline._records import Occurrence, Variant
from linnet.outline._text import fill, hole, holes, skeleton
from linnet.signature import Member


@dataclass(eq=False)
class Instance:
    """A node: its members and its parts by name, in the order of the program."""

    path: str
    block: str
    members: dict[str, Member] = field(default_factory=dict[str, Member])
    parts: dict[str, "Instance"] = field(default_factory=dict[str, "Instance"])
    is_array: bool = False
    generics: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a constructor: what it gives a name, as text with its sizes filled in.

    `kind` is `param`, `buffer`, `state`, `part` or `array`; `shape` that of a member, `dtype` its
    dtype; `classes` the class of a part, `arguments` its arguments; `count` the length of an array
    of instances that are alike, and `items` the calls that make those of one whose are not.
    """

    name: str
    kind: str
    dtype: str = ""
    shape: tuple[str, ...] = ()
    made: str = ""
    count: int = 0
    items: tuple[str, ...] = ()


@dataclass(eq=False)
class Class:
    """A class: `block` is the source's name for it, `arguments` those of its constructor."""

    name: str
    block: str
    instances: list[Instance]
    arguments: list[str]
    parts: list[Part]
    methods: list[Variant]
    values: dict[Instance, list[str]]

    @property
    def kept(self) -> list[str]:
        """The arguments that methods read, so that the constructor keeps them."""
        return [n for n in self.arguments for m in self.methods if n in m.attributes]


def tree_of(calls: Calls) -> Instance:
    """The instances by the paths of members and of calls."""
    entries = list(calls.entries.values())
    root = Instance("", entries[0].callee.rpartition(".")[0] if entries else "")
    for entry in entries:
        signature = entry.facts.function.signature
        for member in (*signature.params, *signature.states):
            parent, _, name = member.path.rpartition(".")
            _node(root, parent).members.setdefault(name, member)
    for variant in calls.variants:
        for occurrence in variant.occurrences:
            if occurrence.kind == "method" and occurrence.op is not None:
                node = _node(root, occurrence.path)
                node.block = occurrence.callee.rpartition(".")[0]
                node.generics = occurrence.generics
    root.generics = entries[0].generics if entries else {}
    return root


def _node(root: Instance, path: str) -> Instance:
    node = root
    for at, part in enumerate(path.split(".") if path else []):
        whole = ".".join(path.split(".")[: at + 1])
        if part.isdigit():
            node.is_array = True
        node = node.parts.setdefault(part, Instance(whole, ""))
    return node


def classes_of(calls: Calls, root: Instance) -> list[Class]:
    """The classes, parts before what holds them."""
    methods: dict[str, dict[str, list[Variant]]] = {}
    for variant in calls.variants:
        if variant.kind == "method":
            for occurrence in variant.occurrences:
                found = methods.setdefault(occurrence.path, {}).setdefault(variant.callee, [])
                if variant not in found:
                    found.append(variant)
    maker = _Maker(calls, methods)
    maker.make(root)
    return maker.finished()


@dataclass(eq=False)
class _Draft:
    """What an instance needs of its class, with holes."""

    instance: Instance
    parts: list[Part]
    methods: list[Variant]

    def key(self) -> object:
        def emptied(part: Part) -> object:
            return (
                part.name,
                part.kind,
                part.dtype,
                len(part.shape),
                skeleton(part.made),
                tuple(map(skeleton, part.items)),
            )

        return tuple(emptied(part) for part in self.parts)

    def holes(self) -> list[str]:
        found: list[str] = []
        for part in self.parts:
            found += list(part.shape)
            found += holes(part.made)
            if part.kind == "array":
                found.append(str(part.count))
            for item in part.items:
                found += holes(item)
        return found


class _Maker:
    def __init__(self, calls: Calls, methods: dict[str, dict[str, list[Variant]]]) -> None:
        self._calls = calls
        self._methods = methods
        self._classes: list[Class] = []
        self._of: dict[Instance, Class] = {}
        self._names: set[str] = set(calls.framework.reserved) | set(calls.function_names)

    def finished(self) -> list[Class]:
        return self._classes

    def make(self, root: Instance) -> None:
        """Make the classes of all nodes, the lowest first."""
        levels: dict[int, list[Instance]] = {}
        _height(root, levels)
        for level in sorted(levels):
            groups: dict[object, list[_Draft]] = {}
            for node in levels[level]:
                draft = self._draft(node)
                label = node.block or f"?{node.path.rpartition('.')[2]}"
                for key, drafts in groups.items():
                    if key[0] == (label, draft.key()) and _fit(drafts, draft):  # type: ignore[index]
                        drafts.append(draft)
                        break
                else:
                    groups[((label, draft.key()), len(groups))] = [draft]
            for drafts in groups.values():
                self._class(drafts)

    def _draft(self, node: Instance) -> _Draft:
        python_name = self._calls.framework.member_name
        parts: list[Part] = []
        for name, member in node.members.items():
            shape = tuple(map(str, member.shape))
            parts.append(Part(python_name(name), member.kind, member.dtype, shape))
        for name, child in node.parts.items():
            if child.is_array:
                made = [self._call(item) for _, item in sorted(child.parts.items(), key=_number)]
                if all(text == made[0] for text in made):
                    parts.append(Part(python_name(name), "array", made=made[0], count=len(made)))
                else:
                    parts.append(
                        Part(python_name(name), "array", items=tuple(made), count=len(made))
                    )
            else:
                parts.append(Part(python_name(name), "part", made=self._call(child)))
        methods = [v for found in self._methods.get(node.path, {}).values() for v in found]
        return _Draft(node, parts, methods)

    def _call(self, child: Instance) -> str:
        made = self._of[child]
        values = made.values[child]
        given = [hole(value) for value in values]
        if len(given) > 2:
            given = [f"{n}={v}" for n, v in zip(made.arguments, given, strict=True)]
        return f"{made.name}({', '.join(given)})"

    def _class(self, drafts: list[_Draft]) -> None:
        first = drafts[0].instance
        wanted = first.block.rpartition("::")[2] or camel(_last_name(first.path))
        name = unused(python_name(wanted), self._names)
        self._names.add(name)
        methods = list(dict.fromkeys(v for draft in drafts for v in draft.methods))
        resolver = _Columns(drafts, methods)
        columns = list(zip(*(draft.holes() for draft in drafts), strict=True))
        texts = iter([resolver.text(column) for column in columns])
        parts: list[Part] = []
        for part in drafts[0].parts:
            shape = tuple(next(texts) for _ in part.shape)
            made = fill(part.made, [next(texts) for _ in holes(part.made)])
            if part.kind == "array":
                next(texts)
            items = tuple(fill(i, [next(texts) for _ in holes(i)]) for i in part.items)
            parts.append(Part(part.name, part.kind, part.dtype, shape, made, part.count, items))
        # Sizes of members before those that only methods read.
        read = {name for method in methods for name in method.attributes}
        read -= {word for part in parts for word in _words(part)}
        arguments = sorted(resolver.values, key=lambda name: name in read)
        values = {
            draft.instance: [resolver.values[n][at] for n in arguments]
            for at, draft in enumerate(drafts)
        }
        made_class = Class(
            name,
            first.block,
            [draft.instance for draft in drafts],
            arguments,
            parts,
            methods,
            values,
        )
        self._classes.append(made_class)
        for draft in drafts:
            self._of[draft.instance] = made_class


def _words(part: Part) -> set[str]:
    return set(re.findall(r"\w+", " ".join((*part.shape, part.made, *part.items))))


class _Columns:
    """The arguments of a constructor: `values` are, by name, those of each instance."""

    def __init__(self, drafts: Sequence[_Draft], methods: Sequence[Variant]) -> None:
        self._drafts = drafts
        self.values: dict[str, list[str]] = {}
        for method in methods:
            for name, by_path in method.attributes.items():
                values = [by_path.get(draft.instance.path, "0") for draft in drafts]
                self.values[name] = values

    def text(self, column: tuple[str, ...]) -> str:
        if all(size == column[0] for size in column):
            return column[0]
        for name, values in self.values.items():
            if tuple(values) == column:
                return name
        for name, values in self.values.items():
            for factor in (2, 3, 4):
                if all(_times(v, factor) == size for v, size in zip(values, column, strict=True)):
                    return f"{factor} * {name}"
        name = unused(self._generic(column) or "size", self.values)
        self.values[name] = list(column)
        return name

    def _generic(self, column: tuple[str, ...]) -> str | None:
        for name in self._drafts[0].instance.generics:
            if all(
                draft.instance.generics.get(name) == size
                for draft, size in zip(self._drafts, column, strict=True)
            ):
                return snake(name)
        return None


def _times(text: str, factor: int) -> str:
    return str(int(text) * factor) if text.isdigit() else ""


def _fit(drafts: Sequence[_Draft], draft: _Draft) -> bool:
    """Whether a class can hold this instance's methods beside those that it has."""
    known = {v.name: v for other in drafts for v in other.methods}
    return all(known.get(v.name, v) is v for v in draft.methods)


def _height(node: Instance, levels: dict[int, list[Instance]]) -> int:
    heights = [_height(child, levels) for child in node.parts.values()]
    if node.is_array:
        return max(heights, default=0)
    height = 1 + max(heights, default=0)
    levels.setdefault(height, []).append(node)
    return height


def _number(item: tuple[str, Instance]) -> int:
    return int(item[0])


def _last_name(path: str) -> str:
    names = [part for part in path.split(".") if not part.isdigit()]
    return names[-1] if names else "Model"


__all__ = ["Class", "Instance", "Occurrence", "Part", "classes_of", "tree_of"]
