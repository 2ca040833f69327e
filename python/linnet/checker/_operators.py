"""Operators over compile-time integers, contextual literals, scalars and tensors [EXP-1..EXP-5]."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fmod

from linnet.checker import _problems as problems
from linnet.checker._claims import Broadcasts
from linnet.checker._context import Context
from linnet.checker._convert import adopt, adopts, as_value, default_dtype, settle
from linnet.checker._dims import (
    ONE,
    ZERO,
    Constraint,
    Dim,
    Outcome,
    as_constant,
    ask,
    compare,
    constant,
    dim_max,
    dim_min,
    facts_of,
    is_lost,
)
from linnet.checker._origins import origins_of
from linnet.checker._program import (
    Binary,
    BinaryName,
    Broadcast,
    Cast,
    Compare,
    CompareName,
    Constant,
    Expr,
    Unary,
)
from linnet.checker._types import (
    BOOL,
    F64,
    Dtype,
    ErrorType,
    Pack,
    Shape,
    TensorType,
    belongs,
    scalar,
    show_shape,
    show_sizes,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Pending, Value, invalid, is_invalid
from linnet.source import Span
from linnet.syntax import Binary as BinarySyntax
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import Kind
from linnet.syntax import Unary as UnarySyntax

_ARITHMETIC: dict[str, BinaryName] = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem"}
_BITWISE: dict[str, BinaryName] = {"&": "and", "|": "or", "^": "xor"}
_COMPARISONS: dict[str, CompareName] = {
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}  # fmt: skip


def infer_binary(ctx: Context, syntax: BinarySyntax) -> Value:
    """The value of a binary operator."""
    left = as_value(ctx, ctx.infer(syntax.left))
    right = as_value(ctx, ctx.infer(syntax.right))
    op = syntax.op
    if op in ("&&", "||"):
        return _logic(ctx, syntax, left, right)
    if is_invalid(left) or is_invalid(right):
        return invalid(syntax.span)
    if isinstance(left, Ci | Pending) and isinstance(right, Ci | Pending):
        if op in _COMPARISONS:
            dtype = default_dtype(left if isinstance(left, Pending) and left.floating else right)
            nodes = adopt(ctx, left, dtype), adopt(ctx, right, dtype)
            return elementwise(ctx, syntax.op_span, syntax.span, op, *nodes)
        return contextual_binary(ctx, op, left, right, syntax.span, syntax.right.span)
    pair = share_dtype(ctx, (left, right))
    nodes = tuple(pair)
    if any(isinstance(node.type, ErrorType) for node in nodes):
        return invalid(syntax.span)
    return elementwise(ctx, syntax.op_span, syntax.span, op, nodes[0], nodes[1])


def _logic(ctx: Context, syntax: BinarySyntax, left: Value, right: Value) -> Value:
    nodes: list[Expr] = []
    wrong: list[tuple[Expr, ExprSyntax]] = []
    for value, side in ((left, syntax.left), (right, syntax.right)):
        node = settle(ctx, value)
        if isinstance(node.type, ErrorType):
            continue
        if node.type != scalar(BOOL):
            wrong.append((node, side))
        nodes.append(node)
    if wrong:
        # One operator that does not fit both sides is one mistake.
        node, side = wrong[0]
        ctx.report(problems.logic_needs_bool(side.span, syntax.op, show_type(node.type)))
    if wrong or len(nodes) < 2:
        return invalid(syntax.span)
    name: BinaryName = "and" if syntax.op == "&&" else "or"
    return Binary(scalar(BOOL), syntax.span, name, nodes[0], nodes[1])


def infer_unary(ctx: Context, syntax: UnarySyntax) -> Value:
    """The value of a prefix operator."""
    value = as_value(ctx, ctx.infer(syntax.operand))
    if is_invalid(value):
        return invalid(syntax.span)
    if syntax.op == "!":
        node = settle(ctx, value)
        if isinstance(node.type, ErrorType):
            return invalid(syntax.span)
        if node.type != scalar(BOOL):
            ctx.report(problems.logic_needs_bool(syntax.operand.span, "!", show_type(node.type)))
            return invalid(syntax.span)
        return Unary(node.type, syntax.span, "not", node)
    if isinstance(value, Ci):
        return Ci(ZERO - value.dim if syntax.op == "-" else value.dim, syntax.span)
    if isinstance(value, Pending):
        if syntax.op == "+":
            return value
        number = None if value.value is None else -value.value
        return pending_of(
            value.floating, number, syntax.span,
            lambda dtype: Unary(scalar(dtype), syntax.span, "neg", adopt(ctx, value, dtype)),
        )  # fmt: skip
    node = settle(ctx, value)
    if isinstance(node.type, ErrorType):
        return invalid(syntax.span)
    if not isinstance(node.type, TensorType) or not belongs(node.type.dtype, Kind.NUMERIC):
        ctx.report(problems.operator_type(syntax.span, syntax.op, "numbers", show_type(node.type)))
        return invalid(syntax.span)
    return node if syntax.op == "+" else Unary(node.type, syntax.span, "neg", node)


def pending_of(
    floating: bool, number: float | int | None, span: Span, build: Callable[[Dtype], Expr]
) -> Pending:
    """A contextual scalar; a known number is its own literal."""
    if number is None:
        return Pending(floating, None, build, span)
    return Pending(floating, number, lambda dtype: Constant(scalar(dtype), span, number), span)


# Compile-time integers and contextual literals ---------------------------------------------


def contextual_binary(
    ctx: Context, op: str, left: Ci | Pending, right: Ci | Pending, span: Span, right_span: Span
) -> Value:
    """Arithmetic of two contextual scalars: a CI, or something contextual [TYP-10]."""
    if isinstance(left, Ci) and isinstance(right, Ci):
        done = _ci_binary(ctx, op, left.dim, right.dim, span, right_span)
        if done is not None:
            return done
    floating = any(isinstance(side, Pending) and side.floating for side in (left, right))
    if floating and op in _BITWISE:
        ctx.report(problems.operator_type(span, op, "integers or `bool`s", "a float literal"))
        return invalid(span)
    numbers = [
        as_constant(side.dim) if isinstance(side, Ci) else side.value for side in (left, right)
    ]
    if floating and numbers[0] is not None and numbers[1] is not None:
        return pending_of(True, _fold(op, float(numbers[0]), float(numbers[1])), span, _never)
    name = _ARITHMETIC.get(op) or _BITWISE[op]
    if not floating:
        return Pending(
            False, None,
            lambda dtype: Binary(
                scalar(dtype), span, name, adopt(ctx, left, dtype), adopt(ctx, right, dtype)
            ),
            span,
        )  # fmt: skip

    def build(dtype: Dtype) -> Expr:
        # A float that depends on sizes folds in f64, like every CF [TYP-10].
        wide = Binary(scalar(F64), span, name, adopt(ctx, left, F64), adopt(ctx, right, F64))
        return wide if dtype == F64 else Cast(scalar(dtype), span, wide)

    return Pending(True, None, build, span)


def _never(dtype: Dtype) -> Expr:
    raise AssertionError(f"a known number is a literal of {dtype.name}")


def _fold(op: str, left: float, right: float) -> float:
    try:
        match op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left / right
            case _:
                return fmod(left, right)
    except ZeroDivisionError:
        infinite = left != 0.0 and left == left
        return float("inf") * left if infinite else float("nan")
    except (ValueError, OverflowError):
        return float("nan")


def _ci_binary(
    ctx: Context, op: str, left: Dim, right: Dim, span: Span, right_span: Span
) -> Value | None:
    match op:
        case "+":
            return _computed(ctx, left + right, left, right, span)
        case "-":
            return _computed(ctx, left - right, left, right, span)
        case "*":
            return _computed(ctx, left * right, left, right, span)
        case "/" | "%":
            if ctx.makes_claims and not ctx.require_divisor(right, right_span):
                return invalid(span)
            value = as_constant(right)
            if value is not None and value <= 0 and not ctx.makes_claims:
                # In a `where`: unsatisfied when bound [DIM-5], so it is no usable fact.
                return invalid(span)
            return Ci(left // right if op == "/" else left % right, span)
        case _:
            a, b = as_constant(left), as_constant(right)
            if a is None or b is None:
                return None
            return Ci(constant({"&": a & b, "|": a | b}.get(op, a ^ b)), span)


def _computed(ctx: Context, result: Dim, left: Dim, right: Dim, span: Span) -> Value:
    if is_lost(result, left, right):
        ctx.report(problems.integer_too_large(span))
        return invalid(span)
    return Ci(result, span)


def ci_extreme(name: str, left: Dim, right: Dim) -> Dim:
    """`min` or `max` of two compile-time integers [PRE-4]."""
    return dim_min(left, right) if name == "min" else dim_max(left, right)


# Typed operands ---------------------------------------------------------------------------


def share_dtype(ctx: Context, values: Sequence[Value]) -> list[Expr]:
    """Nodes for operands that should have one dtype: contextual ones adopt a typed one's."""
    known = next(
        (
            value.type.dtype
            for value in values
            if not isinstance(value, Contextual) and isinstance(value.type, TensorType)
        ),
        None,
    )
    out: list[Expr] = []
    for value in values:
        if isinstance(value, Ci | Pending) and known is not None and adopts(value, known):
            out.append(adopt(ctx, value, known))
        else:
            out.append(settle(ctx, value))
    return out


