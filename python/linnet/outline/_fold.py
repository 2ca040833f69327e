"""Numbers that are known before a program runs, computed as it would compute them."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from linnet.core import Op
from linnet.outline._text import ATOM, UNARY, Expr, hole, shown
from linnet.signature import numpy_dtype

_FLOATS = ("f16", "bf16", "f32", "f64")


def literal_text(literal: bool | int | float, dtype: str) -> str:
    """The number that a literal is in a dtype, rounded or wrapped [TYP-13], as Python has it."""
    if dtype == "bool":
        return str(bool(literal))
    if _is_float(dtype):
        with np.errstate(over="ignore"):
            value = float(np.asarray(float(literal), np.float64).astype(numpy_dtype(dtype)))
        if math.isinf(value) or math.isnan(value):
            return f'float("{value}")'
        # The shortest text that is the same number there.
        text = repr(float(str(np.float32(value)))) if dtype == "f32" else repr(value)
        return text.replace("e+", "e")
    bits = numpy_dtype(dtype).itemsize * 8
    least = 0 if dtype[0] == "u" else -(1 << (bits - 1))
    most = least + (1 << bits) - 1
    if isinstance(literal, float):
        if math.isnan(literal):
            return "0"
        if math.isinf(literal):
            return str(most if literal > 0 else least)
        return str(max(min(int(literal), most), least))
    wrapped = literal % (1 << bits)
    return str(wrapped - (1 << bits) if wrapped > most else wrapped)


def folded(op: Op, operands: Sequence[Expr]) -> Expr | None:
    """A number that an op makes of numbers, or None."""
    result = op.results[0].type
    if op.name != "cast" and op.name not in _FOLD:
        return None
    if result.shape or not operands or not all(operand.literal for operand in operands):
        return None
    if op.name == "cast":
        return _cast_number(operands[0], op.operands[0].type.dtype, result.dtype)
    numbers = [_value(operand) for operand in operands]
    if not _is_float(result.dtype) or any(number is None for number in numbers):
        return None
    dtype = numpy_dtype(result.dtype)
    wide = dtype if result.dtype in ("f32", "f64") else numpy_dtype("f32")
    with np.errstate(all="ignore"):
        made = _FOLD[op.name](*(np.asarray(number, wide) for number in numbers))
        return number_expr(float(np.asarray(made).astype(dtype)), result.dtype)


def _cast_number(x: Expr, from_: str, to: str) -> Expr | None:
    """A number in another dtype; None where only a tensor converts as it should."""
    text = shown(x.text)
    if "bool" in (from_, to):
        return None
    number = int(text) if re.fullmatch(r"-?\d+", text) else _value(x)
    if number is not None:
        if _is_float(to):
            return number_expr(float(number), to)
        made = literal_text(number, to)
        # Frameworks differ in how they take what is larger.
        if abs(int(made)) >= 1 << 63:
            return None
        return Expr(made, (), UNARY if made.startswith("-") else ATOM, literal=True)
    # A size by its name: a whole number that is not large.
    keeps = not _is_float(from_) and (_is_float(to) or to in ("i32", "i64", "u32", "u64"))
    return x if keeps or from_ == to else None


def _reciprocal_root(x: Any) -> Any:
    return 1 / np.sqrt(x)


def _is_float(dtype: str) -> bool:
    return dtype in _FLOATS


_FOLD: Mapping[str, Callable[..., Any]] = {
    "neg": np.negative,
    "sqrt": np.sqrt,
    "rsqrt": _reciprocal_root,
    "exp": np.exp,
    "log": np.log,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
}


def _value(expr: Expr) -> float | None:
    try:
        return float(shown(expr.text))
    except ValueError:
        return None


def number_expr(number: float, dtype: str) -> Expr:
    """A number as text."""
    text = literal_text(number, dtype)
    binding = UNARY if text.startswith("-") else ATOM
    if number.is_integer() and 1 < number < 1e15:
        text = hole(float(text) if _is_float(dtype) else int(text))
    return Expr(text, (), binding, literal=True)
