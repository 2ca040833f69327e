"""Refused claims in words: both sides as the user wrote them, where each came from, and why.

Takes the record of a claim and the prover's answer; gives a diagnostic. What would settle the
claim is handed on as `missing`, for whoever tries it on the program.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from linnet.checker._claims import (
    Axis,
    Binding,
    BoundNotNegative,
    Broadcasts,
    Claim,
    CountsAgree,
    DivisorPositive,
    ExtentsAgree,
    InRange,
    JoinAgrees,
    RangeForward,
    ShapesAgree,
    WhereHolds,
)
from linnet.checker._dims import Dim, Outcome, as_constant, parsed, show_dim
from linnet.diagnostics import Diagnostic, Edit, Label
from linnet.source import Span

_WIDEST = 86  # A longer title would leave the page; its shapes stand below it.


def refuse(claim: Claim, outcome: Outcome, others: Sequence[Outcome] = ()) -> Diagnostic:
    """Word the refusal of a claim that the prover refuted or could not settle.

    `others` are the further claims of the same record that failed with it.
    """
    code, message, primary, also, notes = _parts(claim, outcome, others)
    if outcome.is_cut_short:
        notes.insert(0, "this is too large to decide; a `where` line that says the same settles it")
    elif outcome.status == "unknown" and parsed(outcome.claim) is not None:
        notes.insert(0, "no sizes are known that break it, yet nothing that is known proves it")
    seen: dict[Span, Label] = {}
    for label in also:
        if label.span != primary.span:
            seen.setdefault(label.span, label)
    return Diagnostic(
        code,
        message,
        primary,
        also=tuple(seen.values()),
        notes=tuple(notes),
        witness=outcome.witness or None,
        fails=_fails(_cancelled(claim, outcome)),
        claim=outcome.claim,
        missing=outcome.settles,
        attempt=_turned(claim, others) if isinstance(claim, ShapesAgree) else None,
    )


_Parts = tuple[str, str, Label, list[Label], list[str]]


def _parts(claim: Claim, outcome: Outcome, others: Sequence[Outcome]) -> _Parts:
    match claim:
        case DivisorPositive():
            return _divisor(claim)
        case ShapesAgree():
            return _shapes(claim, outcome, others)
        case CountsAgree():
            return _counts(claim, outcome)
        case WhereHolds():
            return _where(claim, outcome)
        case Broadcasts():
            return _broadcast(claim)
        case ExtentsAgree():
            return _extents(claim)
        case InRange():
            return _position(claim, outcome)
        case BoundNotNegative():
            return _bound(claim)
        case JoinAgrees():
            return _join(claim, outcome)
        case RangeForward():
            return _range(claim)


def _divisor(claim: DivisorPositive) -> _Parts:
    written = claim.divisor.removeprefix("-").isdigit()
    found = f"`{claim.divisor}`" if written else f"no proof of `{claim.divisor} > 0`"
    return (
        "E2205",
        f"divisor `{claim.divisor}` needs to be positive, found {found}",
        Label(claim.span, "is not positive" if written else "may be 0 here"),
        [],
        [
            "a compile-time integer is divided only by what is provably positive",
            *([] if claim.fact is None else [f"`{claim.fact}` does not say that it is"]),
        ],
    )


def _range(claim: RangeForward) -> _Parts:
    needed = f"{claim.stop} >= {claim.start}"
    return (
        "E2206",
        f"the range `{claim.start}..{claim.stop}` needs `{needed}`, found no proof of it",
        Label(claim.span, "may run backwards"),
        [],
        ["a `for` counts up from its first bound, which is provably at most the second"],
    )


def _shapes(claim: ShapesAgree, outcome: Outcome, others: Sequence[Outcome]) -> _Parts:
    message = f"{claim.site} needs {claim.needed}, found {claim.found}"
    notes: list[str] = []
    axis = claim.axes[outcome.index] if outcome.index < len(claim.axes) else None
    if len(message) > _WIDEST:
        message = f"{claim.site} has another shape than it needs"
        if axis is not None:
            message = f"{claim.site} needs `{axis.needed}` on {axis.name}, found `{axis.found}`"
        if len(message) > _WIDEST and axis is not None:
            message = f"{claim.site} has another size on {axis.name} than it needs"
        notes.append(f"needs {claim.needed}\nfound {claim.found}")
    also = [] if claim.origin is None else [claim.origin]
    if axis is None:
        text = f"this is {claim.found}"
        if claim.declared is not None:
            also.append(claim.declared)
    else:
        text = f"{axis.name} is `{axis.found}`"
        if len(axis.needed) <= 12:
            text = f"{text}, not `{axis.needed}`"
        also += _asked(axis, claim.declared)
        also += _bindings(axis.bindings)
        notes += _free(axis.needed, axis.found)
    for other in others:
        if other.index < len(claim.axes):
            axis = claim.axes[other.index]
            notes.append(f"{axis.name} differs too: it is `{axis.found}`, not `{axis.needed}`")
    return claim.code, message, Label(claim.span, text), also, notes


def _turned(claim: ShapesAgree, others: Sequence[Outcome]) -> Edit | None:
    """A `permute` of the value, where it has the needed sizes in another order."""
    found = [axis.found for axis in claim.axes]
    needed = [axis.needed for axis in claim.axes]
    whole = f"shape [{', '.join(needed)}]" == claim.needed
    if not others or not whole or sorted(found) != sorted(needed):
        return None
    left = list(range(len(found)))
    order: list[int] = []
    for size in needed:
        order.append(next(at for at in left if found[at] == size))
        left.remove(order[-1])
    value = claim.span.text
    inner = re.fullmatch(r"permute\((.+), \[([0-9, ]+)\]\)", value, re.DOTALL)
    if inner is not None and _is_balanced(inner[1]):
        axes = [int(axis) for axis in inner[2].split(",") if axis.strip()]
        value, order = inner[1], [axes[at] for at in order]
    return Edit(claim.span, f"permute({value}, {order})")


def _is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _asked(axis: Axis, declared: Label | None) -> list[Label]:
    """Where the needed size is written."""
    if axis.place is None:
        return [] if declared is None else [declared]
    written = axis.written or axis.needed
    if not axis.bindings and _canonical(written) != _canonical(axis.needed):
        written = f"{written}` = `{axis.needed}"
    return [Label(axis.place, f"`{written}` is asked for here")]


def _canonical(size: str) -> str:
    """A size in the form in which the prover shows it, if it is one."""
    constraint = parsed(f"{size} == 0")
    return size if constraint is None else show_dim(constraint.lhs)


def _bindings(bindings: Sequence[Binding]) -> list[Label]:
    return [
        Label(one.place, f"this makes `{one.name}` = `{one.value}`")
        for one in bindings
        if one.place is not None and one.name != one.value
    ]


def _free(needed: str, found: str) -> list[str]:
    """That sizes which are named by a generic alone are the caller's to choose."""
    names = [text for text in (needed, found) if text.isidentifier()]
    if len(names) == 2:
        return [f"callers choose `{needed}` and `{found}` freely; nothing makes them equal"]
    if names and (needed.isdigit() or found.isdigit()):
        return [f"callers choose `{names[0]}` freely; it is no fixed number"]
    return []