def elementwise(ctx: Context, op_span: Span, span: Span, op: str, left: Expr, right: Expr) -> Expr:
    """A typed binary operator with its operands broadcast."""
    if isinstance(left.type, ErrorType) or isinstance(right.type, ErrorType):
        return invalid(span)
    if op in _ARITHMETIC:
        needs = "numbers"
    elif op in _BITWISE:
        needs = "integers or `bool`s"
    else:
        needs = "scalars or tensors of one dtype" if op in ("==", "!=") else "numbers"
    for side in (left, right):
        if not _allows(side, op):
            ctx.report(problems.operator_type(side.span, op, needs, show_type(side.type)))
            return invalid(span)
    assert isinstance(left.type, TensorType)
    assert isinstance(right.type, TensorType)
    if left.type.dtype != right.type.dtype:
        ctx.report(
            problems.dtypes_differ(
                op_span, f"`{op}`", left.span, left.type.dtype.name, right.span,
                right.type.dtype.name,
            )
        )  # fmt: skip
        return invalid(span)
    stretched = broadcast(ctx, (left, right), op_span, f"`{op}`")
    if stretched is None:
        return invalid(span)
    shape, nodes = stretched
    if op in _COMPARISONS:
        return Compare(TensorType(shape, BOOL), span, _COMPARISONS[op], *nodes)
    name = _ARITHMETIC.get(op) or _BITWISE[op]
    return Binary(TensorType(shape, left.type.dtype), span, name, *nodes)


