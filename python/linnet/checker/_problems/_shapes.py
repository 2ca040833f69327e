"""Problems of shapes, axes and index notation (E22xx, E31xx)."""

from collections.abc import Iterable, Sequence

from linnet.checker._problems._form import counted, problem
from linnet.diagnostics import Diagnostic, Label, did_you_mean
from linnet.source import Span


def negative_dimension(span: Span, dim: str) -> Diagnostic:
    """[DIM-3, DIM-15]"""
    return problem("E2208", f"dimension `{dim}` is negative", span, "below 0 for every size")


def not_indexable(span: Span, found: str) -> Diagnostic:
    """[EXP-9]"""
    return problem(
        "E2104", f"only tensors and arrays of blocks can be indexed, found {found}", span,
        f"this is {found}",
    )  # fmt: skip


def ranks_differ(
    code: str,
    span: Span,
    site: str,
    needed: Sequence[str],
    found: Sequence[str],
    also: tuple[Label | None, ...],
) -> Diagnostic:
    """[TYP-8], of shapes that differ in more than sizes."""
    needs, finds = (f"shape [{', '.join(shape)}]" for shape in (needed, found))
    label = f"this is {finds}"
    packs = any(size.startswith("*") for size in (*needed, *found))
    if not packs:
        label = f"has {counted(len(found), 'axis')}, not {len(needed)}"
    note = "a pack stands for any number of axes and agrees only with itself" if packs else None
    return problem(
        code, f"{site} needs {needs}, found {finds}", span, label,
        also=tuple(place for place in also if place is not None and place.span != span), note=note,
    )  # fmt: skip


def too_many_parts(span: Span, found: int, base: str, rank: int) -> Diagnostic:
    """[EXP-9]"""
    axes = counted(rank, "axis")
    return problem(
        "E2204", f"`{base}` has {axes}, found {found} index parts", span, "one part too many"
    )


def array_position(span: Span) -> Diagnostic:
    """[BLK-3]"""
    return problem("E2209", "an array of blocks takes one position", span, "not a position")


def two_ellipses(span: Span) -> Diagnostic:
    """[EXP-9]"""
    return problem("E2209", "`...` stands at most once in an index", span, "second `...`")


def index_in_pack(span: Span, pack: str, shape: str) -> Diagnostic:
    """[EXP-9]"""
    return problem(
        "E2209", f"an axis inside pack `*{pack}` has no position", span, f"falls into `*{pack}`",
        note=f"the shape is {shape}; `...` stands for all axes not otherwise addressed",
    )  # fmt: skip


def spread_outside_notation(span: Span) -> Diagnostic:
    """[IDX-9]"""
    return problem("E3101", "a pack index stands only in index notation", span, "bound by nothing")


def index_not_integer(span: Span, found: str) -> Diagnostic:
    """[EXP-9, IDX-4]"""
    return problem(
        "E2209", f"an index needs an integer scalar, found `{found}`", span, f"this is `{found}`"
    )


def bad_step(span: Span, text: str) -> Diagnostic:
    """[EXP-10]"""
    return problem(
        "E2209", f"a slice step needs to be a positive constant, found `{text}`", span,
        "not a positive constant",
    )  # fmt: skip


def permute_pack(span: Span, shape: str) -> Diagnostic:
    """[PRE-9]"""
    return problem(
        "E2210", f"`permute` needs a known rank, found shape {shape}", span, "has a pack",
        note="index notation reorders around a pack: `let y[i, *s] = x[*s, i]`",
    )  # fmt: skip


def bad_permutation(
    span: Span, text: str, shape: str, rank: int, what: str, first: Span | None = None
) -> Diagnostic:
    """[PRE-9]"""
    axes = ", ".join(str(axis) for axis in range(rank))
    return problem(
        "E2210", f"`permute` needs each of the axes [{axes}] once, found `{text}`", span, what,
        also=(None if first is None else Label(first, "first named here"),),
        note=f"the value has shape {shape}",
    )  # fmt: skip


def bad_axis(
    span: Span, name: str, text: str, shape: str, what: str, note: str | None
) -> Diagnostic:
    """[PRE-10, LAT-12]"""
    return problem(
        "E2210", f"`{name}` needs an axis of shape {shape}, found `{text}`", span, what, note=note
    )


