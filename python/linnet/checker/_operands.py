"""What the prelude functions ask of their arguments: tensors, classes, one dtype, a shape."""

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._convert import typed
from linnet.checker._program import (
    Expr,
)
from linnet.checker._resolve import resolve_shape
from linnet.checker._types import (
    ErrorType,
    Shape,
    TensorType,
    belongs,
    show_type,
)
from linnet.checker._values import is_invalid
from linnet.syntax import Call, Kind, ShapeLiteral
from linnet.syntax import Expr as ExprSyntax


def tensor_operand(ctx: Context, expr: ExprSyntax, name: str) -> Expr | None:
    """A typed tensor or scalar operand; another kind of value is `E2101`."""
    node = typed(ctx, expr)
    if isinstance(node.type, ErrorType):
        return None
    if not isinstance(node.type, TensorType):
        ctx.report(
            problems.type_mismatch(
                "E2101", expr.span, f"the argument of `{name}`", "a scalar or tensor",
                f"`{show_type(node.type)}`",
            )
        )  # fmt: skip
        return None
    return node


def in_class(ctx: Context, node: Expr, kind: Kind, name: str) -> bool:
    assert isinstance(node.type, TensorType)
    if belongs(node.type.dtype, kind):
        return True
    ctx.report(problems.outside_class(node.span, f"`{name}`", kind, node.type.dtype.name))
    return False


def same_dtype(ctx: Context, call: Call, name: str, nodes: list[Expr]) -> bool:
    first = nodes[0].type
    for node in nodes[1:]:
        assert isinstance(first, TensorType)
        assert isinstance(node.type, TensorType)
        if node.type.dtype != first.dtype:
            ctx.report(
                problems.dtypes_differ(
                    call.callee.span, f"`{name}`", nodes[0].span, first.dtype.name, node.span,
                    node.type.dtype.name,
                )
            )  # fmt: skip
            return False
    return True


def shape_argument(ctx: Context, expr: ExprSyntax, name: str) -> Shape | None:
    """A shape literal as an argument [EXP-12]; anything else is `E2101`."""
    if isinstance(expr, ShapeLiteral):
        return resolve_shape(ctx, expr.elements)
    value = ctx.infer(expr)
    if not is_invalid(value):
        ctx.report(problems.shape_needed(expr.span, name))
    return None
