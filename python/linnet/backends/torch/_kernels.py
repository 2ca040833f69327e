"""Ops of `std` as PyTorch's own kernels: the same mathematics, rounded otherwise.

A kernel is chosen by the name of the op that was called; where it could not do the same for the
sizes or options at hand, the body of the op is written instead.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from linnet.backends.torch._ops import exactly
from linnet.core import Op, Value
from linnet.outline import DEVICE, Body, Expr, hole

_CAUSAL = "std.nn.attention::causal_mask"


@dataclass(frozen=True, slots=True)
class _Call:
    op: Op
    operands: Mapping[str, Expr]
    values: Mapping[str, Value]
    generics: Mapping[str, str]
    body: Body

    def has(self, name: str) -> bool:
        return name in self.operands

    def text(self, name: str) -> str:
        """An argument, as a whole tensor or a number."""
        expr, value = self.operands[name], self.values[name]
        return expr.text if expr.literal else exactly(expr, value.type, self.body).text

    def atom(self, name: str) -> str:
        expr, value = self.operands[name], self.values[name]
        return exactly(expr, value.type, self.body).atom

    def number(self, name: str) -> str | None:
        """An argument that is known as a number, or None."""
        expr = self.operands.get(name)
        return expr.text if expr is not None and expr.literal else None

    def generic(self, name: str) -> int | None:
        text = self.generics.get(name, "")
        return int(text) if text.isdigit() else None


def kernel(op: Op, operands: Sequence[Expr], body: Body) -> Expr | None:
    """The kernel for a call that was kept, or None where there is none."""
    make = _KERNELS.get(str(op.attributes["callee"]))
    if make is None or len(op.results) != 1:
        return None
    names = cast("tuple[str, ...]", op.attributes["names"])
    generics = cast("tuple[str, ...]", op.attributes.get("generics", ()))
    call = _Call(
        op,
        dict(zip(names, operands, strict=True)),
        dict(zip(names, op.operands, strict=True)),
        dict(item.split("=", 1) for item in generics),
        body,
    )
    text = make(call)
    return None if text is None else Expr(text, op.results[0].type.shape, cost=2)


def _named(call: _Call, name: str, *parts: str) -> str:
    del call
    return f"{name}({', '.join(part for part in parts if part)})"


def _layer_norm(call: _Call) -> str | None:
    eps = call.number("eps") if call.has("eps") else "1e-05"
    if eps is None:
        return None
    bias = call.text("bias") if call.has("bias") else ("None" if eps != "1e-05" else "")
    shape = f"{call.atom('weight')}.shape"
    given = "" if eps == "1e-05" else eps
    return _named(call, "F.layer_norm", call.text("x"), shape, call.text("weight"), bias, given)


def _rms_norm(call: _Call) -> str | None:
    eps = call.number("eps") if call.has("eps") else "1e-05"
    if eps is None:
        return None
    shape = f"{call.atom('weight')}.shape"
    return _named(call, "F.rms_norm", call.text("x"), shape, call.text("weight"), eps)


def _batch_norm(call: _Call) -> str | None:
    eps = call.number("eps") if call.has("eps") else "1e-05"
    if eps is None:
        return None
    names = ("x", "mean", "variance", "weight", "bias")
    given = "" if eps == "1e-05" else f"eps={eps}"
    return _named(call, "F.batch_norm", *map(call.text, names), given)


def _group_norm(call: _Call) -> str | None:
    eps = call.number("eps") if call.has("eps") else "1e-06"
    groups = call.generic("Groups")
    if eps is None or groups is None:
        return None
    return _named(
        call,
        "F.group_norm",
        call.text("x"),
        str(groups),
        call.text("weight"),
        call.text("bias"),
        eps,
    )


def _of_one(text: str) -> Callable[[_Call], str | None]:
    return lambda call: text.format(call.text("x"))


def _linear(call: _Call) -> str | None:
    bias = call.text("bias") if call.has("bias") else ""
    return _named(call, "F.linear", call.text("x"), call.text("weight"), bias)


def _embedding(call: _Call) -> str | None:
    return _named(call, "F.embedding", call.text("ids"), call.text("table"))


def _attention(call: _Call) -> str | None:
    """A masked score is a finite number in `std`: a row that sees nothing averages all values,
    where a mask of PyTorch's would give NaN. So the mask is added as numbers."""
    grouped = "enable_gqa=True" if "grouped" in str(call.op.attributes["callee"]) else ""
    scale = call.number("scale")
    if scale is None:
        return None
    mask = ""
    if call.has("mask"):
        shape = call.values["mask"].type.shape
        made = call.body.definition(call.values["mask"])
        if made is not None and made.attributes.get("callee") == _CAUSAL and shape[0] == shape[1]:
            mask = "is_causal=True"
        else:
            dtype = call.values["query"].type.dtype
            if dtype == "f16":
                # It has no number so low that scores vanish beside it.
                return None
            allowed = call.text("mask")
            if len(shape) == 3:
                allowed = f"{call.atom('mask')}[:, None]"
            bias = f"torch.where({allowed}, 0.0, -1e30)"
            cast_ = {"f32": "", "f64": ".double()", "bf16": ".bfloat16()"}[dtype]
            mask = f"attn_mask={bias}{cast_}"
    names = ("query", "key", "value")
    return _named(
        call,
        "F.scaled_dot_product_attention",
        *map(call.text, names),
        mask,
        f"scale={scale}",
        grouped,
    )