def _counts(claim: CountsAgree, outcome: Outcome) -> _Parts:
    source, target = (f"[{', '.join(shape)}]" for shape in (claim.source, claim.target))
    message = f"`reshape` needs equal element counts, found {source} for {target}"
    notes: list[str] = []
    if len(message) > _WIDEST:
        message = "`reshape` needs equal element counts"
        notes.append(f"from {source}\nto   {target}")
    left, right = _factors(claim.source), _factors(claim.target)
    rest = _cancelled(claim, outcome).claim
    if rest != outcome.claim:
        shared = _product(left & right)
        notes.append(f"both counts share `{shared}`; what is left needs to agree: `{rest}`")
    else:
        notes.append(f"the counts agree only if `{rest}`")
    packs = dict.fromkeys(size for size in (*left, *right) if size.startswith("prod("))
    notes += [f"`{pack}` is the number of elements of `{pack[5:-1]}`" for pack in packs]
    also = [Label(claim.operand, f"`{_product(left)}` elements")]
    if claim.origin is not None:
        also.append(claim.origin)
    primary = Label(claim.span, f"`{_product(right)}` elements")
    return "E2203", message, primary, also, notes


def _cancelled(claim: Claim, outcome: Outcome) -> Outcome:
    """Of two element counts, what is left without the factors that both share."""
    if not isinstance(claim, CountsAgree):
        return outcome
    left, right = _factors(claim.source), _factors(claim.target)
    shared = left & right
    if not shared or left == right:
        return outcome
    return replace(outcome, claim=f"{_product(left - shared)} == {_product(right - shared)}")


def _factors(shape: Sequence[str]) -> Counter[str]:
    """The factors of a product of sizes; a sum or quotient is one."""
    out: Counter[str] = Counter()
    for size in shape:
        out.update(_split(size))
    del out["1"]
    return out