# Index notation ---------------------------------------------------------------------------


def not_in_elements(span: Span, what: str) -> Diagnostic:
    """[IDX-2]"""
    return problem(
        "E3104", f"index notation needs scalars at each point, found {what}", span,
        "not an element",
    )  # fmt: skip


def index_as_value(span: Span, name: str) -> Diagnostic:
    """[IDX-6]"""
    return problem(
        "E3104", f"index `{name}` is not a value", span, "only an index position takes it",
        note=f"`iota(N)[{name}]` is the position of `{name}` as a value",
    )  # fmt: skip


def parts_do_not_cover(span: Span, found: int, base: str, shape: str, label: str) -> Diagnostic:
    """[IDX-4]"""
    return problem(
        "E2204", f"`{base}` has shape {shape}, found {counted(found, 'index part')}", span, label,
        note="in index notation every axis is indexed",
    )  # fmt: skip


def unbound_index(span: Span, name: str, known: Iterable[str], *, pack: bool) -> Diagnostic:
    """[IDX-5, IDX-9] `known` are the indices in scope, written as this one is."""
    note = (
        "an output list declares a pack index"
        if pack
        else f"nothing is summed implicitly: list `{name}` on the left, or reduce: `sum[{name}] …`"
    )
    return problem(
        "E3101", f"index `{name}` is neither an output nor reduced", span, "bound by nothing",
        note=note, meant=did_you_mean(name, known),
    )  # fmt: skip


def reduction_index_unused(span: Span, name: str, op: str) -> Diagnostic:
    """[IDX-7]"""
    return problem(
        "E3102", f"`{op}` index `{name}` indexes nothing in its body", span, "its extent is unknown"
    )


def output_index_unused(span: Span, name: str) -> Diagnostic:
    """[IDX-7]"""
    return problem("E3103", f"output index `{name}` indexes nothing", span, "its extent is unknown")


def index_twice(span: Span, name: str, first: Span) -> Diagnostic:
    """[IDX-8]"""
    return problem(
        "E3105", f"index `{name}` is bound twice", span, "bound again here",
        also=(Label(first, "first bound here"),),
    )  # fmt: skip


def two_pack_indices(span: Span) -> Diagnostic:
    """[IDX-9]"""
    return problem("E3106", "an access takes at most one pack index", span, "second pack index")


def plain_index_on_pack(span: Span, name: str, pack: str) -> Diagnostic:
    """[IDX-9]"""
    return problem(
        "E3106", f"`{name}` addresses one axis, found the pack `*{pack}`", span,
        "a pack index is needed here",
        note="an output list declares a pack index: `let y[*s] = x[*s]`",
    )  # fmt: skip


def pack_under_plain_name(span: Span, name: str, declared: Span) -> Diagnostic:
    """[IDX-9]"""
    return problem(
        "E3106", f"`*{name}` needs a pack index, found the plain index `{name}`", span,
        "used as a pack index", also=(Label(declared, "declared as a plain index"),),
    )  # fmt: skip


def plain_name_of_pack(span: Span, name: str, declared: Span) -> Diagnostic:
    """[IDX-9]"""
    return problem(
        "E3106", f"`{name}` needs a plain index, found the pack index `*{name}`", span,
        "used as a plain index", also=(Label(declared, "declared as a pack index"),),
    )  # fmt: skip


def reduction_type(span: Span, op: str, needs: str, found: str) -> Diagnostic:
    """[IDX-10]"""
    return problem(
        "E2104", f"`{op}` needs {needs}, found `{found}`", span, f"this is `{found}`",
        note="a reduction's body runs as far right as it can",
    )  # fmt: skip


def reduction_accumulator(span: Span, op: str, accumulator: str) -> Diagnostic:
    """[IDX-11]"""
    return problem(
        "E2104", f"`{op}` takes no accumulator, found `{accumulator}`", span, "nothing accumulates"
    )


def accumulator_converts(
    span: Span, op: str, accumulator: str, found: str, declared: Span
) -> Diagnostic:
    """[IDX-11]"""
    return problem(
        "E2103", f"`{op}<{accumulator}>` needs a body of `{accumulator}`, found `{found}`", span,
        f"this is `{found}`", also=(Label(declared, "the accumulator"),),
        note="an accumulator never converts; `cast` the body",
    )  # fmt: skip