def _pair(call: _Call, one: str, two: str) -> str | None:
    first, second = call.generic(one), call.generic(two)
    if first is None or second is None:
        return None
    return hole(first) if first == second else f"({hole(first)}, {hole(second)})"


def _convolution(call: _Call, name: str, stride: str | None, pad: str | None) -> str | None:
    if stride is None or pad is None:
        return None
    bias = call.text("bias") if call.has("bias") else ""
    return _named(
        call,
        name,
        call.text("x"),
        call.text("weight"),
        bias,
        f"stride={stride}",
        f"padding={pad}",
    )


def _conv2d(call: _Call) -> str | None:
    return _convolution(
        call, "F.conv2d", _pair(call, "Stride", "Stride"), _pair(call, "Pad", "Pad")
    )


def _conv2d_rect(call: _Call) -> str | None:
    return _convolution(call, "F.conv2d", _pair(call, "Sh", "Sw"), _pair(call, "Ph", "Pw"))


def _conv1d(call: _Call) -> str | None:
    return _convolution(
        call, "F.conv1d", _pair(call, "Stride", "Stride"), _pair(call, "Pad", "Pad")
    )


def _max_pool(call: _Call) -> str | None:
    window, stride, pad = (call.generic(name) for name in ("K", "Stride", "Pad"))
    if window is None or stride is None or pad is None or 2 * pad > window:
        return None
    given = (hole(window), f"stride={hole(stride)}", f"padding={hole(pad)}")
    return _named(call, "F.max_pool2d", call.text("x"), *given)


def _average_pool(call: _Call) -> str | None:
    return f"{call.atom('x')}.mean((-2, -1))"


_KERNELS: Mapping[str, Callable[[_Call], str | None]] = {
    "std.nn.norm::layer_norm": _layer_norm,
    "std.nn.norm::rms_norm": _rms_norm,
    "std.nn.norm::batch_norm": _batch_norm,
    "std.nn.norm::group_norm": _group_norm,
    "std.nn.activations::relu": _of_one("F.relu({})"),
    "std.nn.activations::sigmoid": _of_one("torch.sigmoid({})"),
    "std.nn.activations::silu": _of_one("F.silu({})"),
    "std.nn.activations::gelu": _of_one('F.gelu({}, approximate="tanh")'),
    "std.nn.activations::gelu_erf": _of_one("F.gelu({})"),
    "std.nn.softmax::softmax": _of_one("F.softmax({}, dim=-1)"),
    "std.nn.linear::linear": _linear,
    "std.nn.embedding::embedding": _embedding,
    "std.nn.attention::attention": _attention,
    "std.nn.attention::attention_rows": _attention,
    "std.nn.attention::grouped_attention": _attention,
    "std.nn.attention::grouped_attention_rows": _attention,
    "std.nn.conv::conv2d": _conv2d,
    "std.nn.conv::conv2d_rect": _conv2d_rect,
    "std.nn.conv::conv1d": _conv1d,
    "std.nn.pool::max_pool2d": _max_pool,
    "std.nn.pool::global_average_pool2d": _average_pool,
}

# Writes into a state, in place; the parameters are those of the op.
IN_PLACE: Mapping[str, tuple[str, ...]] = {
    "std.nn.cache::write_at": (
        '"""Write `value` at position `at`, or nothing where that is outside."""',
        "place = at.clamp(0, cache.shape[2] - 1).reshape(1)",
        "kept = cache.index_select(2, place)",
        "cache.index_copy_(2, place.long(), torch.where(place == at, value, kept))",
        "return cache",
    ),
    "std.nn.cache::write_span": (
        '"""Write `value` at positions `at` and on, as far as they are inside."""',
        "size, count = cache.shape[2], value.shape[2]",
        "first = at.clamp(0, max(size - count, 0))",
        f"places = first + torch.arange(min(size, count), device={DEVICE})",
        "source = places - at",
        "inside = (source >= 0) & (source < count)",
        "rows = value[:, :, source.clamp(0, count - 1)]",
        "kept = cache[:, :, places]",
        "cache.index_copy_(2, places, torch.where(inside[:, None], rows, kept))",
        "return cache",
    ),
    "std.nn.cache::write_rows": (
        '"""Write row `b` of `value` at position `at[b]`, or nothing where that is outside."""',
        "place = at.clamp(0, cache.shape[2] - 1).long()",
        f"rows = torch.arange(cache.shape[0], device={DEVICE})",
        "inside = (place == at)[:, None, None]",
        "cache[rows, :, place] = torch.where(inside, value[:, :, 0], cache[rows, :, place])",
        "return cache",
    ),
}
