"""The `grad` clause of an op, as a function of its own [LAT-7, LAT-8].

The clause is checked like the body of a function that takes the op's parameters, the op's
result and the gradient that reaches it. It never changes what the op computes.
"""

from collections.abc import Callable
from dataclasses import replace

from linnet.checker import _problems as problems
from linnet.checker._arguments import accept_name
from linnet.checker._program import Function, Local, Param
from linnet.checker._types import TensorType, TupleType, Type, belongs, is_scalar, show_type
from linnet.diagnostics import Diagnostic
from linnet.syntax import Gradient, Kind, Name
from linnet.syntax import Param as ParamSyntax
from linnet.syntax import TupleType as TupleSyntax
from linnet.syntax import Type as TypeSyntax


def gradient_of(
    function: Function, clause: Gradient, report: Callable[[Diagnostic], None]
) -> Function | None:
    """The clause of a function as a function; None where it cannot stand, reported as `E2125`."""
    if function.kind != "op":
        report(problems.gradient_of_other(clause.head_span, function.kind, function.name))
        return None
    result, written = function.result, function.syntax.result
    assert result is not None, "an op has a result"
    assert written is not None, "an op has a result"
    takers = _takers(function, report)
    if not _floating(result):
        report(problems.gradient_result(written.span, show_type(result), clause.head_span))
        takers = None
    if takers is None:
        return None
    if not takers:
        report(problems.gradient_of_nothing(clause.head_span, function.name))
        return None
    names = (clause.value, clause.incoming)
    seen = {param.name: param.local.span for param in function.params}
    fits = [accept_name(report, name, "parameter", seen) for name in names]
    if not all(fits):
        return None
    added = tuple(Local(name.text, result, name.span, used=True) for name in names)
    params = (*function.params, *(Param(local, False, local.span) for local in added))
    types = [param.type for param, _ in takers]
    shown = [syntax for _, syntax in takers]
    given = types[0] if len(types) == 1 else TupleType(tuple(types))
    syntax = replace(
        function.syntax,
        name=Name(f"grad of {function.name}", clause.head_span),
        params=(
            *function.syntax.params,
            *(ParamSyntax(name, written, None, name.span) for name in names),
        ),
        result=shown[0] if len(shown) == 1 else TupleSyntax(tuple(shown), clause.head_span),
        body=clause.body,
        head_span=clause.head_span,
        span=clause.span,
        kernel=None,
        gradient=None,
    )
    return replace(
        function,
        public=False,
        name=f"grad of {function.name}",
        symbol=f"{function.symbol}.grad",
        params=params,
        result=given,
        syntax=syntax,
        role="gradient",
    )


def _floating(type_: Type) -> bool:
    """Whether a type is a tensor or scalar of float dtype, or of a `Float` generic."""
    return isinstance(type_, TensorType) and belongs(type_.dtype, Kind.FLOAT)


def _takers(
    function: Function, report: Callable[[Diagnostic], None]
) -> list[tuple[Param, TypeSyntax]] | None:
    """The parameters that have a gradient; None with one reported that is no tensor or scalar."""
    fits = True
    takers: list[tuple[Param, TypeSyntax]] = []
    for param, syntax in zip(function.params, function.syntax.params, strict=True):
        if not isinstance(param.type, TensorType):
            place = syntax.type.span
            report(problems.gradient_parameter(place, param.name, show_type(param.type)))
            fits = False
        elif _floating(param.type) and not is_scalar(param.type):
            takers.append((param, syntax.type))
    return takers if fits else None
