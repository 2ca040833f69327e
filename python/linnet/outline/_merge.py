"""From the calls of one function to the function: what its sizes are.

Each hole of the text has, over all calls, a column of sizes. One number throughout stays that
number; the size of an axis of a parameter is read from it; a size that goes with the instance is
an attribute; what is left is an argument. So a function holds no more than its calls tell apart.
"""

import re
from collections.abc import Callable, Sequence

from linnet.core import TensorType
from linnet.outline._framework import Framework
from linnet.outline._names import python_name, snake, unused
from linnet.outline._records import Occurrence, Size, Variant
from linnet.outline._text import DEVICE, fill, holes, skeleton
from linnet.signature import evaluate_size, names_of

_SYMBOL = re.compile(r"[A-Za-z_]\w*")
_WORDS = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
# A size of more characters is computed once, before the rest.
_LONG = 24
_DERIVED: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("{} // 2", lambda n: n // 2),
    ("2 * {}", lambda n: 2 * n),
    ("{} - 1", lambda n: n - 1),
    ("{} + 1", lambda n: n + 1),
    ("3 * {}", lambda n: 3 * n),
    ("4 * {}", lambda n: 4 * n),
)


def group(occurrences: Sequence[Occurrence]) -> list[list[Occurrence]]:
    """Part the calls of one callee by their texts."""
    groups: dict[object, list[Occurrence]] = {}
    for occurrence in occurrences:
        key = (
            tuple((p.name, p.number) for p in occurrence.params),
            tuple(occurrence.donated),
            tuple((line.depth, skeleton(line.text)) for line in occurrence.lines),
        )
        groups.setdefault(key, []).append(occurrence)
    return list(groups.values())


def merge(occurrences: list[Occurrence], name: str, framework: Framework) -> Variant:
    """The function of calls with one text."""
    first = occurrences[0]
    variant = Variant(first.callee, first.kind, name, occurrences)
    variant.params = [param.name for param in first.params]
    resolver = _Resolver(variant, framework)
    columns = list(
        zip(*([h for line in o.lines for h in holes(line.text)] for o in occurrences), strict=True)
    )
    found = iter([resolver.text(column) for column in columns])
    bodies: list[tuple[int, str, str]] = []
    for number, line in enumerate(first.lines):
        text = fill(line.text, [next(found) for _ in holes(line.text)])
        shapes = [o.lines[number].shape for o in occurrences]
        bodies.append((line.depth, text, resolver.comment(shapes)))
    bodies = [(d, _plain(t), c) for d, t, c in bodies]
    bodies = resolver.inlined(bodies)
    text = "\n".join(text for _, text, _ in bodies)
    if DEVICE in text:
        device = resolver.device()
        variant.needs_device = device == "device"
        bodies = [(d, t.replace(DEVICE, device), c) for d, t, c in bodies]
    lines = [(0, binding, "") for binding in resolver.bindings(text)] + bodies
    variant.lines = [f"{'    ' * d}{t}{f'  # {c}' if c else ''}" for d, t, c in lines]
    return variant


