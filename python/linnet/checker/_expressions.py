"""Every form of expression, sent to the part of the checker that knows it."""

from linnet.checker import _problems as problems
from linnet.checker._branches import infer_if, infer_match
from linnet.checker._calls import infer_call
from linnet.checker._context import Context
from linnet.checker._convert import as_value
from linnet.checker._dims import constant
from linnet.checker._index_notation import infer_access, infer_reduction
from linnet.checker._indexing import infer_index
from linnet.checker._members import infer_member, infer_name
from linnet.checker._operators import infer_binary, infer_unary, pending_of
from linnet.checker._program import Constant, Expr, Some, Tuple
from linnet.checker._types import BOOL, Dtype, OptionalType, TupleType, scalar
from linnet.checker._values import (
    Ci,
    Contextual,
    PendingNone,
    PendingSome,
    PendingTuple,
    Value,
    invalid,
    is_invalid,
)
from linnet.syntax import (
    Binary,
    BoolLiteral,
    Call,
    FloatLiteral,
    If,
    Index,
    IntLiteral,
    Match,
    Member,
    Name,
    NoneExpr,
    Reduction,
    ShapeLiteral,
    SomeExpr,
    StringLiteral,
    TupleExpr,
    Unary,
)
from linnet.syntax import Expr as ExprSyntax


class ExpressionContext(Context):
    """A context that knows every form of expression."""

    def infer(self, expr: ExprSyntax) -> Value:
        """The node or contextual value of an expression; problems are reported."""
        match expr:
            case Name():
                return infer_name(self, expr)
            case IntLiteral(value, span):
                return Ci(constant(value), span)
            case FloatLiteral(_, value, span):
                return pending_of(True, value, span, _no_dtype)
            case BoolLiteral(value, span):
                return Constant(scalar(BOOL), span, value)
            case StringLiteral(_, span):
                self.report(problems.not_implemented(span, "a string value"))
                return invalid(span)
            case NoneExpr(span):
                if self.elements is not None:
                    self.report(problems.not_in_elements(span, "`none`"))
                    return invalid(span)
                return PendingNone(span)
            case SomeExpr():
                return self._some(expr)
            case TupleExpr():
                return self._tuple(expr)
            case ShapeLiteral(_, span):
                self.report(problems.shape_as_value(span))
                return invalid(span)
            case Unary():
                return infer_unary(self, expr)
            case Binary():
                return infer_binary(self, expr)
            case Call():
                return infer_call(self, expr)
            case Index():
                return (
                    infer_index(self, expr) if self.elements is None else infer_access(self, expr)
                )
            case Member():
                return infer_member(self, expr)
            case Reduction():
                return infer_reduction(self, expr)
            case If():
                return infer_if(self, expr)
            case Match():
                return infer_match(self, expr)

    def _some(self, expr: SomeExpr) -> Value:
        if self.elements is not None:
            self.report(problems.not_in_elements(expr.span, "an optional"))
            return invalid(expr.span)
        value = as_value(self, self.infer(expr.value))
        if is_invalid(value):
            return invalid(expr.span)
        if isinstance(value, Contextual):
            return PendingSome(value, expr.span)
        if isinstance(value.type, OptionalType):
            self.report(problems.nested_optional(expr.span))
            return invalid(expr.span)
        return Some(OptionalType(value.type), expr.span, value)

    def _tuple(self, expr: TupleExpr) -> Value:
        if self.elements is not None:
            self.report(problems.not_in_elements(expr.span, "a tuple"))
            return invalid(expr.span)
        values = [as_value(self, self.infer(element)) for element in expr.elements]
        if any(is_invalid(value) for value in values):
            return invalid(expr.span)
        nodes: list[Expr] = [value for value in values if not isinstance(value, Contextual)]
        if len(nodes) != len(values):
            return PendingTuple(tuple(values), expr.span)
        type_ = TupleType(tuple(node.type for node in nodes))
        return Tuple(type_, expr.span, tuple(nodes))


def _no_dtype(dtype: Dtype) -> Expr:
    raise AssertionError(f"a known number is a literal of {dtype.name}")