def _allows(side: Expr, op: str) -> bool:
    if not isinstance(side.type, TensorType):
        return False
    dtype = side.type.dtype
    if op in ("==", "!="):
        return True
    if op in _BITWISE:
        return dtype == BOOL or belongs(dtype, Kind.INTEGER)
    return belongs(dtype, Kind.NUMERIC)


# Broadcasting -----------------------------------------------------------------------------


def broadcast(
    ctx: Context, operands: Sequence[Expr], span: Span, what: str
) -> tuple[Shape, list[Expr]] | None:
    """The common shape of tensor operands and the operands stretched to it [DIM-18]."""
    shapes = [node.type.shape for node in operands if isinstance(node.type, TensorType)]
    shape = shapes[0]
    widest = operands[0]
    for node, other in zip(operands[1:], shapes[1:], strict=True):
        record = Broadcasts(
            span, what, widest.span, show_sizes(shape), node.span, show_sizes(other),
            origins=origins_of(ctx, (widest, node)),
        )  # fmt: skip
        joined = join_shapes(ctx, shape, other, record)
        if joined is None:
            return None
        if len(other) > len(shape):
            widest = node
        shape = joined
    return shape, [stretch(node, shape, span, what) for node in operands]


def stretch(node: Expr, shape: Shape, span: Span, what: str) -> Expr:
    """An operand in a shape that it was shown to broadcast to."""
    assert isinstance(node.type, TensorType)
    if node.type.shape == shape:
        return node
    here = show_sizes(node.type.shape)
    record = Broadcasts(span, what, node.span, here, span, show_sizes(shape))
    return Broadcast(TensorType(shape, node.type.dtype), node.span, node, record)


