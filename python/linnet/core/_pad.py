"""An open function at a bucket: code of fixed sizes that serves every smaller size too.

Each open axis gets the bucket's size; what lies behind the true size, its padding, may hold
anything, NaN included. The true sizes come as further inputs, and no element of a result (cut to
its true size) or of a state depends on padding: the rules below say why for each op. What they do
not cover is refused.

- Elementwise ops, `broadcast` and `transpose` move no element between rows, so padding stays where
  it is. `reshape` is taken where the open axes stay axes of their own.
- `reduce` and `contract` over an open axis first replace its padding by what changes nothing.
- `take` along an open axis clamps to the true size [EXP-11], as do slices at computed places.
- `update_slice` of a padded value writes back what was there behind the true part.
- A size as a number is computed from the true sizes, so loops run as often as they should.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NoReturn, cast

from linnet.core._masked import chosen_rows
from linnet.core._records import Attribute, Function, Op, Region, TensorType, Value
from linnet.errors import CapabilityError, InternalError
from linnet.signature import Shape, Size, at_sizes, bounds_of, parse_size, shape_at
from linnet.signature import Value as Port

# How the inputs with the true sizes are called; no name of a program has a dot.
PREFIX = "size."
_I64 = TensorType("i64", ())
_LARGEST = 2**31 - 1
# A write that may be as long as its axis is made in so many.
_PARTS = 8
_ELEMENTWISE = """
cast neg abs exp log sqrt rsqrt sin cos tanh not add sub mul div rem min max and or xor shl shr
compare select
"""
_OTHERS = "constant iota splat broadcast transpose if while yield condition return"
_AS_THEY_ARE = frozenset((_ELEMENTWISE + _OTHERS).split())


def pad_sizes(function: Function, bucket: Mapping[str, int]) -> Function:
    """Return the function at the sizes of a bucket, which names every symbol.

    Its inputs are the function's at these sizes, then for each symbol its true size, from the
    least that the constraints allow up to the bucket's: an `i64` called `size.S`. Results and
    states are the function's; of a result's open axes the first elements, up to the true size,
    are meant.

    CapabilityError, with the place in the source, for an op that cannot be padded.
    """
    return _Padder(function, bucket).function()


def _is_open(size: Size) -> bool:
    return isinstance(size, str)


class _Padder:
    def __init__(self, function: Function, bucket: Mapping[str, int]) -> None:
        self._function = function
        self._bucket = bucket
        self._values: dict[Value, Value] = {}
        self._sizes = {name: Value(_I64) for name in bucket}
        self._ops: list[Op] = []
        self._made_by: dict[Value, Op] = {}
        self._place = ""

    def function(self) -> Function:
        """Return the padded function."""
        signature, body = self._function.signature, self._function.body
        for value in body.arguments:
            self._refuse_mixed("an input", value.type.shape)
        arguments = [self._new(value) for value in body.arguments]
        count = len(signature.inputs)
        arguments[count:count] = self._sizes.values()
        sizes = tuple(Port(PREFIX + name, "i64", ()) for name in self._bucket)
        fixed = at_sizes(signature, self._bucket)
        ops = self._body(body)
        return Function(
            replace(fixed, inputs=(*fixed.inputs, *sizes)), Region(tuple(arguments), ops)
        )

    def _body(self, region: Region) -> tuple[Op, ...]:
        outer, self._ops = self._ops, []
        for op in region.ops:
            self._op(op)
        inner, self._ops = self._ops, outer
        return tuple(inner)

    def _region(self, region: Region) -> Region:
        arguments = tuple(self._new(argument) for argument in region.arguments)
        return Region(arguments, self._body(region))

    def _new(self, value: Value) -> Value:
        self._values[value] = Value(self._fixed(value.type))
        return self._values[value]

    def _fixed(self, type_: TensorType) -> TensorType:
        return TensorType(type_.dtype, shape_at(type_.shape, self._bucket))

    # Refusals.

    def _refuse(self, what: str) -> NoReturn:
        where = f" ({self._place})" if self._place else ""
        entry = self._function.signature.entry
        names = ", ".join(self._bucket)
        raise CapabilityError(
            f"entry `{entry}` cannot be padded to buckets: {what}{where}",
            f"give {names} a number with --bind {entry}.{names.split(', ')[0]}=VALUE",
        )

    def _refuse_mixed(self, what: str, shape: Shape) -> None:
        """An axis whose size is more than a symbol: where its true part lies is not followed."""
        for size in shape:
            if isinstance(size, str) and size not in self._bucket:
                self._refuse(f"{what} has an axis of `{size}`")

    # Ops that are built.

    def _emit(
        self, name: str, operands: Sequence[Value], type_: TensorType, **attributes: Attribute
    ) -> Value:
        result = Value(type_)
        self._ops.append(Op(name, tuple(operands), (result,), attributes, (), self._place))
        return result

    def _number(self, literal: bool | int | float, dtype: str = "i64") -> Value:
        return self._emit("constant", (), TensorType(dtype, ()), literal=literal)

    def _spread(self, value: Value, type_: TensorType, axis: int | None = None) -> Value:
        axes = () if axis is None else (axis,)
        return self._emit("broadcast", (value,), type_, axes=axes)

    def _two(self, name: str, left: Value, right: Value) -> Value:
        return self._emit(name, (left, right), left.type)

    def _counted(self, size: int) -> Value:
        return self._emit("iota", (), TensorType("i64", (size,)), axis=0)

    def _compared(self, left: Value, predicate: str, right: Value) -> Value:
        type_ = TensorType("bool", left.type.shape)
        return self._emit("compare", (left, right), type_, predicate=predicate)

    def _wide(self, value: Value) -> Value:
        """The integers as `i64`; what that cannot hold lies behind every axis."""
        if value.type.dtype == "i64":
            return value
        if value.type.dtype == "u64":
            limit = self._spread(self._number(_LARGEST, "u64"), value.type)
            value = self._two("min", value, limit)
        return self._emit("cast", (value,), TensorType("i64", value.type.shape))

    def _clamp(self, value: Value, high: Value) -> Value:
        """The integers from 0 to `high`; 0 where that is below."""
        if value.type.shape:
            high = self._spread(high, value.type)
        low = self._number(0)
        if value.type.shape:
            low = self._spread(low, value.type)
        return self._two("max", self._two("min", value, high), low)

    def _size(self, size: Size) -> Value:
        """The true number that a size is."""
        return self._number(size) if isinstance(size, int) else self._computed(parse_size(size))

    def _computed(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=int(number)):
                return self._number(number)
            case ast.Name(id=name):
                return self._sizes[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._two("sub", self._number(0), self._computed(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._computed(left), self._computed(right))
            case ast.Call(func=ast.Name(id=name), args=[first, *rest]) if name in ("min", "max"):
                found = self._computed(first)
                for each in rest:
                    found = self._two(name, found, self._computed(each))
                return found
            case _:
                raise InternalError(f"no size: {ast.unparse(node)}")

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Value:
        if isinstance(op, ast.Add | ast.Sub | ast.Mult):
            names = {"Add": "add", "Sub": "sub", "Mult": "mul"}
            return self._two(names[type(op).__name__], left, right)
        # CORE's quotient is not the floor one for a negative left side; the divisor is positive.
        rest = self._two("rem", left, right)
        rest = self._two("rem", self._two("add", rest, right), right)
        if isinstance(op, ast.Mod):
            return rest
        return self._two("div", self._two("sub", left, rest), right)

    def _masked(self, value: Value, shape: Shape, axes: Sequence[int], neutral: object) -> Value:
        """The value with `neutral` for the padding of these axes."""
        literal = cast("bool | int | float", neutral)
        for axis in axes:
            size = shape[axis]
            if not isinstance(size, str):
                continue
            places = self._counted(self._bucket[size])
            true = self._compared(places, "lt", self._spread(self._sizes[size], places.type))
            mask = self._spread(true, TensorType("bool", value.type.shape), axis)
            other = self._spread(self._number(literal, value.type.dtype), value.type)
            value = self._emit("select", (mask, value, other), value.type)
        return value

    def _taken(self, value: Value, axis: int, first: Value, count: int, step: int = 1) -> Value:
        """`count` rows of an axis from `first` on, which is a scalar; places clamp."""
        shape = value.type.fixed
        if count == 1:
            row = TensorType(value.type.dtype, (*shape[:axis], *shape[axis + 1 :]))
            whole = TensorType(value.type.dtype, (*shape[:axis], 1, *shape[axis + 1 :]))
            return self._emit(
                "reshape", (self._emit("take", (value, first), row, axis=axis),), whole
            )
        places = self._counted(count)
        if step != 1:
            places = self._two("mul", places, self._spread(self._number(step), places.type))
        places = self._two("add", places, self._spread(first, places.type))
        return self._at(value, axis, places)

    def _at(self, value: Value, axis: int, places: Value) -> Value:
        shape = value.type.fixed
        whole = (*shape[:axis], places.type.fixed[0], *shape[axis + 1 :])
        return self._emit("take", (value, places), TensorType(value.type.dtype, whole), axis=axis)

    def _last(self, size: str) -> Value:
        return self._two("sub", self._sizes[size], self._number(1))

    # The rules.

    def _op(self, op: Op) -> None:
        self._place = op.place
        self._made_by.update(dict.fromkeys(op.results, op))
        for value in (*op.operands, *op.results):
            self._refuse_mixed(f"`{op.name}`", value.type.shape)
        if op.name in _AS_THEY_ARE:
            operands = tuple(self._values[operand] for operand in op.operands)
            regions = tuple(self._region(region) for region in op.regions)
            self._place = op.place
            results = tuple(self._new(result) for result in op.results)
            self._ops.append(Op(op.name, operands, results, op.attributes, regions, op.place))
            return
        rules = {
            "dim_constant": self._dim_constant,
            "reduce": self._reduce,
            "contract": self._contract,
            "reshape": self._reshape,
            "concat": self._concat,
            "take": self._take,
            "slice": self._slice,
            "update_slice": self._update_slice,
        }
        if op.name not in rules:
            self._refuse(f"there is no rule for `{op.name}`")
        self._values[op.results[0]] = rules[op.name](op)

    def _copy(self, op: Op, operands: Sequence[Value]) -> Value:
        return self._emit(op.name, operands, self._fixed(op.results[0].type), **op.attributes)

    def _operands(self, op: Op) -> list[Value]:
        return [self._values[operand] for operand in op.operands]

    def _dim_constant(self, op: Op) -> Value:
        number = self._computed(parse_size(str(op.attributes["value"])))
        dtype = op.results[0].type.dtype
        if dtype == "i64":
            return number
        return self._emit("cast", (number,), TensorType(dtype, ()))

    def _reduce(self, op: Op) -> Value:
        source = op.operands[0].type
        axes = cast("tuple[int, ...]", op.attributes["axes"])
        neutral = _neutral(str(op.attributes["kind"]), source.dtype)
        (value,) = self._operands(op)
        return self._copy(op, [self._masked(value, source.shape, axes, neutral)])

    def _contract(self, op: Op) -> Value:
        masked = [
            self._masked(value, operand.type.shape, cast("tuple[int, ...]", op.attributes[axes]), 0)
            for value, operand, axes in zip(
                self._operands(op), op.operands, ("lhs_contract", "rhs_contract"), strict=True
            )
        ]
        return self._copy(op, masked)

    def _reshape(self, op: Op) -> Value:
        given, wanted = op.operands[0].type.shape, op.results[0].type.shape
        if _runs(given) != _runs(wanted):
            shown = f"[{', '.join(map(str, given))}] to [{', '.join(map(str, wanted))}]"
            self._refuse(f"`reshape` of {shown} mixes an open axis with others")
        return self._copy(op, self._operands(op))

    def _concat(self, op: Op) -> Value:
        axis = cast(int, op.attributes["axis"])
        if any(_is_open(operand.type.shape[axis]) for operand in op.operands):
            self._refuse("`concat` along an open axis")
        return self._copy(op, self._operands(op))

    def _take(self, op: Op) -> Value:
        value, indices = self._operands(op)
        size = op.operands[0].type.shape[cast(int, op.attributes["axis"])]
        if not isinstance(size, str):
            return self._copy(op, [value, indices])
        found = self._copy(op, [value, self._clamp(self._wide(indices), self._last(size))])
        if bounds_of(self._function.signature, size)[0] > 0:
            return found
        # An empty axis gives zeros.
        some = self._compared(self._sizes[size], "gt", self._number(0))
        mask = self._spread(some, TensorType("bool", found.type.shape))
        zero = self._number(False if found.type.dtype == "bool" else 0, found.type.dtype)
        return self._emit("select", (mask, found, self._spread(zero, found.type)), found.type)

    def _slice(self, op: Op) -> Value:
        (value,) = self._operands(op)
        given, wanted = op.operands[0].type.shape, op.results[0].type.shape
        starts = cast("tuple[Size, ...]", op.attributes["starts"])
        steps = cast("tuple[int, ...]", op.attributes["steps"])
        fixed = shape_at(wanted, self._bucket)
        held = list(value.type.fixed)
        plain: list[tuple[int, int]] = []
        computed: list[int] = []
        for axis, (start, step) in enumerate(zip(starts, steps, strict=True)):
            inside = isinstance(start, int) and (
                not _is_open(wanted[axis])
                or (start + (fixed[axis] - 1) * step < held[axis] and fixed[axis] > 0)
            )
            if inside:
                plain.append((cast(int, start), step))
                held[axis] = fixed[axis]
            else:
                plain.append((0, 1))
                computed.append(axis)
        whole = TensorType(value.type.dtype, tuple(held))
        first, stride = zip(*plain, strict=True) if plain else ((), ())
        value = self._emit("slice", (value,), whole, starts=tuple(first), steps=tuple(stride))
        for axis in computed:
            start = self._size(starts[axis])
            count, step = fixed[axis], steps[axis]
            size = given[axis]
            if isinstance(size, str) and count == 1:
                start = self._clamp(start, self._last(size))
            # Rows of padding may come from anywhere; the true ones lie inside.
            value = self._taken(value, axis, start, count, step)
        return value

    def _update_slice(self, op: Op) -> Value:
        target, value, *starts = self._operands(op)
        target_shape, value_shape = (operand.type.shape for operand in op.operands[:2])
        padded: list[tuple[int, str, Value]] = []
        trues = [*starts]
        for axis, (size, part) in enumerate(zip(target_shape, value_shape, strict=True)):
            if size == part:
                starts[axis] = trues[axis] = self._number(0)
                continue
            high = self._two("sub", self._size(size), self._size(part))
            true = trues[axis] = self._clamp(self._wide(starts[axis]), high)
            if isinstance(part, str):
                room = target.type.fixed[axis] - self._bucket[part]
                if room < 0:
                    self._refuse(
                        f"the bucket {part} = {self._bucket[part]} is longer than the axis of "
                        f"{target.type.fixed[axis]} into which it is written"
                    )
                starts[axis] = self._two("min", true, self._number(room))
                padded.append((axis, part, self._two("sub", true, starts[axis])))
            else:
                starts[axis] = true
        if not padded:
            return self._copy(op, [target, value, *self._alike(starts)])
        mask: Value | None = None
        if len(padded) == 1:
            axis, part, _ = padded[0]
            chosen = chosen_rows(self._made_by, op, axis, part)
            if chosen is not None:
                mask, value = (self._values[each] for each in chosen)
            if 2 * self._bucket[part] > target.type.fixed[axis]:
                return self._in_parts(target, value, mask, trues, axis, part)
        old = target
        for axis, (size, part) in enumerate(zip(target_shape, value_shape, strict=True)):
            if size != part:
                old = self._taken(old, axis, starts[axis], value.type.fixed[axis])
        for axis, part, shift in padded:
            value = self._with_old(value, old, mask, axis, shift, self._number(0), part)
        return self._copy(op, [target, value, *self._alike(starts)])

    def _in_parts(
        self,
        target: Value,
        value: Value,
        mask: Value | None,
        starts: Sequence[Value],
        axis: int,
        part: str,
    ) -> Value:
        """Write along an axis of which the bucket is the most, an eighth of it at a time.

        At once, most of the axis would be read and written again for a few new rows.
        """
        rows = -(-self._bucket[part] // _PARTS)
        room, size = target.type.fixed[axis] - rows, self._sizes[part]
        starts = self._alike(starts)
        carried = (self._number(0), target)
        at, held = Value(_I64), Value(target.type)
        outer, self._ops = self._ops, []
        more = self._compared(at, "lt", size)
        self._ops.append(Op("condition", (more,), (), {}, (), self._place))
        condition = Region((at, held), tuple(self._ops))

        at, held = Value(_I64), Value(target.type)
        self._ops = []
        true = self._two("add", starts[axis], at)
        first = self._two("min", true, self._number(room))
        places = [*starts]
        places[axis] = first
        old = held
        for each, (whole, some) in enumerate(zip(target.type.fixed, value.type.fixed, strict=True)):
            count = rows if each == axis else some
            if count != whole:
                old = self._taken(old, each, places[each], count)
        new = self._with_old(value, old, mask, axis, self._two("sub", true, first), at, part)
        written = self._emit("update_slice", (held, new, *places), target.type)
        then = self._two("add", at, self._number(rows))
        self._ops.append(Op("yield", (then, written), (), {}, (), self._place))
        body = Region((at, held), tuple(self._ops))

        self._ops = outer
        results = (Value(_I64), Value(target.type))
        self._ops.append(Op("while", carried, results, {}, (condition, body), self._place))
        return results[1]

    def _with_old(
        self,
        value: Value,
        old: Value,
        mask: Value | None,
        axis: int,
        shift: Value,
        first: Value,
        part: str,
    ) -> Value:
        """The true rows of a value from row `first` on, from row `shift` of what was there on.

        A `mask` over the value's rows keeps what was there where it is false.
        """
        size = self._sizes[part]
        places = self._counted(old.type.fixed[axis])
        offset = self._spread(self._two("sub", first, shift), places.type)
        below = self._spread(first, places.type)
        places = self._two("add", places, offset)
        inside = self._compared(places, "lt", self._spread(size, places.type))
        inside = self._two("and", self._compared(places, "ge", below), inside)
        places = self._clamp(places, self._last(part))
        if mask is not None:
            inside = self._two("and", inside, self._at(mask, 0, places))
        value = self._at(value, axis, places)
        chosen = self._spread(inside, TensorType("bool", value.type.shape), axis)
        return self._emit("select", (chosen, value, old), value.type)

    def _alike(self, starts: Sequence[Value]) -> list[Value]:
        """StableHLO wants the starts in one dtype."""
        return [self._wide(start) for start in starts]


def _neutral(kind: str, dtype: str) -> bool | int | float:
    if kind in ("any", "all"):
        return kind == "all"
    if kind in ("sum", "prod"):
        return int(kind == "prod")
    if dtype[0] in "iu":
        bits, signed = int(dtype[1:]), dtype[0] == "i"
        low, high = (-(1 << (bits - 1)) if signed else 0), (1 << (bits - signed)) - 1
        high = -1 if dtype == "u64" else high  # It wraps; literals have 64 signed bits.
    else:
        low, high = -math.inf, math.inf
    return low if kind == "max" else high


def _runs(shape: Shape) -> list[Size]:
    """The open axes of a shape, and between them the number of elements of the others."""
    runs: list[Size] = [1]
    for size in shape:
        if isinstance(size, str):
            runs += [size, 1]
        else:
            runs[-1] = cast(int, runs[-1]) * size
    return runs
