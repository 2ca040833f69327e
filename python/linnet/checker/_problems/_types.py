"""Problems of types and arguments: kinds, dtypes, classes, generics (E21xx)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from linnet.checker._problems._form import counted, problem
from linnet.checker._program import Generic
from linnet.diagnostics import Diagnostic, Edit, Label, did_you_mean
from linnet.source import Span
from linnet.syntax import Kind, Name

_READABLE: Final = 60  # Of text that a help line quotes.
_NUMBER: Final = re.compile(r"-?[\d.eE_+-]+")
_CLASS_MEMBERS = {
    Kind.DTYPE: "any dtype",
    Kind.NUMERIC: "an integer or float dtype",
    Kind.INTEGER: "an integer dtype",
    Kind.FLOAT: "a float dtype",
}


def type_mismatch(
    code: str, span: Span, site: str, needs: str, found: str, declared: Label | None = None
) -> Diagnostic:
    """[TYP-8]"""
    note = None
    written: str | None = None
    if needs.endswith("?`") and not found.endswith("?`"):
        note = "a plain value does not become an optional by itself"
        if _quoted(needs) == f"{_quoted(found)}?":
            written = f"some({span.text})"
    elif found.endswith("?`") and not needs.endswith("?`"):
        note = "an optional is opened with `match`"
    elif "dtype" in needs:
        note = "dtypes never mix; `cast` is the only conversion"
        written = _converted(span, _quoted(needs))
    found_ = problem(
        code, f"{site} needs {needs}, found {found}", span, f"this is {found}",
        related=(declared,), note=note,
    )  # fmt: skip
    return _with_edit(found_, span, written)


def _quoted(text: str) -> str:
    """What a message quotes last."""
    return text.rstrip("`").rpartition("`")[2]


def _converted(span: Span, dtype: str) -> str | None:
    """A value converted to a dtype; a number is written otherwise instead."""
    text = span.text
    if "\n" in text or _NUMBER.fullmatch(text):
        return None
    return f"cast<{dtype}>({text})"


def _with_edit(found: Diagnostic, span: Span, written: str | None) -> Diagnostic:
    """A problem whose span is to be written otherwise, where that is short enough to read."""
    if written is None or len(written) > _READABLE:
        return found
    return replace(found, help=f"write `{written}`", edit=Edit(span, written))


def dtypes_differ(
    span: Span, what: str, left: Span, left_dtype: str, right: Span, right_dtype: str
) -> Diagnostic:
    """[TYP-7]"""
    return problem(
        "E2103", f"{what} needs operands of one dtype, found `{left_dtype}` and `{right_dtype}`",
        span, "",
        also=(Label(left, f"`{left_dtype}`"), Label(right, f"`{right_dtype}`")),
        note="dtypes never mix; `cast` is the only conversion",
    )  # fmt: skip


def generic_dtypes(
    code: str, span: Span, what: str, generic: str, needed: str, found: str, first: Span | None
) -> Diagnostic:
    """[TYP-19]"""
    also = Label(first, f"here `{generic}` is `{needed}`") if first is not None else None
    problem_ = problem(
        code, f"{what} needs dtype `{needed}`, found `{found}`", span, f"this is `{found}`",
        also=(also,), note=f"`{generic}` is one dtype in the whole call",
    )  # fmt: skip
    return _with_edit(problem_, span, _converted(span, needed))


def operator_type(span: Span, op: str, needs: str, found: str) -> Diagnostic:
    """[EXP-1..EXP-3]"""
    shown = found if found.startswith("a ") else f"`{found}`"
    note = None
    if op in ("<", "<=", ">", ">=") and found == "bool":
        note = "comparisons do not chain; write `a < b && b < c`"
    elif "bool" in found and needs == "numbers":
        note = "a `bool` counts as a number once it is converted: `cast<i32>(x)`"
    return problem(
        "E2104", f"`{op}` needs {needs}, found {shown}", span, f"this is {shown}", note=note
    )


def logic_needs_bool(span: Span, op: str, found: str) -> Diagnostic:
    """[EXP-4]"""
    note = None
    if found.startswith("Tensor") and "bool" in found:
        other = {"&&": "`&`", "||": "`|`", "!": "`x ^ true`"}[op]
        note = f"on tensors of `bool`, {other} works element by element"
    return problem(
        "E2116", f"`{op}` needs a scalar `bool`, found `{found}`", span, f"this is `{found}`",
        note=note,
    )  # fmt: skip


def condition_not_bool(span: Span, what: str, found: str) -> Diagnostic:
    """[EXP-7, PRE-6, CTL-4]"""
    needs = "a condition of `bool`" if what == "`select`" else "a scalar `bool`"
    note = None
    if what == "`select`":
        note = "a comparison gives a condition: `x > 0.0`"
    elif found.startswith("Tensor"):
        note = "`select(c, a, b)` chooses element by element; `any[i] c[i]` makes one `bool`"
    elif found != "bool" and not found.startswith("("):
        note = "a number is compared to get a `bool`: `x != 0`"
    return problem(
        "E2114", f"{what} needs {needs}, found `{found}`", span, f"this is `{found}`", note=note
    )


def outside_class(span: Span, what: str, kind: Kind, found: str) -> Diagnostic:
    """[TYP-2]"""
    return problem(
        "E2112", f"{what} needs {_CLASS_MEMBERS[kind]}, found `{found}`", span,
        f"`{found}` is not in `{kind}`",
    )  # fmt: skip


def literal_range(span: Span, number: float, dtype: str) -> Diagnostic:
    """[TYP-13]"""
    return problem(
        "E2105", f"`{number}` does not fit `{dtype}`", span, f"outside `{dtype}`",
        note=_range_note(dtype),
    )  # fmt: skip


def _range_note(dtype: str) -> str | None:
    if dtype[0] not in "iu":
        return None
    bits = int(dtype[1:])
    low, high = (0, (1 << bits) - 1) if dtype[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)
    return f"`{dtype}` holds {low} to {high}"


def none_without_type(span: Span, required: str | None = None) -> Diagnostic:
    """[TYP-15]"""
    message = "`none` needs an optional type from its context"
    if required is not None:
        message += f", found `{required}`"
    return problem("E2113", message, span, "of what type is unknown")


def nested_optional(span: Span) -> Diagnostic:
    """Spec 4.1"""
    return problem(
        "E2101", "`some` needs a plain value, found an optional", span, "already optional"
    )


def nested_optional_type(span: Span) -> Diagnostic:
    """Spec 4.1"""
    return problem("E2101", "`?` needs a plain type, found an optional", span, "already optional")


def block_as_value(span: Span, what: str, type_: str) -> Diagnostic:
    """[BLK-3]"""
    return problem(
        "E2101", f"a value is needed, found {what} `{type_}`", span, "not a value",
        note="a block is used for calls and member reads, never stored or returned",
    )  # fmt: skip


def no_result(span: Span) -> Diagnostic:
    """[EXP-6]"""
    return problem(
        "E2101", "a value is needed, found a call without a result", span, "gives nothing"
    )


def shape_as_value(span: Span) -> Diagnostic:
    """[EXP-12]"""
    note = "shape literals are arguments of `reshape`, `fill` and the like, or of packs"
    if re.search(r"\d\.\d", span.text):
        note = "no literal holds the numbers of a tensor; they come from weights, `fill` or `iota`"
    return problem(
        "E2101", "a value is needed, found a shape literal", span, "not a value", note=note
    )


def shape_needed(span: Span, name: str) -> Diagnostic:
    """[EXP-12]"""
    return problem("E2101", f"`{name}` needs a shape literal such as `[N, 4]`", span, "not a shape")


def entry_type(span: Span, what: str, found: str) -> Diagnostic:
    """[FUN-5]"""
    allowed = "a tensor or scalar"
    allowed += ", optional or not" if what == "parameter" else ", or a tuple or struct of those"
    return problem(
        "E2101", f"the {what} of an entry needs to be {allowed}, found {found}", span,
        "cannot cross an entry's boundary",
    )  # fmt: skip


def constant_value(span: Span, name: str) -> Diagnostic:
    """[TYP-10]"""
    return problem(
        "E2123", f"constant `{name}` needs a compile-time value", span, "only known at run time"
    )


def not_compile_time(span: Span) -> Diagnostic:
    """[DIM-1]"""
    return problem(
        "E2123", "a compile-time integer is needed here", span, "not known at compile time",
        note="a size is built from literals, `Dim` generics and constants without a type",
    )  # fmt: skip


# Arguments --------------------------------------------------------------------------------


def positional_after_named(span: Span) -> Diagnostic:
    """[EXP-6]"""
    return problem(
        "E2102", "a positional argument stands after a named one", span, "positional",
        note="positional arguments come first, then named ones",
    )  # fmt: skip


def surplus_argument(span: Span, name: str, most: int, found: int) -> Diagnostic:
    """[EXP-6]"""
    return problem(
        "E2102", f"`{name}` takes {counted(most, 'argument')}, found {found}", span, "one too many"
    )


def unknown_argument(arg: Name, name: str, known: Iterable[str]) -> Diagnostic:
    """[EXP-6]"""
    return problem(
        "E2102", f"`{name}` has no parameter `{arg.text}`", arg.span, "no such parameter",
        meant=did_you_mean(arg.text, known),
    )  # fmt: skip


def repeated_argument(arg: Name, name: str) -> Diagnostic:
    """[EXP-6]"""
    return problem("E2102", f"`{arg.text}` of `{name}` is given twice", arg.span, "given before")


def missing_argument(span: Span, name: str, parameter: str) -> Diagnostic:
    """[EXP-6]"""
    return problem(
        "E2102", f"`{name}` needs an argument for `{parameter}`", span, f"`{parameter}` is missing"
    )


def axis_unnamed(span: Span, name: str) -> Diagnostic:
    """[LAT-12]"""
    return problem(
        "E2102", f"`{name}` takes one tensor and a named `axis`", span, "without a name",
        note=f"the axis is written `{name}(x, axis = 0)`",
    )  # fmt: skip


def concat_needs_two(span: Span, found: int) -> Diagnostic:
    """[PRE-10]"""
    return problem(
        "E2102", f"`concat` needs two or more tensors, found {found}", span, "too few tensors"
    )


def not_callable(span: Span, found: str) -> Diagnostic:
    """[EXP-6]"""
    note = None
    if found.startswith("`Tensor"):
        note = f"an element is read with brackets: `{span.text}[0]`"
    elif found == "a block":
        note = "a block becomes a part by `sub`; what is called are its functions"
    elif found == "a type":
        note = f"a dtype is converted by `cast<{span.text}>(x)`"
    elif found == "a module":
        note = f"an item of a module is called as `{span.text}.name(x)`"
    return problem(
        "E2106", f"only a function can be called, found {found}", span, f"this is {found}",
        note=note,
    )  # fmt: skip


# Generics ---------------------------------------------------------------------------------


def cannot_infer(
    span: Span, name: str, listed: Sequence[str], missing: Sequence[Generic]
) -> Diagnostic:
    """[TYP-18, TYP-19] `listed` are the generics to write, up to the last that is missing."""
    shown = " and ".join(f"`{generic.name}`" for generic in missing)
    noun = "generic" if len(missing) == 1 else "generics"
    return problem(
        "E2110", f"{noun} {shown} of `{name}` cannot be inferred", span,
        f"write `{name}<{', '.join(listed)}>(…)`",
        related=tuple(
            Label(generic.span, f"`{generic.name}` is declared here") for generic in missing
        ),
        note="a generic is inferred where it stands alone in the type of an argument",
    )  # fmt: skip


def variant_without_generic(span: Span, enum: str, generic: str, declared: Span) -> Diagnostic:
    """[TYP-18]"""
    return problem(
        "E2110", f"generic `{generic}` of enum `{enum}` cannot be inferred", span,
        f"nothing shows `{generic}`",
        related=(Label(declared, f"`{generic}` is declared here"),),
        note="a variant takes the defaults of its enum's generics; none can be written at it",
    )  # fmt: skip


def two_open_packs(span: Span, name: str, packs: Sequence[str]) -> Diagnostic:
    """[TYP-19]"""
    shown = " and ".join(f"`*{pack}`" for pack in packs)
    return problem(
        "E2110", f"packs {shown} of `{name}` cannot both be inferred", span,
        "where one ends and the other begins is unknown",
    )  # fmt: skip


def cast_without_dtype(span: Span) -> Diagnostic:
    """[PRE-1]"""
    return problem(
        "E2110", "`cast` needs its dtype: `cast<f32>(x)`", span, "the dtype is not written"
    )


def fill_without_dtype(span: Span, value: Span) -> Diagnostic:
    """[PRE-12]"""
    return problem(
        "E2110", "`fill` needs its dtype: `fill<f32>([N], 0.0)`", span, "the dtype is not written",
        also=(Label(value, "has no dtype of its own"),),
    )  # fmt: skip


def too_many_generics(span: Span, name: str, most: int, found: int) -> Diagnostic:
    """[TYP-17, TYP-18]"""
    return problem(
        "E2111", f"`{name}` takes {counted(most, 'generic argument')}, found {found}", span,
        "too many generic arguments",
    )  # fmt: skip


def too_few_generics(span: Span, name: str, generic: str, declared: Span) -> Diagnostic:
    """[TYP-17]"""
    return problem(
        "E2111", f"`{name}` needs a generic argument for `{generic}`", span,
        f"`{generic}` is missing",
        related=(Label(declared, f"`{generic}` has no default"),),
    )  # fmt: skip


def wrong_argument_kind(span: Span, generic: str, name: str, needs: str) -> Diagnostic:
    """[TYP-17, TYP-18]"""
    return problem(
        "E2111", f"`{generic}` of `{name}` needs {needs}, found `{span.text}`", span,
        f"not {needs}",
    )  # fmt: skip
