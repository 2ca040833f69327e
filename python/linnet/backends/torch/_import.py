"""From a PyTorch module to a Linnet program: `torch.export`, then op by op.

What is known of an op here is known for every dtype and shape that `torch.export` lets through; an
op, an option or a size outside of that is refused by name.

Longer than other files: one table of ops, so that what is missing is seen beside the others.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from linnet.backends.torch._build import require_torch, to_numpy
from linnet.errors import CapabilityError, UsageError

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

_DTYPES = {
    "torch.bool": "bool",
    "torch.int8": "i8",
    "torch.int16": "i16",
    "torch.int32": "i32",
    "torch.int64": "i64",
    "torch.uint8": "u8",
    "torch.float16": "f16",
    "torch.bfloat16": "bf16",
    "torch.float32": "f32",
    "torch.float64": "f64",
}
_INDICES = "abcdefghijklmnopqrstuvwxyz"
# Words of the language, and what std and the prelude give.
_WORDS = """let var fn op pub entry block param buffer state sub use module where for while if else
match some none static return yield struct enum kernel true false cast exp log sqrt rsqrt sin cos
tanh abs min max shl shr select reshape broadcast_to permute concat iota fill cumsum sum prod any
all linear layer_norm gelu gelu_erf relu sigmoid silu softmax attention grouped_attention
causal_mask embedding conv2d_rect max_pool2d batch_norm in as grad"""
_TAKEN = frozenset(_WORDS.split())


@dataclass(frozen=True, slots=True)
class Exported:
    """`text` is the program; `bindings` gives, by path, the name in the module's `state_dict`;
    `weights` the tensors by path. `generics` are the sizes of the root, which has none."""

    text: str
    bindings: Mapping[str, str]
    weights: "Mapping[str, NDArray[Any]]"

    def write(self, path: Path) -> None:
        """Write the program."""
        path.write_text(self.text, encoding="utf-8")


def export_linnet(
    module: "torch.nn.Module",
    examples: "Sequence[torch.Tensor]",
    *,
    name: str = "model",
    dynamic_shapes: object = None,
) -> Exported:
    """Write a module as a Linnet program with the entry `forward`.

    `examples` are inputs of the shapes and dtypes that it is called with; `dynamic_shapes` says, as
    for `torch.export.export`, which sizes stay open. The module is taken in `eval` mode.

    CapabilityError where PyTorch is missing, where `torch.export` refuses the module, and for each
    op that Linnet has no counterpart of, by its name.
    """
    require_torch()
    import torch

    if not re.fullmatch(r"[a-z]\w*", name):
        raise UsageError(f"`{name}` is no name of a module", "write a word such as `model`")
    before = module.training
    module.eval()
    try:
        program = torch.export.export(
            module, tuple(examples), dynamic_shapes=cast(Any, dynamic_shapes)
        )
    except Exception as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise CapabilityError(
            f"torch.export refuses the module: {reason}", "see torch.export"
        ) from None
    finally:
        module.train(before)
    # Without decompositions, this leaves the ops as they are, but none that writes in place.
    program = cast(Any, program).run_decompositions({})
    return _Writer(program, name).exported()


@dataclass
class _Node:
    """A value: its text in the program, and whether it stands in brackets already."""

    text: str
    dtype: str
    shape: tuple[str, ...]
    source: Any = field(default=None)


class _Writer:
    def __init__(self, program: Any, name: str) -> None:
        self._program = program
        self._name = name
        self._values: dict[Any, _Node] = {}
        self._lines: list[str] = []
        self._uses: dict[str, set[str]] = {}
        self._names: set[str] = set(_TAKEN)
        self._symbols: dict[str, str] = {}
        self._bindings: dict[str, str] = {}
        self._weights: dict[str, Any] = {}
        self._members: list[tuple[str, str, str]] = []

    def exported(self) -> Exported:
        signature = self._program.graph_signature
        parameters = dict(signature.inputs_to_parameters)
        buffers = dict(signature.inputs_to_buffers)
        constants = dict(signature.inputs_to_lifted_tensor_constants)
        if signature.buffers_to_mutate or signature.user_inputs_to_mutate:
            raise CapabilityError("the module writes its buffers or inputs", "export it without")
        inputs: list[str] = []
        results: Sequence[Any] = ()
        for node in self._program.graph.nodes:
            match node.op:
                case "placeholder":
                    if node.name in parameters:
                        self._member(node, parameters[node.name], "param")
                    elif node.name in buffers:
                        self._member(node, buffers[node.name], "buffer")
                    elif node.name in constants:
                        self._member(node, constants[node.name], "buffer")
                    else:
                        inputs.append(self._input(node))
                case "call_function":
                    self._call(node)
                case "output":
                    results = node.args[0]
                case _:
                    raise CapabilityError(f"torch.export gives a `{node.op}`", "export it without")
        return Exported(self._text(inputs, results), self._bindings, self._weights)

    # Names, types and sizes.

    def _fresh(self, wanted: str) -> str:
        base = re.sub(r"\W", "_", wanted).lower().strip("_") or "value"
        base = base if base[0].isalpha() else f"v{base}"
        name, number = base, 1
        while name in self._names:
            name, number = f"{base}_{number}", number + 1
        self._names.add(name)
        return name

    def _dtype(self, tensor: Any) -> str:
        found = _DTYPES.get(str(tensor.dtype))
        if found is None:
            raise CapabilityError(f"Linnet has no dtype for {tensor.dtype}", "cast it before")
        return found

    def _size(self, size: Any) -> str:
        text = str(size)
        if re.fullmatch(r"-?\d+", text):
            return text
        if "//" in text or "Mod" in text or "Max" in text or "Min" in text or "/" in text:
            raise CapabilityError(f"the size {text} of an open shape", "fix it with its example")
        for symbol in re.findall(r"[a-z]\w*", text):
            if symbol not in self._symbols:
                letter = "BSNMKLPQR"[len(self._symbols) : len(self._symbols) + 1]
                self._symbols[symbol] = letter or f"D{len(self._symbols)}"
        return re.sub(r"[a-z]\w*", lambda found: self._symbols[found[0]], text)

    def _shape(self, tensor: Any) -> tuple[str, ...]:
        return tuple(self._size(size) for size in tensor.shape)

    def _type(self, dtype: str, shape: Sequence[str]) -> str:
        return f"Tensor[{', '.join(shape)}; {dtype}]" if shape else dtype

    def _member(self, node: Any, target: str, kind: str) -> None:
        tensor = self._program.state_dict.get(target)
        if tensor is None:
            tensor = self._program.constants[target]
        if not node.users:
            return
        dtype, shape = self._dtype(tensor), tuple(map(str, tensor.shape))
        if not shape:
            raise CapabilityError(f"`{target}` has no axis", "give it one of one element")
        path = self._fresh(target.replace(".", "_"))
        self._members.append((kind, path, self._type(dtype, shape)))
        self._bindings[path] = target
        self._weights[path] = to_numpy(tensor)
        self._values[node] = _Node(path, dtype, shape)

    def _input(self, node: Any) -> str:
        value = node.meta["val"]
        if not hasattr(value, "dtype"):
            raise CapabilityError(f"the input `{node.name}` is no tensor", "give a tensor")
        name = self._fresh(node.name)
        dtype, shape = self._dtype(value), self._shape(value)
        self._values[node] = _Node(name, dtype, shape)
        return f"{name}: {self._type(dtype, shape)}"

    def _text(self, inputs: list[str], results: Sequence[Any]) -> str:
        given = [self._values[result] for result in results]
        types = [self._type(node.dtype, node.shape) for node in given]
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        values = ", ".join(node.text for node in given)
        generics = ", ".join(f"{name}: Dim" for name in self._symbols.values())
        generics = f"<{generics}>" if generics else ""
        lines = [f"module {self._name}", ""]
        lines += [
            f"use {room}::{{{', '.join(sorted(n))}}}" for room, n in sorted(self._uses.items())
        ]
        lines += ["", "pub block Model {"]
        lines += [f"    {kind} {path}: {type_}" for kind, path, type_ in self._members]
        lines += ["", f"    pub entry forward{generics}({', '.join(inputs)}) -> {result} {{"]
        lines += [f"        {line}" for line in self._lines]
        lines += [
            f"        return {values if len(given) == 1 else f'({values})'}",
            "    }",
            "}",
            "",
        ]
        text = "\n".join(lines)
        from linnet.formatter import format_source
        from linnet.source import decode

        return format_source(decode(text.encode(), f"{self._name}.linnet")).text or text

    # Ops.

    def _call(self, node: Any) -> None:
        name = str(node.target)
        make = OPS.get(name)
        if name == "aten.sym_size.int" or name in (*_SPLITS, _NORM):
            return
        schema = getattr(node.target, "_schema", None)
        if schema is not None and schema.is_mutable:
            raise CapabilityError(f"`{name}` writes into a tensor", "export it without")
        if node.target is operator.getitem:
            name, make = "getitem", _part
        if make is None:
            raise CapabilityError(f"Linnet's import has no `{name}`", "write that part in Linnet")
        value = node.meta["val"]
        call = _Op(self, node, name)
        text = make(call)
        if text == "":
            self._values[node] = self._values[node.args[0]]
            return
        dtype, shape = self._dtype(value), self._shape(value)
        called = self._fresh(call.called or node.name)
        self._lines.append(text.replace("\0", called) if "\0" in text else f"let {called} = {text}")
        self._values[node] = _Node(called, dtype, shape)

    def use(self, room: str, name: str) -> str:
        """Import an item of std."""
        self._uses.setdefault(room, set()).add(name)
        return name

    def emit(self, line: str) -> None:
        """Add a statement."""
        self._lines.append(line)

    def fresh(self, wanted: str) -> str:
        """A name that is not taken."""
        return self._fresh(wanted)

    def operand(self, value: Any) -> str:
        """The text of an argument."""
        if value in self._values:
            return self._values[value].text
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return repr(value)
        raise CapabilityError(f"the argument {value} of an op", "write that part in Linnet")

    def node(self, value: Any) -> _Node:
        return self._values[value]

    def size(self, value: Any) -> str:
        """A size that is a number or a value of the graph."""
        return self._size(value.meta["val"]) if hasattr(value, "meta") else self._size(value)

    def shape(self, tensor: Any) -> tuple[str, ...]:
        return self._shape(tensor)

    def dtype(self, tensor: Any) -> str:
        return self._dtype(tensor)


@dataclass
class _Op:
    writer: _Writer
    node: Any
    name: str
    called: str = ""

    def arg(self, index: int, default: Any = None) -> Any:
        """An argument, by its place or its name in the schema."""
        if index < len(self.node.args):
            return self.node.args[index]
        schema = self.node.target._schema.arguments[index]
        return self.node.kwargs.get(schema.name, default)

    def text(self, index: int) -> str:
        return self.writer.operand(self.arg(index))

    def value(self, index: int) -> _Node:
        return self.writer.node(self.arg(index))

    @property
    def shape(self) -> tuple[str, ...]:
        return self.writer.shape(self.node.meta["val"])

    @property
    def dtype(self) -> str:
        return self.writer.dtype(self.node.meta["val"])

    def use(self, room: str, name: str) -> str:
        return self.writer.use(room, name)

    def only(self, index: int, *allowed: Any) -> None:
        """Refuse another value of an option."""
        found = self.arg(index, allowed[0])
        if found not in allowed:
            option = self.node.target._schema.arguments[index].name
            raise CapabilityError(
                f"Linnet's import has no `{self.name}` with {option}={found}", "write it in Linnet"
            )


def _elementwise(sign: str) -> Callable[[_Op], str]:
    def make(op: _Op) -> str:
        op.only(2, 1) if op.name.startswith(("aten.add", "aten.sub")) else None
        parts: list[str] = []
        for index in (0, 1):
            given = op.arg(index)
            if isinstance(given, int | float) and not isinstance(given, bool):
                number = float(given) if op.dtype[0] in "fb" and op.dtype != "bool" else given
                parts.append(f"cast<{op.dtype}>({number!r})" if number < 0 else repr(number))
            else:
                node = op.value(index)
                same = node.dtype == op.dtype or sign in ("==", "<", ">", "<=", ">=", "!=")
                parts.append(node.text if same else f"cast<{op.dtype}>({node.text})")
        return f"{parts[0]} {sign} {parts[1]}"

    return make


def _unary(form: str, room: str = "", name: str = "") -> Callable[[_Op], str]:
    def make(op: _Op) -> str:
        if room:
            op.use(room, name)
        return form.format(op.text(0))

    return make


def _gelu(op: _Op) -> str:
    tanh = op.arg(1, "none") == "tanh"
    name = op.use("std.nn.activations", "gelu" if tanh else "gelu_erf")
    return f"{name}({op.text(0)})"


def _some(op: _Op, index: int) -> str:
    return "none" if op.arg(index) is None else f"some({op.text(index)})"


def _linear(op: _Op) -> str:
    op.use("std.nn.linear", "linear")
    return f"linear({op.text(0)}, {op.text(1)}, {_some(op, 2)})"


def _layer_norm(op: _Op) -> str:
    if len(op.arg(1)) != 1 or op.arg(2) is None:
        raise CapabilityError("Linnet's import has no `aten.layer_norm` over several axes", None)
    op.use("std.nn.norm", "layer_norm")
    return f"layer_norm({op.text(0)}, {op.text(2)}, {_some(op, 3)}, {op.arg(4, 1e-5)!r})"


def _softmax(op: _Op) -> str:
    axis, rank = op.arg(1), len(op.shape)
    if axis not in (-1, rank - 1) or op.value(0).dtype != op.dtype:
        raise CapabilityError(
            "Linnet's import has `aten.softmax` over the last axis, in one dtype", None
        )
    op.use("std.nn.softmax", "softmax")
    return f"softmax({op.text(0)})"


def _attention(op: _Op) -> str:
    op.only(4, 0.0)
    query, key = op.value(0), op.value(1)
    if len(query.shape) != 4:
        raise CapabilityError(f"Linnet's import has `{op.name}` of four axes", None)
    scale = op.arg(6)
    width = float(query.shape[-1])
    scale = width**-0.5 if scale is None else float(scale)
    mask = "none"
    if op.arg(5, False):
        op.use("std.nn.attention", "causal_mask")
        mask = f"some(causal_mask<{query.shape[2]}, {key.shape[2]}>())"
        if query.shape[2] != key.shape[2]:
            raise CapabilityError(f"Linnet's import has a causal `{op.name}` of one length", None)
    elif op.arg(3) is not None:
        given = op.value(3)
        if given.dtype != "bool" or len(given.shape) != 2:
            raise CapabilityError(
                f"Linnet's import has `{op.name}` with a mask [Q, K] of bool", None
            )
        mask = f"some({given.text})"
    name = "grouped_attention" if op.arg(7, False) else "attention"
    op.use("std.nn.attention", name)
    return f"{name}({op.text(0)}, {op.text(1)}, {op.text(2)}, {scale!r}, {mask})"


def _matmul(op: _Op) -> str:
    left, right = op.value(0), op.value(1)
    if min(len(left.shape), len(right.shape)) < 2:
        raise CapabilityError(f"Linnet's import has `{op.name}` of two axes or more", None)
    if len(right.shape) == 2:
        batch = ""
    elif len(left.shape) == len(right.shape) and left.shape[:-2] == right.shape[:-2]:
        batch = "same"
    else:
        raise CapabilityError(f"Linnet's import has no `{op.name}` that broadcasts", None)
    out = list(_INDICES[: len(op.shape)])
    first = ", ".join([*out[:-1], "z"])
    second = ", ".join([*(out[:-2] if batch else []), "z", out[-1]])
    return f"let \0[{', '.join(out)}] = sum[z] {left.text}[{first}] * {right.text}[{second}]"


def _reshape(op: _Op) -> str:
    return f"reshape({op.text(0)}, [{', '.join(op.shape)}])"


def _permute(op: _Op) -> str:
    rank = len(op.shape)
    order = list(range(rank))
    if op.name.startswith("aten.transpose"):
        a, b = op.arg(1) % rank, op.arg(2) % rank
        order[a], order[b] = b, a
    elif op.name.startswith("aten.permute"):
        order = [axis % rank for axis in op.arg(1)]
    else:
        order = [1, 0] if rank == 2 else order
    return f"permute({op.text(0)}, {order})"


def _concat(op: _Op) -> str:
    parts = [op.writer.operand(part) for part in op.arg(0)]
    return f"concat({', '.join(parts)}, axis = {op.arg(1, 0) % len(op.shape)})"


def _slice(op: _Op) -> str:
    axis, start, stop, step = op.arg(1, 0), op.arg(2) or 0, op.arg(3), op.arg(4, 1)
    source = op.value(0)
    axis %= len(source.shape)
    if step != 1 or not isinstance(start, int) or start < 0:
        raise CapabilityError(
            "Linnet's import has `aten.slice.Tensor` of step 1 from a number", None
        )
    whole = stop is None or (isinstance(stop, int) and stop >= 2**62)
    if whole and start == 0:
        return ""
    size = str(cast(object, op.shape[axis]))
    stop_text = str(start + int(size)) if size.isdigit() else f"{start} + {size}"
    end = "" if whole else stop_text
    parts = [":"] * len(source.shape)
    parts[axis] = f"{start or ''}:{end}"
    return f"{source.text}[{', '.join(parts)}]"


def _select(op: _Op) -> str:
    source, axis, at = op.value(0), op.arg(1), op.arg(2)
    if not isinstance(at, int):
        raise CapabilityError("Linnet's import has `aten.select.int` at a number", None)
    axis %= len(source.shape)
    if at < 0:
        at = f"{source.shape[axis]} - {-at}"
    parts = [":"] * len(source.shape)
    parts[axis] = str(at)
    return f"{source.text}[{', '.join(parts)}]"


_SPLITS = ("aten.split.Tensor", "aten.split_with_sizes.default", "aten.chunk.default")


_NORM = "aten._native_batch_norm_legit_no_training.default"


def _part(op: _Op) -> str:
    """One of the parts that an axis is split into."""
    split, number = op.node.args
    if str(split.target) == _NORM and number == 0:
        return _batch_norm(_Op(op.writer, split, _NORM))
    if str(split.target) not in _SPLITS:
        raise CapabilityError(f"Linnet's import has no `{split.target}`", "write it in Linnet")
    source = op.writer.node(split.args[0])
    given = split.kwargs.get("dim", split.args[2] if len(split.args) > 2 else 0)
    axis = given % len(source.shape)
    given_parts: list[Any] = list(split.meta["val"])
    sizes: list[str] = [op.writer.shape(part)[axis] for part in given_parts]
    start = " + ".join(sizes[:number]) or "0"
    parts = [":"] * len(source.shape)
    parts[axis] = f"{start}:{' + '.join(sizes[: number + 1])}"
    return f"{source.text}[{', '.join(parts)}]"


def _reduced(kind: str) -> Callable[[_Op], str]:
    def make(op: _Op) -> str:
        source = op.value(0)
        axes = op.arg(1)
        rank = len(source.shape)
        if source.dtype != op.dtype:
            raise CapabilityError(f"Linnet's import has `{op.name}` in one dtype", "cast it before")
        chosen = range(rank) if not axes else [a % rank for a in axes]
        names = list(_INDICES[:rank])
        kept = [names[a] for a in range(rank) if a not in chosen]
        inner = ", ".join(names[a] for a in chosen)
        size = " * ".join(source.shape[a] for a in chosen) or "1"
        share = f" / ({size})" if kind == "mean" else ""
        how = "sum" if kind in ("mean", "sum") else kind
        body = f"{how}[{inner}] {source.text}[{', '.join(names)}]{share}"
        keep = bool(op.arg(2, False)) and len(op.shape) == rank
        flat = f"let \0[{', '.join(kept)}] = {body}" if kept else body
        if not keep:
            return flat
        before = op.writer.fresh("reduced")
        line = flat.replace("\0", before) if kept else f"let {before} = {flat}"
        op.writer.emit(line)
        return f"reshape({before}, [{', '.join(op.shape)}])"

    return make


def _embedding(op: _Op) -> str:
    op.use("std.nn.embedding", "embedding")
    ids = op.value(1)
    given = ids.text if ids.dtype == "i32" else f"cast<i32>({ids.text})"
    return f"embedding({given}, {op.text(0)})"


def _pairs(op: _Op, index: int, default: Sequence[int]) -> tuple[int, int]:
    given = op.arg(index)
    found = [given] if isinstance(given, int) else list(given or default)
    return (found[0], found[0]) if len(found) == 1 else (found[0], found[1])


def _conv2d(op: _Op) -> str:
    stride, pad = _pairs(op, 3, (1, 1)), _pairs(op, 4, (0, 0))
    if _pairs(op, 5, (1, 1)) != (1, 1) or op.arg(6, 1) != 1:
        raise CapabilityError(
            f"Linnet's import has no `{op.name}` that is dilated or grouped", None
        )
    x, weight = op.value(0), op.value(1)
    batch, channels, height, width = x.shape
    out, _, tall, wide = weight.shape
    op.use("std.nn.conv", "conv2d_rect")
    generics = [
        batch,
        channels,
        out,
        height,
        width,
        tall,
        wide,
        *map(str, (*stride, *pad)),
        x.dtype,
    ]
    return f"conv2d_rect<{', '.join(generics)}>({x.text}, {weight.text}, {_some(op, 2)})"


def _max_pool(op: _Op) -> str:
    window, stride, pad = _pairs(op, 1, ()), _pairs(op, 2, op.arg(1)), _pairs(op, 3, (0, 0))
    if (
        len({*window}) + len({*stride}) + len({*pad}) > 3
        or op.arg(5, False)
        or _pairs(op, 4, (1, 1)) != (1, 1)
    ):
        raise CapabilityError(f"Linnet's import has `{op.name}` with square windows", None)
    x = op.value(0)
    op.use("std.nn.pool", "max_pool2d")
    generics = [*x.shape, str(window[0]), str(stride[0]), str(pad[0]), x.dtype]
    return f"max_pool2d<{', '.join(generics)}>({x.text})"


def _batch_norm(op: _Op) -> str:
    if len(op.value(0).shape) != 4 or op.arg(1) is None or op.arg(2) is None:
        raise CapabilityError("Linnet's import has `aten.batch_norm` of images, with weights", None)
    op.use("std.nn.norm", "batch_norm")
    given = ", ".join(op.text(index) for index in (0, 3, 4, 1, 2))
    return f"batch_norm({given}, {op.arg(6, 1e-5)!r})"


def _same(op: _Op) -> str:
    if op.name == "aten.dropout.default":
        op.only(2, False)
    return ""


def _expand(op: _Op) -> str:
    return f"broadcast_to({op.text(0)}, [{', '.join(op.shape)}])"


def _to(op: _Op) -> str:
    return f"cast<{op.dtype}>({op.text(0)})" if op.value(0).dtype != op.dtype else ""


def _where(op: _Op) -> str:
    return f"select({op.text(0)}, {op.text(1)}, {op.text(2)})"


OPS: Mapping[str, Callable[[_Op], str]] = {
    **dict.fromkeys(("aten.add.Tensor", "aten.add.Scalar"), _elementwise("+")),
    **dict.fromkeys(("aten.sub.Tensor", "aten.sub.Scalar"), _elementwise("-")),
    **dict.fromkeys(("aten.mul.Tensor", "aten.mul.Scalar"), _elementwise("*")),
    **dict.fromkeys(("aten.div.Tensor", "aten.div.Scalar"), _elementwise("/")),
    "aten.eq.Tensor": _elementwise("=="),
    "aten.lt.Tensor": _elementwise("<"),
    "aten.le.Tensor": _elementwise("<="),
    "aten.gt.Tensor": _elementwise(">"),
    "aten.ge.Tensor": _elementwise(">="),
    "aten.where.self": _where,
    "aten.neg.default": _unary("-{}"),
    **{
        f"aten.{name}.default": _unary(f"{name}({{}})")
        for name in ("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs")
    },
    "aten.relu.default": _unary("relu({})", "std.nn.activations", "relu"),
    "aten.sigmoid.default": _unary("sigmoid({})", "std.nn.activations", "sigmoid"),
    "aten.silu.default": _unary("silu({})", "std.nn.activations", "silu"),
    "aten.gelu.default": _gelu,
    "aten.linear.default": _linear,
    "aten.layer_norm.default": _layer_norm,
    "aten.softmax.int": _softmax,
    "aten.scaled_dot_product_attention.default": _attention,
    **dict.fromkeys(("aten.matmul.default", "aten.mm.default", "aten.bmm.default"), _matmul),
    **dict.fromkeys(
        (
            "aten.view.default",
            "aten.reshape.default",
            "aten.flatten.using_ints",
            "aten.unsqueeze.default",
            "aten.squeeze.dim",
            "aten._unsafe_view.default",
        ),
        _reshape,
    ),
    **dict.fromkeys(("aten.transpose.int", "aten.permute.default", "aten.t.default"), _permute),
    "aten.expand.default": _expand,
    "aten.cat.default": _concat,
    "aten.slice.Tensor": _slice,
    "aten.select.int": _select,
    "aten.mean.dim": _reduced("mean"),
    "aten.sum.dim_IntList": _reduced("sum"),
    "aten.amax.default": _reduced("max"),
    "aten.amin.default": _reduced("min"),
    "aten.embedding.default": _embedding,
    "aten.conv2d.default": _conv2d,
    "aten.max_pool2d.default": _max_pool,
    **dict.fromkeys(
        (
            "aten.contiguous.default",
            "aten.clone.default",
            "aten.dropout.default",
            "aten.alias.default",
        ),
        _same,
    ),
    **dict.fromkeys(("aten._to_copy.default", "aten.to.dtype", "aten.to.dtype_layout"), _to),
}