def broadcast_into(
    ctx: Context, node: Expr, shape: Shape, place: Span, what: str, axes: Sequence[Span] = ()
) -> Expr | None:
    """An operand stretched to a given shape; each axis equals it or is 1, else `E2207` [PRE-8].

    `axes` are the places of the axes, from the right, as far as they are written.
    """
    assert isinstance(node.type, TensorType)
    have = node.type.shape
    record = Broadcasts(
        place, what, node.span, show_sizes(have), place, show_sizes(shape),
        origins=origins_of(ctx, (node,)),
    )  # fmt: skip
    if len(have) > len(shape):
        ctx.refuse(record, Outcome(f"rank of {show_shape(have)}", "refuted"))
        return None
    for at, (a, b) in enumerate(zip(reversed(have), reversed(shape), strict=False), 1):
        record = replace(record, axis=at, span=axes[at - 1] if at <= len(axes) else place)
        if isinstance(a, Pack) or isinstance(b, Pack):
            if a != b and a != ONE:
                ctx.refuse(record, Outcome(f"{_text(a)} == {_text(b)}", "unknown"))
                return None
        elif not (ctx.equal(a, b) or ctx.equal(a, ONE)):
            ctx.refuse(record, apart(ctx, a, b))
            return None
    return stretch(node, shape, place, what)


def join_shapes(ctx: Context, left: Shape, right: Shape, record: Broadcasts) -> Shape | None:
    """The shape of a broadcast; what cannot be proven is reported as `E2207`."""
    if left == right or not right:
        return left
    if not left:
        return right
    out: list[Dim | Pack] = []
    for index in range(1, min(len(left), len(right)) + 1):
        a, b = left[-index], right[-index]
        if isinstance(a, Pack) or isinstance(b, Pack):
            if a != b:
                outcome = Outcome(f"{_text(a)} == {_text(b)}", "unknown")
                ctx.refuse(replace(record, axis=index), outcome)
                return None
            out.append(a)
            continue
        joined = _join_axis(ctx, a, b, replace(record, axis=index))
        if joined is None:
            return None
        out.append(joined)
    longer = left if len(left) > len(right) else right
    lead = longer[: len(longer) - len(out)]
    return (*lead, *reversed(out))


def _join_axis(ctx: Context, a: Dim, b: Dim, record: Broadcasts) -> Dim | None:
    if a == b or b == ONE:
        return a
    if a == ONE:
        return b
    if ctx.equal(a, ONE):
        return b
    if ctx.equal(b, ONE) or ctx.equal(a, b):
        return a
    ctx.refuse(record, apart(ctx, a, b))
    return None


def apart(ctx: Context, a: Dim, b: Dim) -> Outcome:
    """Why two sizes do not broadcast: a witness has neither of them 1."""
    plain = [fact for side in (a, b) for fact in _not_one(side)]
    return ask(facts_of((*ctx.known, *plain)), compare("==", a, b))


def _not_one(side: Dim) -> list[Constraint]:
    return [] if as_constant(side) is not None else [compare("!=", side, ONE)]


def _text(element: Dim | Pack) -> str:
    return f"*{element.name}" if isinstance(element, Pack) else str(element)