def _split(size: str) -> list[str]:
    if size.startswith("*"):
        return [f"prod({size})"]
    depth = 0
    parts, start = list[str](), 0
    for at, char in enumerate(size):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and char in "+-/%":
            return [size]
        if depth == 0 and char == "*":
            parts.append(size[start:at].strip())
            start = at + 1
    parts = [*parts, size[start:].strip()]
    return [inner for part in parts for inner in (_split(part[1:-1]) if _wrapped(part) else [part])]


def _wrapped(text: str) -> bool:
    """Whether a factor is one pair of parentheses around something."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def _product(factors: Counter[str]) -> str:
    """`2 * B * (H / N)`, numbers multiplied out."""
    number = 1
    names: list[str] = []
    for factor in factors.elements():
        if factor.isdigit():
            number *= int(factor)
        else:
            names.append(factor if _is_factor(factor) else f"({factor})")
    if number != 1 or not names:
        names.insert(0, str(number))
    text = " * ".join(names)
    return text[1:-1] if len(names) == 1 and _wrapped(text) else text


def _is_factor(text: str) -> bool:
    return text.isidentifier() or (text.endswith(")") and text[: text.find("(")].isidentifier())


def _where(claim: WhereHolds, outcome: Outcome) -> _Parts:
    index = min(outcome.index, len(claim.texts) - 1)
    text = claim.texts[index]
    same = outcome.claim == text
    found = "it" if same else f"`{outcome.claim}`"
    message = f"`{claim.name}` needs `{text}`, found no proof of {found}"
    if len(message) > _WIDEST:
        message = f"`{claim.name}` needs `{text}`, found no proof of it"
    also = [Label(claim.places[index], f"`{claim.name}` states its constraint here")]
    if index < len(claim.bindings):
        also += _bindings(claim.bindings[index])
    primary = Label(claim.span, "not provable here" if same else f"here: `{outcome.claim}`")
    return "E2206", message, primary, also, ["a `where` clause is proven at every use"]


def _broadcast(claim: Broadcasts) -> _Parts:
    left, right = (f"[{', '.join(shape)}]" for shape in (claim.left_shape, claim.right_shape))
    message = f"{claim.what} needs shapes that broadcast, found {left} and {right}"
    if len(message) > _WIDEST:
        message = f"{claim.what} needs shapes that broadcast"
    notes: list[str] = []
    rule = "axes align from the right; each pair is equal or one is provably 1"
    if claim.what == "`broadcast_to`":
        rule = "axes align from the right; each of the value is 1 or the one of the target"
    if claim.axis is not None:
        rule = f"{rule}\n{_aligned(claim.left_shape, claim.right_shape, claim.axis)}"
    elif len(claim.left_shape) > len(claim.right_shape) and claim.what == "`broadcast_to`":
        rule = f"{rule}; the target has no fewer axes"
    notes.append(rule)
    if claim.axis is not None:
        notes += _free(claim.left_shape[-claim.axis], claim.right_shape[-claim.axis])
    primary = Label(claim.span, "")
    also = [Label(claim.left, left), Label(claim.right, right), *claim.origins]
    if claim.axis is not None and claim.what == "`broadcast_to`":
        sizes = claim.left_shape[-claim.axis], claim.right_shape[-claim.axis]
        primary = Label(claim.span, f"`{sizes[0]}` does not stretch to `{sizes[1]}`")
        also = [Label(claim.left, left), *claim.origins]
    elif claim.right == claim.span:
        primary = Label(claim.span, right)
    return "E2207", message, primary, also, notes


def _aligned(left: Sequence[str], right: Sequence[str], axis: int) -> str:
    """Both shapes below one another with a mark under the axis that differs."""
    rows = [list(left), list(right)]
    longest = max(map(len, rows))
    for row in rows:
        row[:0] = [""] * (longest - len(row))
    widths = [max(len(row[at]) for row in rows) for at in range(longest)]
    lines: list[str] = []
    for row in rows:
        cells = [text.rjust(width) for text, width in zip(row, widths, strict=True)]
        marks = [", " if text else "  " for text in row[:-1]]
        body = "".join(cell + mark for cell, mark in zip(cells, [*marks, ""], strict=True))
        lead = next((at for at, text in enumerate(row) if text), 0)
        start = sum(widths[:lead]) + 2 * lead
        start += len(body[start:]) - len(body[start:].lstrip())
        lines.append(f"{' ' * start}[{body[start:]}]")
    at = longest - axis
    mark = 1 + sum(widths[:at]) + 2 * at
    lines.append(" " * mark + "^" * widths[at])
    return "\n".join(lines)


def _extents(claim: ExtentsAgree) -> _Parts:
    also = [Label(claim.first, f"`{claim.first_extent}`, {claim.first_of}"), *claim.origins]
    notes = ["the axes that an index addresses directly have one extent; 1 does not stretch"]
    return (
        "E2201",
        f"index `{claim.index}` needs one extent, found {claim.first_extent} and {claim.extent}",
        Label(claim.span, f"`{claim.extent}`, {claim.of}"),
        also,
        [*notes, *_free(claim.first_extent, claim.extent)],
    )


def _position(claim: InRange, outcome: Outcome) -> _Parts:
    constraint = parsed(outcome.claim)
    low = constraint is not None and as_constant(constraint.lhs) == 0
    fixed = constraint is not None and as_constant(constraint.lhs) is not None
    fixed = fixed and constraint is not None and as_constant(constraint.rhs) is not None
    if low and claim.position != "0":
        label = "is negative" if fixed else "may be negative"
    elif fixed and claim.size.isdigit() and int(claim.size) > 0:
        label = f"is past the end; the last position is {int(claim.size) - 1}"
    else:
        label = "is past the end" if fixed else "may be past the end"
    note = "a compile-time position is provably inside; nothing counts from the end"
    if claim.size.isidentifier() and low is False and claim.position.isdigit():
        note = f"`{claim.size}` may be {claim.position} or less; {note}"
        note = f"`{claim.size}` may be as small as {claim.position}" if not fixed else note
    return (
        "E2209",
        f"position `{claim.position}` needs to be inside {claim.what} of size `{claim.size}`",
        Label(claim.span, label),
        [] if claim.origin is None else [claim.origin],
        [note],
    )


def _bound(claim: BoundNotNegative) -> _Parts:
    fixed = claim.bound.removeprefix("-").isdigit()
    return (
        "E2209",
        f"slice bound `{claim.bound}` needs to be at least 0, found "
        + ("a negative number" if fixed else "no proof of it"),
        Label(claim.span, "is negative" if fixed else "may be negative"),
        [],
        ["slice bounds are provably not negative; past the end they clamp"],
    )


def _join(claim: JoinAgrees, outcome: Outcome) -> _Parts:
    message = "`concat` needs equal sizes off the joined axis, found " + " and ".join(
        dict.fromkeys(claim.shapes)
    )
    if len(message) > _WIDEST:
        message = "`concat` needs equal sizes off the joined axis"
    also = [Label(place, shape) for place, shape in zip(claim.places, claim.shapes, strict=True)]
    notes: list[str] = []
    primary = also[-1]
    if 0 <= outcome.index < len(claim.axes):
        operand, axis = claim.axes[outcome.index]
        constraint = parsed(outcome.claim)
        # The sizes of the first operand are the ones asked for; yet a 1 was not stretched.
        first_is_one = constraint is not None and as_constant(constraint.rhs) == 1
        primary = also[0 if first_is_one else operand]
        notes.append(f"axis {axis} differs, and only axis {claim.axis} is joined")
    else:
        primary = next(label for label in also if label.text != also[0].text)
        notes.append("operands have one rank, and a pack agrees only with itself")
    return "E2202", message, primary, [*also, *claim.origins], notes


# Witnesses --------------------------------------------------------------------------------


def _fails(outcome: Outcome) -> str | None:
    """`H = 10, Heads = 4: `Heads * (H / Heads)` is 8, not 10`; names that play no part are left."""
    witness = outcome.witness
    if not witness:
        return None
    claim = parsed(outcome.claim)
    if claim is None:
        return None
    named = set(claim.symbols())
    for fact in outcome.settles:
        constraint = parsed(fact)
        named |= set() if constraint is None else set(constraint.symbols())
    kept = {name: size for name, size in witness.items() if name in named} or dict(witness)
    sizes = ", ".join(
        f"{name} = {size if isinstance(size, int) else list(size)}" for name, size in kept.items()
    )
    plain = {name: size for name, size in witness.items() if isinstance(size, int)}
    left, right = claim.lhs.evaluate(plain), claim.rhs.evaluate(plain)
    if left is None or right is None:
        return sizes
    told = [
        (side, value, other)
        for side, value, other in ((claim.lhs, left, right), (claim.rhs, right, left))
        if not _is_plain(side)
    ]
    if not told:
        return sizes
    if claim.relation == "==" and len(told) == 1:
        side, value, other = told[0]
        return f"{sizes}: `{show_dim(side)}` is {value}, not {other}"
    shown = " and ".join(f"`{show_dim(side)}` is {value}" for side, value, _ in told)
    return f"{sizes}: {shown}"


def _is_plain(dim: Dim) -> bool:
    """Whether the value of a dimension needs no telling: a number or a generic."""
    return as_constant(dim) is not None or dim.name is not None