class _Resolver:
    def __init__(self, variant: Variant, framework: Framework) -> None:
        self._variant = variant
        self._framework = framework
        self._occurrences = variant.occurrences
        self._taken = set(variant.params) | set(framework.reserved)
        for occurrence in self._occurrences:
            for line in occurrence.lines:
                self._taken |= set(_WORDS.findall(skeleton(line.text)))
        # (parameter, axis) -> its name here; an axis counts from the end where ranks differ.
        self._axes: dict[tuple[int, int], str] = {}
        self._columns: dict[tuple[str, ...], str] = {}
        # Sizes that are computed of others before the rest, by their names.
        self._computed: dict[str, str] = {}

    def text(self, column: tuple[str, ...]) -> str:
        """What stands in the holes of this column."""
        found = self._columns.get(column)
        if found is None:
            found = self._resolve(column)
            self._columns[column] = found
        return found

    def _resolve(self, column: tuple[str, ...]) -> str:
        same = all(size == column[0] for size in column)
        if same and not _SYMBOL.search(column[0].removeprefix("-").replace("e", "")):
            return column[0]
        sizes = tuple(_whole(size) for size in column)
        axis = self._axis(sizes)
        if axis is not None:
            return axis
        if same:
            expression = self._expression(column[0])
            if expression is not None:
                return self._computed_once(expression)
        derived = self._derived(sizes) or self._linear(sizes)
        if derived is not None:
            return derived
        if self._variant.kind == "method":
            attribute = self._attribute(sizes)
            if attribute is not None:
                return attribute
        name = unused(self._generic(sizes) or "size", self._taken)
        self._taken.add(name)
        values = dict(zip(self._occurrences, sizes, strict=True))
        self._variant.sizes.append(Size(name, values))
        return name

    def _axis(self, column: tuple[str, ...]) -> str | None:
        """The axis of a parameter that has these sizes, in its name."""
        for index in range(len(self._variant.params)):
            types = [o.params[index].value.type for o in self._occurrences]
            if self._occurrences[0].params[index].number:
                continue
            ranks = {len(t.shape) for t in types}
            axes = range(ranks.pop()) if len(ranks) == 1 else range(-min(ranks), 0)
            for axis in axes:
                if all(str(t.shape[axis]) == s for t, s in zip(types, column, strict=True)):
                    return self._axis_name(index, axis, column)
        return None

    def _axis_name(self, index: int, axis: int, column: tuple[str, ...]) -> str:
        known = self._axes.get((index, axis))
        if known is not None:
            return known
        symbols = [size for size in column if _SYMBOL.fullmatch(size)]
        wanted = symbols[0] if symbols else self._generic(column) or "n"
        name = unused(python_name(wanted), self._taken)
        self._taken.add(name)
        self._axes[index, axis] = name
        return name

    def _expression(self, size: str) -> str | None:
        """An expression over sizes that can be read off."""
        number = len(self._occurrences)
        names: dict[str, str] = {}
        for name in names_of(size):
            found = self._axis((name,) * number)
            if found is None:
                return None
            names[name] = found
        return python_size(size, names)

    def _computed_once(self, expression: str) -> str:
        """A long expression as a name that is bound before the rest."""
        if len(expression) <= _LONG:
            return expression
        name = unused("size", self._taken)
        self._taken.add(name)
        self._computed[name] = expression[1:-1]
        return name

    def _derived(self, column: tuple[str, ...]) -> str | None:
        numbers = [int(size) for size in column if size.isdigit()]
        if len(numbers) < len(column):
            return None
        for form, of in _DERIVED:
            for index in range(len(self._variant.params)):
                types = [o.params[index].value.type for o in self._occurrences]
                least = min(len(t.shape) for t in types)
                for axis in range(-1, -least - 1, -1):
                    found = [t.shape[axis] for t in types]
                    if all(
                        isinstance(f, int) and of(f) == n
                        for f, n in zip(found, numbers, strict=True)
                    ):
                        same = len({len(t.shape) for t in types}) == 1
                        at = axis + least if same else axis
                        name = self._axis_name(index, at, tuple(map(str, found)))
                        return form.format(name)
        return None

    def _linear(self, column: tuple[str, ...]) -> str | None:
        """A multiple of an axis and some more, such as the eightfold of one that is `B * S`.

        Polynomials that agree at random points of a large range are equal.
        """
        if any(re.search(r"[/%]|min|max|[^\w\s*+()-]", size) for size in column):
            return None
        for index in range(len(self._variant.params)):
            if self._occurrences[0].params[index].number:
                continue
            types = [o.params[index].value.type for o in self._occurrences]
            if len({len(t.shape) for t in types}) > 1:
                continue
            for axis in range(len(types[0].shape)):
                found = tuple(str(t.shape[axis]) for t in types)
                relation = _relation(found, column)
                if relation is not None:
                    factor, more = relation
                    name = self._axis_name(index, axis, found)
                    text = name if factor == 1 else f"{factor} * {name}"
                    return (
                        f"({text} {'-' if more < 0 else '+'} {abs(more)})" if more else f"({text})"
                    )
        return None

    def _attribute(self, column: tuple[str, ...]) -> str | None:
        """A size that each instance has one of."""
        values: dict[str, str] = {}
        for occurrence, size in zip(self._occurrences, column, strict=True):
            if not _is_number(size) or values.setdefault(occurrence.path, size) != size:
                return None
        for name, known in self._variant.attributes.items():
            if known == values:
                return f"self.{name}"
        name = unused(self._generic(column) or "size", self._variant.attributes)
        self._variant.attributes[name] = values
        return f"self.{name}"

    def _generic(self, column: tuple[str, ...]) -> str | None:
        """The name of a generic that has these values."""
        for name in self._occurrences[0].generics:
            if all(
                o.generics.get(name) == size
                for o, size in zip(self._occurrences, column, strict=True)
            ):
                return snake(name)
        return None

    def inlined(self, bodies: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
        """Write a size that is used once, alone of its parameter, where it is used."""
        text = "\n".join([*(text for _, text, _ in bodies), *2 * list(self._computed.values())])
        per_param = [index for index, _ in self._axes]
        for (index, axis), name in list(self._axes.items()):
            times = len(re.findall(rf"(?<![.\w]){name}(?!\w)", text))
            param = self._occurrences[0].params[index].name
            if times == 1 and per_param.count(index) == 1 and not self._assigned(param):
                del self._axes[index, axis]
                told = self._framework.dimension(param, axis)
                word = re.compile(rf"(?<![.\w]){name}(?!\w)")
                bodies = [(d, word.sub(told, t), c) for d, t, c in bodies]
        return bodies

    def _assigned(self, name: str) -> bool:
        start = re.compile(rf"(?:.*, )?{name}(?:, .*)? = ")
        return any(start.match(line.text) for line in self._occurrences[0].lines)

    def bindings(self, text: str) -> list[str]:
        """The statements that read sizes off parameters."""
        lines: list[str] = []
        needed = list(self._computed.values())
        used = set(_WORDS.findall("\n".join([text, *needed])))
        by_param: dict[int, dict[int, str]] = {}
        for (index, axis), name in self._axes.items():
            if name in used:
                by_param.setdefault(index, {})[axis] = name
        for index, axes in by_param.items():
            param = self._occurrences[0].params[index]
            rank = len(param.value.type.shape)
            if all(axis >= 0 for axis in axes) and len(axes) > 1 and rank <= 6:
                names = [axes.get(axis, "_") for axis in range(rank)]
                lines.append(f"{', '.join(names)} = {param.name}.shape")
            else:
                lines += [
                    f"{name} = {self._framework.dimension(param.name, axis)}"
                    for axis, name in axes.items()
                ]
        lines += [f"{name} = {size}" for name, size in self._computed.items()]
        return lines

    def device(self) -> str:
        """Where new tensors are made: where a parameter lies, or as the caller says."""
        first = self._occurrences[0]
        tensors = [p for p in first.params if not p.number and p.value.type.shape]
        tensors += [p for p in first.params if not p.number and not p.value.type.shape]
        if tensors:
            return self._framework.device_of(tensors[0].name)
        if self._variant.kind != "method":
            return "device"
        paths = [o.path for o in self._occurrences]
        held = [m.path for m in first.facts.members.values()]
        own = f"{paths[0]}." if paths[0] else ""
        direct = [p[len(own) :] for p in held if p.startswith(own) and "." not in p[len(own) :]]
        if direct and all(f"{path}.{direct[0]}" in held for path in paths if path):
            return self._framework.device_of(f"self.{self._framework.member_name(direct[0])}")
        return self._framework.device_of("self")

    def comment(self, shapes: Sequence[tuple[int | str, ...] | None]) -> str:
        """A shape, as far as all calls agree on it."""
        known = [shape for shape in shapes if shape is not None]
        if not known or not any(known):
            return ""
        least = min(len(shape) for shape in known)
        ragged = any(len(shape) != least for shape in known)
        columns = [tuple(str(shape[axis]) for shape in known) for axis in range(-least, 0)]
        if ragged:
            # Which axes are the leading ones is not the same everywhere.
            while columns and len(set(columns[0])) > 1:
                del columns[0]
        parts = [*(["..."] if ragged else []), *map(self._told, columns)]
        return f"[{', '.join(parts)}]"

    def _told(self, column: tuple[str, ...]) -> str:
        if all(size == column[0] for size in column):
            return column[0]
        found = self._columns.get(column)
        if found is not None:
            return found.removeprefix("self.")
        symbols = [size for size in column if _SYMBOL.fullmatch(size)]
        return symbols[0] if symbols else self._generic(column) or "_"


def python_size(size: str, names: "dict[str, str]") -> str:
    """An expression of Linnet's as one of Python's, in parentheses where it needs them."""
    text = re.sub(r"\s*/\s*", " // ", size)
    text = _SYMBOL.sub(lambda found: names.get(found[0], found[0]), text)
    return text if _SYMBOL.fullmatch(text) or text.isdigit() else f"({text})"


_PARENTHESES = re.compile(r"(?<=[(\[,=:])( ?)\(([\w.]+(?: (?:[-+*]|//) [\w.]+)*)\)(?=[,\])])")

_PRODUCT = re.compile(r"(?<![/%] )(?<!\w)\((\w+(?: \* \w+)+)\)(?![\w.\[(])")


def _plain(text: str) -> str:
    """The text without parentheses around sizes that stand alone, and around products."""
    return _PRODUCT.sub(r"\1", _PARENTHESES.sub(r"\1\2", text))


_POINTS = (611953, 821641, 104729, 350377)


def _relation(axis: tuple[str, ...], column: tuple[str, ...]) -> tuple[int, int] | None:
    """The whole numbers `f` and `m` with `column = f * axis + m` at every call, if that shows."""
    pairs: list[tuple[int, int]] = []
    for left, right in zip(axis, column, strict=True):
        names = sorted({*names_of(left), *names_of(right)})
        if re.search(r"[/%]|min|max", left):
            return None
        for shift in range(4):
            sizes = {name: _POINTS[(n + shift) % 4] + 7 * shift for n, name in enumerate(names)}
            pairs.append((evaluate_size(left, sizes), evaluate_size(right, sizes)))
    distinct = sorted(set(pairs))
    if len(distinct) < 2 or distinct[0][0] == distinct[1][0]:
        return None
    (a, b), (c, d) = distinct[:2]
    if (d - b) % (c - a):
        return None
    factor = (d - b) // (c - a)
    more = b - factor * a
    fits = all(y == factor * x + more for x, y in distinct)
    return (factor, more) if fits and factor > 0 and abs(more) <= 64 else None


def _whole(size: str) -> str:
    """`768.0` as `768`: a size that became a number of a float type."""
    return size[:-2] if size.endswith(".0") else size


def _is_number(size: str) -> bool:
    return size.lstrip("-").replace(".", "", 1).isdigit()


def type_text(type_: TensorType) -> str:
    """`[B, S, 768]`."""
    return f"[{', '.join(map(str, type_.shape))}]"
