"""Parameters with names of their own, and arguments in their order [MOD-7, EXP-6]."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._names import PRELUDE
from linnet.diagnostics import Diagnostic
from linnet.source import Span
from linnet.syntax import Call, Expr, Name


def accept_name(
    report: Callable[[Diagnostic], None], name: Name, what: str, seen: dict[str, Span]
) -> bool:
    """Whether a parameter's name is new; a prelude name is `E1207`, a repeat `E1205`."""
    fresh = name.text not in PRELUDE and name.text not in seen
    if name.text in PRELUDE:
        report(problems.prelude_redeclared(name.text, name.span))
    if name.text in seen:
        report(problems.duplicate(name, what, seen[name.text]))
    seen[name.text] = name.span
    return fresh


def arrange(
    ctx: Context, name: str, parameters: Sequence[str], optional: AbstractSet[str], call: Call
) -> dict[str, Expr] | None:
    """The argument of each parameter that has one, or None with `E2102` reported."""
    placed: dict[str, Expr] = {}
    named = False
    for index, arg in enumerate(call.args):
        if arg.name is None:
            if named:
                ctx.report(problems.positional_after_named(arg.span))
                return None
            if index >= len(parameters):
                ctx.report(
                    problems.surplus_argument(arg.span, name, len(parameters), len(call.args))
                )
                return None
            placed[parameters[index]] = arg.value
            continue
        named = True
        if arg.name.text not in parameters:
            ctx.report(problems.unknown_argument(arg.name, name, parameters))
            return None
        if arg.name.text in placed:
            ctx.report(problems.repeated_argument(arg.name, name))
            return None
        placed[arg.name.text] = arg.value
    for parameter in parameters:
        if parameter not in placed and parameter not in optional:
            ctx.report(problems.missing_argument(call.span, name, parameter))
            return None
    return placed
