"""Problems of statements, patterns, members and blocks (E2101, E2108, E2117..E2121, E41xx)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from linnet.checker._problems._form import problem
from linnet.diagnostics import Diagnostic, Edit, Label, did_you_mean
from linnet.source import Span
from linnet.syntax import Name

# A `let` of one name, before the name.
_LET: Final = re.compile(r"\blet[ \t]+\Z")


def not_assignable(name: Name, what: str, declared: Span | None) -> Diagnostic:
    """[CTL-2]"""
    label = None if declared is None else Label(declared, f"`{name.text}` is declared here")
    found = problem(
        "E2108", f"`{name.text}` is {what} and cannot be assigned", name.span, "assigned here",
        also=(label,), note="only a `var` and an own `state` member are assigned",
    )  # fmt: skip
    if declared is None:
        return found
    text = declared.file.text
    begin = max(declared.start - 40, 0)
    bound = _LET.search(text[begin : declared.start])
    if bound is None or text[declared.end : declared.end + 1] == "[":
        return found
    at = begin + bound.start()
    place = Span(declared.file, at, at + len("let"))
    return replace(found, help=f"declare it by `var {name.text}`", edit=Edit(place, "var"))


def state_from_op(span: Span, name: str, op: str) -> Diagnostic:
    """[BLK-5]"""
    return problem(
        "E2108", f"op `{op}` cannot assign state `{name}`", span, "assigned here",
        note="an `op` is pure; only a `fn` or `entry` of the block assigns its state",
    )  # fmt: skip


def pattern_kind(span: Span, found: str) -> Diagnostic:
    """[EXP-8, EXP-13]"""
    return problem("E2117", f"the pattern cannot match `{found}`", span, "does not fit")


def pattern_length(span: Span, length: int, found: str) -> Diagnostic:
    """[EXP-13]"""
    return problem(
        "E2117", f"a pattern of {length} cannot match `{found}`", span, "of another length"
    )


def match_subject(span: Span, found: str) -> Diagnostic:
    """[EXP-8]"""
    return problem(
        "E2117", f"`match` needs an optional or an enum, found {found}", span, f"this is {found}"
    )


def arm_never_matches(span: Span, why: str) -> Diagnostic:
    """[EXP-8]"""
    return problem("E2117", f"the arm can never match: {why}", span, "covered by the arms above")


def arm_names_no_variant(name: Name, enum: str, known: Sequence[str]) -> Diagnostic:
    """[EXP-8]"""
    return problem(
        "E2117", f"enum `{enum}` has no variant `{name.text}`", name.span, "names no variant",
        note=f"its variants are {', '.join(f'`{v}`' for v in known)}; `_` catches the rest",
        meant=did_you_mean(name.text, known),
    )  # fmt: skip


def missing_cases(span: Span, subject: Span, missing: Sequence[str]) -> Diagnostic:
    """[EXP-8]"""
    shown = " and ".join(missing)
    del span
    return problem(
        "E2118", f"the `match` misses {shown}", subject, f"{shown} not covered",
        note="every case has an arm",
    )  # fmt: skip


def early_return(span: Span) -> Diagnostic:
    """[FUN-2]"""
    return problem(
        "E2120", "`return` needs to be the last statement", span, "statements follow it",
        note="a function returns once, at its end",
    )  # fmt: skip


def return_in_loop(span: Span) -> Diagnostic:
    """[CTL-5]"""
    return problem(
        "E2120", "`return` cannot stand inside a loop", span, "inside a loop",
        note="a function returns once, at its end",
    )  # fmt: skip


def missing_return(name: Name, result: str, body: Span) -> Diagnostic:
    """[FUN-2]"""
    end = Span(body.file, max(body.start, body.end - 1), body.end)
    return problem(
        "E2120", f"`{name.text}` needs to end with `return`", name.span,
        f"has the result type `{result}`", also=(Label(end, "no `return` before this"),),
    )  # fmt: skip


def bare_return(span: Span, name: str, result: str) -> Diagnostic:
    """[FUN-2]"""
    return problem(
        "E2101", f"`{name}` needs to return `{result}`, found a bare `return`", span, "no value"
    )


def value_returned(span: Span, name: str) -> Diagnostic:
    """[FUN-2]"""
    return problem(
        "E2101", f"`{name}` has no result type, found a returned value", span, "a value",
        note="a result type is written `-> f32` after the parameters",
    )  # fmt: skip


def static_for_subject(span: Span, found: str) -> Diagnostic:
    """[CTL-3]"""
    return problem(
        "E2121", f"`static for` needs an array of blocks or a range, found {found}", span,
        f"this is {found}",
    )  # fmt: skip


def static_for_bound(span: Span) -> Diagnostic:
    """[CTL-3]"""
    return problem(
        "E2121", "a `static for` range needs compile-time bounds", span, "only known at run time",
        note="`while` counts to a bound that is known at run time",
    )  # fmt: skip


def yield_misplaced(span: Span) -> Diagnostic:
    """[LAT-6]"""
    return problem(
        "E2124", "`yield` needs to end a `for` whose value is taken", span, "not at such an end",
        note="a scan reads `let values = for i in 0..N { … yield value }`",
    )  # fmt: skip


def yield_untaken(span: Span, head: Span) -> Diagnostic:
    """[LAT-6]"""
    return problem(
        "E2124", "`yield` needs a `for` whose value is taken", span, "yielded here",
        also=(Label(head, "nothing takes the value of this `for`"),),
        note="a scan reads `let values = for i in 0..N { … yield value }`",
    )  # fmt: skip


def scan_without_yield(head: Span, body: Span) -> Diagnostic:
    """[LAT-5, LAT-6]"""
    end = Span(body.file, max(body.start, body.end - 1), body.end)
    return problem(
        "E2124", "a `for` whose value is taken needs to end with `yield`", head,
        "its value is taken", also=(Label(end, "no `yield` before this"),),
    )  # fmt: skip


def not_stackable(span: Span, found: str) -> Diagnostic:
    """[LAT-5]"""
    return problem(
        "E2101", f"`yield` needs a tensor, a scalar or a tuple of them, found `{found}`", span,
        f"this is `{found}`", note="a scan stacks what it yields along a new leading axis",
    )  # fmt: skip


def member_type(span: Span, kind: str, name: str, needs: str, found: str) -> Diagnostic:
    """[BLK-1]"""
    return problem(
        "E4101", f"`{kind} {name}` needs to be {needs}, found `{found}`", span,
        f"this is `{found}`",
    )  # fmt: skip


def none_for_required(span: Span, kind: str, name: str, type_: str) -> Diagnostic:
    """[BLK-1]"""
    return problem(
        "E4101", f"`{kind} {name}` needs an optional type for `= none`, found `{type_}`", span,
        "only an optional member can be absent",
    )  # fmt: skip


def array_element(span: Span, found: str) -> Diagnostic:
    """[BLK-1]"""
    return problem(
        "E4101", f"an array of parts needs a block, found `{found}`", span, f"this is `{found}`",
        note="the arrays of a `sub` hold blocks, neither optional nor arrays themselves",
    )  # fmt: skip


def sub_value(span: Span, name: str) -> Diagnostic:
    """[BLK-1]"""
    return problem(
        "E4101", f"`sub {name}` takes no value but `none`", span, "a value",
        note="a `sub` is instantiated by its type",
    )  # fmt: skip


def param_value(span: Span, name: str) -> Diagnostic:
    """[BLK-1, WGT-1]"""
    return problem(
        "E4102", f"`param {name}` takes no value in source", span, "a value",
        note="weights come from files and are matched by path",
    )  # fmt: skip
