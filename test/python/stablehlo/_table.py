"""The table: every CORE op, on ordinary numbers, on corners, on nothing, on few and many axes.

One list, so that what an op lacks is seen beside the others, hence the length of this file.
"""

from collections.abc import Sequence

import numpy as np

from linnet.core import Op, Region, TensorType, Value
from linnet.signature import numpy_dtype
from stablehlo._case import (
    ALL,
    FLOATS,
    INTEGERS,
    NUMBERS,
    SIGNED,
    Array,
    Body,
    Case,
    Inputs,
    Shape,
    one,
)
from stablehlo._values import castable, corners, divisible, each, ordinary, pairs, same, shifts

# How many units of the last place a library may be off [NUM-4]; all else is exact.
ULPS = {"exp": 4, "log": 4, "sqrt": 1, "rsqrt": 4, "sin": 4, "cos": 4, "tanh": 8}
UNARY = {
    **dict.fromkeys(("neg", "abs"), NUMBERS),
    **dict.fromkeys(ULPS, FLOATS),
    "not": ("bool", *INTEGERS),
}
BINARY = {
    **dict.fromkeys(("add", "sub", "mul", "div", "rem", "min", "max"), NUMBERS),
    **dict.fromkeys(("and", "or", "xor"), ("bool", *INTEGERS)),
    **dict.fromkeys(("shl", "shr"), INTEGERS),
}
PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")
REDUCTIONS = {
    **dict.fromkeys(("sum", "prod", "max", "min"), NUMBERS),
    **dict.fromkeys(("any", "all"), ("bool",)),
}
# One dtype of each kind and width: what turns on the shape alone is tried in these.
FEW = ("bool", "i8", "u32", "i64", "bf16", "f32")
CASES: list[Case] = []
add = CASES.append
SIX = (2, 1, 3, 2, 1, 2)
SHAPES = (((2, 3), "plain"), ((), "scalar"), ((2, 0), "empty"), (SIX, "rank6"))


def few(dtypes: tuple[str, ...], first: bool = False) -> tuple[str, ...]:
    """The dtypes of a further shape; of the first one, all."""
    return dtypes if first else tuple(dtype for dtype in dtypes if dtype in FEW)


def of_corners(op: str) -> Inputs:
    match op:
        case "div" | "rem":
            return divisible
        case "shl" | "shr":
            return shifts
        case _:
            return pairs


def line(op: str, inputs: Inputs, gives: str | None = None, **attributes: str):
    """One elementwise op over vectors as long as the inputs are."""

    def build(dtype: str, body: Body) -> Sequence[Value]:
        shape = body.arguments[-1].type.shape
        return [body.op(op, body.arguments, gives or dtype, shape, **attributes)]

    return inputs, build


def safe(op: str, dtype: str, shape: Shape) -> Sequence[Array]:
    """Ordinary operands of a binary op, its result defined."""
    left, right = ordinary(dtype, shape), ordinary(dtype, shape, 1)
    if dtype not in FLOATS and op in ("div", "rem"):
        right = np.maximum(right, numpy_dtype(dtype).type(1))
    if op in ("shl", "shr"):
        right = right & numpy_dtype(dtype).type(7)
    return left, right


# Elementwise.
for op_, dtypes_ in UNARY.items():
    ulps_ = ULPS.get(op_, 0)
    # Near its zeros a sine is as near as its argument, reduced by the period, is.
    near_one_ = op_ in ("sin", "cos")
    least_ = 0.25 if op_ in ("log", "sqrt", "rsqrt") else -4
    for shape_, label_ in SHAPES:
        inputs_ = each(shape_, least=least_)
        kept_ = few(dtypes_, label_ == "plain")
        add(Case(f"{op_}-{label_}", kept_, inputs_, one(op_, shape_), ulps_, near_one_))
    near_ = *line(op_, lambda d: [small_corners(d)]), ulps_, near_one_
    add(Case(f"{op_}-corners", dtypes_, *near_))
for op_, dtypes_ in BINARY.items():
    for shape_, label_ in SHAPES:

        def ordinary_pair(dtype: str, op: str = op_, shape: Shape = shape_) -> Sequence[Array]:
            return safe(op, dtype, shape)

        kept_ = few(dtypes_, label_ == "plain")
        add(Case(f"{op_}-{label_}", kept_, ordinary_pair, one(op_, shape_)))
    add(Case(f"{op_}-corners", dtypes_, *line(op_, of_corners(op_))))
for predicate_ in PREDICATES:
    dtypes_ = ALL if predicate_ in ("eq", "ne") else NUMBERS
    built_ = line("compare", pairs, "bool", predicate=predicate_)
    add(Case(f"compare-{predicate_}_corners", dtypes_, *built_))
    for shape_, label_ in (((), "scalar"), ((0, 2), "empty"), (SIX, "rank6")):
        build_ = one("compare", shape_, "bool", predicate=predicate_)
        add(Case(f"compare-{predicate_}_{label_}", few(dtypes_), each(shape_, shape_), build_))


def small_corners(dtype: str) -> Array:
    """Corners without the huge arguments of `sin` and `cos`, where libraries reduce differently."""
    values = corners(dtype)
    if dtype in FLOATS:
        wide = values.astype(np.float64)
        return values[~(np.isfinite(wide) & (abs(wide) > 1e4))]
    return values


def chosen(dtype: str) -> Sequence[Array]:
    left, right = pairs(dtype)
    return np.arange(len(left)) % 3 == 0, left, right


add(Case("select-corners", ALL, *line("select", chosen)))
for shape_, label_ in (((), "scalar"), ((3, 0), "empty"), (SIX, "rank6")):

    def condition_and_two(dtype: str, shape: Shape = shape_) -> Sequence[Array]:
        return ordinary("bool", shape), ordinary(dtype, shape, 1), ordinary(dtype, shape, 2)

    add(Case(f"select-{label_}", few(ALL), condition_and_two, one("select", shape_)))
for to_ in ALL:

    def with_a_value(dtype: str, to: str = to_) -> Sequence[Array]:
        return [castable(dtype, to)]

    add(Case(f"cast-to_{to_}", ALL, *line("cast", with_a_value, to_)))
    add(Case(f"cast-to_{to_}_scalar", few(ALL), each((), least=1), one("cast", (), to_)))
    add(Case(f"cast-to_{to_}_empty", few(ALL), each((2, 0)), one("cast", (2, 0), to_)))


# A chain rounds at each step: `(a + b) * c - d` and `exp(a) * b` differ if it does not [NUM-1].
def chain(dtype: str, body: Body) -> Sequence[Value]:
    a, b, c, d = body.arguments
    first = body.op("add", (a, b), dtype, a.type.shape)
    second = body.op("mul", (first, c), dtype, a.type.shape)
    third = body.op("sub", (second, d), dtype, a.type.shape)
    return [body.op("div", (third, c), dtype, a.type.shape)]


def cancelling(dtype: str, body: Body) -> Sequence[Value]:
    a, b = body.arguments
    total = body.op("add", (a, b), dtype, a.type.shape)
    return [body.op("sub", (total, a), dtype, a.type.shape)]


add(Case("chain-rounds_each_step", FLOATS[:2], each((64,), (64,), (64,), (64,)), chain))
large_and_small = lambda d: [  # noqa: E731
    ordinary(d, (64,)) * numpy_dtype(d).type(100),
    ordinary(d, (64,), 1),
]
add(Case("chain-loses_what_a_step_loses", FLOATS, large_and_small, cancelling))

# Constants and positions.
for dtypes_, literals_ in (
    (FLOATS, (0, 3, -1, 0.1, -2.5, 1e-3, float("inf"), float("-inf"), float("nan"), 1 / 3)),
    (INTEGERS, (0, 3, 127, 300, -1, 2**63 - 1, -(2**63))),
    (("bool",), (True, False)),
):
    for number_, literal_ in enumerate(literals_):
        for shape_ in ((), (2, 3), (0, 2)):
            build_ = one("constant", shape_, literal=literal_)
            name_ = f"constant-{dtypes_[0]}_{number_}_rank{len(shape_)}_{shape_.count(0)}"
            add(Case(name_, dtypes_, same(), build_))
for shape_, axis_ in (((300,), 0), ((2, 5, 3), 1), ((2, 0), 1), (SIX, 2)):
    name_ = f"iota-{'x'.join(map(str, shape_))}"
    add(Case(name_, NUMBERS, same(), one("iota", shape_, axis=axis_)))
# Whole numbers beyond what a 16-bit float holds round as `cast` does [PRE-11].
add(Case("iota-3000", ("f16", "bf16", "i16", "f32"), same(), one("iota", (3000,), axis=0)))

# Shapes.
for number_, shape_ in enumerate(((2, 3), (), (0, 2), SIX)):
    kept_ = few(ALL, number_ == 0)
    add(Case(f"splat-rank{len(shape_)}_{shape_.count(0)}", kept_, each(()), one("splat", shape_)))
for number_, (from_, to_, axes_) in enumerate(
    (
        ((3, 1), (2, 3, 4), (1, 2)),
        ((2, 4), (4, 3, 2), (2, 0)),
        ((), (2, 3), ()),
        ((1, 1), (2, 0), (0, 1)),
        ((0,), (2, 0), (1,)),
        ((1, 3, 1), SIX, (0, 2, 5)),
    )
):
    name_ = f"broadcast-{'x'.join(map(str, from_))}_to_{'x'.join(map(str, to_))}"
    add(Case(name_, few(ALL, number_ == 0), each(from_), one("broadcast", to_, axes=axes_)))
for number_, (from_, to_) in enumerate(
    (((2, 6), (3, 4)), ((), (1, 1)), ((1, 1), ()), ((0, 3), (5, 0, 2)), (SIX, (24,)))
):
    name_ = f"reshape-{'x'.join(map(str, from_))}_to_{'x'.join(map(str, to_))}"
    add(Case(name_, few(ALL, number_ == 0), each(from_), one("reshape", to_)))
for number_, (from_, perm_) in enumerate(
    (
        ((2, 3, 4), (2, 0, 1)),
        ((), ()),
        ((2, 0, 3), (1, 2, 0)),
        (SIX, (5, 0, 4, 1, 3, 2)),
    )
):
    to_ = tuple(from_[axis] for axis in perm_)
    name_ = f"transpose-{'x'.join(map(str, from_))}"
    add(Case(name_, few(ALL, number_ == 0), each(from_), one("transpose", to_, perm=perm_)))
for number_, (from_, to_, starts_, steps_) in enumerate(
    (
        ((5, 6), (2, 3), (1, 0), (1, 2)),
        ((5, 6), (0, 6), (7, 0), (1, 1)),
        ((0, 6), (0, 2), (0, 1), (3, 4)),
        ((7,), (3,), (0,), (3,)),
        ((), (), (), ()),
        ((3, 1, 3, 2, 1, 4), (1, 1, 2, 2, 1, 2), (2, 0, 0, 0, 0, 1), (1, 1, 2, 1, 1, 2)),
    )
):
    name_ = f"slice-{'x'.join(map(str, from_))}_to_{'x'.join(map(str, to_))}"
    add(
        Case(
            name_,
            few(ALL, number_ == 0),
            each(from_),
            one("slice", to_, starts=starts_, steps=steps_),
        )
    )
for number_, (parts_, axis_) in enumerate(
    (
        (((2, 3), (2, 1)), 1),
        (((2,), (0,), (3,)), 0),
        (((0, 2), (0, 3)), 1),
        (((1, 2, 1, 2, 1, 2), (1, 2, 3, 2, 1, 2)), 2),
    )
):
    sizes_ = list(parts_[0])
    sizes_[axis_] = sum(part[axis_] for part in parts_)
    name_ = f"concat-{'_'.join('x'.join(map(str, part)) for part in parts_)}"
    add(
        Case(name_, few(ALL, number_ == 0), each(*parts_), one("concat", tuple(sizes_), axis=axis_))
    )


# Look-ups clamp their positions, whatever integer dtype holds them [EXP-11].
def places(dtype: str, shape: Shape) -> Array:
    """Positions inside and on both sides of an axis of four, and the dtype's ends."""
    limits = np.iinfo(numpy_dtype(dtype))
    line = [0, 3, 1, 4, 100, limits.max, 2, *((-1, limits.min) if dtype in SIGNED else ())]
    count = int(np.prod(shape))
    return np.resize(np.array(line, numpy_dtype(dtype)), count).reshape(shape)


for index_ in INTEGERS:

    def looked_up(dtype: str, index: str = index_) -> Sequence[Array]:
        return ordinary(dtype, (3, 4)), places(index, (9,))

    add(
        Case(f"take-by_{index_}", few(ALL, index_ == "i32"), looked_up, one("take", (3, 9), axis=1))
    )

    def table_and_one(dtype: str, index: str = index_) -> Sequence[Array]:
        return ordinary(dtype, (4, 3)), np.array(np.iinfo(numpy_dtype(index)).max)

    add(
        Case(
            f"take-one_by_{index_}",
            few(ALL, index_ == "u64"),
            table_and_one,
            one("take", (3,), axis=0),
        )
    )
for table_, index_shape_, to_, axis_ in (
    ((4, 3), (2, 3), (2, 3, 3), 0),
    ((2, 4, 3), (2, 2), (2, 2, 2, 3), 1),
    ((4, 0), (3,), (3, 0), 0),
    ((4, 3), (0,), (0, 3), 0),
    ((0, 3), (2,), (2, 3), 0),
    ((4,), (), (), 0),
    ((2, 1, 4, 2, 1), (2, 2), (2, 1, 2, 2, 2, 1), 2),
):

    def table_and_places(
        dtype: str, table: Shape = table_, shape: Shape = index_shape_
    ) -> Sequence[Array]:
        return ordinary(dtype, table), places("i32", shape)

    name_ = f"take-{'x'.join(map(str, table_))}_by_{'x'.join(map(str, index_shape_))}"
    add(Case(name_, few(ALL), table_and_places, one("take", to_, axis=axis_)))
for index_, starts_ in (
    ("i32", (0, 0)),
    ("i32", (2, 4)),
    ("i32", (-3, 99)),
    ("i64", (2**40, -(2**40))),
    ("u8", (255, 1)),
    ("u64", (2**64 - 1, 3)),
    ("i8", (-128, 127)),
):

    def target_and_part(
        dtype: str, index: str = index_, starts: tuple[int, int] = starts_
    ) -> Sequence[Array]:
        at = [np.array(start, numpy_dtype(index)) for start in starts]
        return ordinary(dtype, (4, 5)), ordinary(dtype, (2, 1), 1), *at

    name_ = f"update_slice-{index_}_at_{'_'.join(map(str, starts_)).replace('-', 'minus')}"
    add(Case(name_, few(ALL, starts_ == (-3, 99)), target_and_part, one("update_slice", (4, 5))))
for target_, part_ in (((4, 5), (4, 5)), ((4, 5), (0, 5)), ((0, 5), (0, 2)), ((), ()), (SIX, SIX)):

    def whole_or_nothing(
        dtype: str, target: Shape = target_, part: Shape = part_
    ) -> Sequence[Array]:
        at = [np.array(1, np.int32) for _ in target]
        return ordinary(dtype, target), ordinary(dtype, part, 1), *at

    name_ = f"update_slice-{'x'.join(map(str, target_))}_by_{'x'.join(map(str, part_))}"
    add(Case(name_, few(ALL), whole_or_nothing, one("update_slice", target_)))


# Sums.
def contraction(
    name: str,
    left: Shape,
    right: Shape,
    to: Shape,
    batch: tuple[tuple[int, ...], tuple[int, ...]],
    over: tuple[tuple[int, ...], tuple[int, ...]],
    dtypes: tuple[str, ...] = few(NUMBERS),
    gives: str | None = None,
) -> Case:
    build = one(
        "contract",
        to,
        gives,
        lhs_batch=batch[0],
        rhs_batch=batch[1],
        lhs_contract=over[0],
        rhs_contract=over[1],
    )
    return Case(f"contract-{name}", dtypes, each(left, right), build, 4, scaled=True)


NO = ((), ())
add(contraction("batched", (2, 3, 4), (4, 2, 5), (2, 3, 5), ((0,), (1,)), ((2,), (0,)), NUMBERS))
add(contraction("matrices", (3, 4), (5, 4), (3, 5), NO, ((1,), (1,))))
add(contraction("outer", (3,), (4,), (3, 4), NO, NO))
add(contraction("scalars", (), (), (), NO, NO))
add(contraction("dot", (7,), (7,), (), NO, ((0,), (0,))))
add(contraction("two_axes", (2, 3, 4), (4, 5, 3), (2, 5), NO, ((1, 2), (2, 0))))
add(contraction("over_nothing", (3, 0), (0, 4), (3, 4), NO, ((1,), (0,))))
add(contraction("of_nothing", (0, 4), (4, 3), (0, 3), NO, ((1,), (0,))))
TWO = ((0, 1), (0, 1))
add(contraction("rank6", (2, 1, 3, 2), (2, 1, 2, 2), (2, 1, 3, 2), TWO, ((3,), (3,))))
for narrow_, wide_ in (
    ("f16", "f32"),
    ("bf16", "f32"),
    ("f32", "f64"),
    ("i8", "i32"),
    ("u8", "u32"),
):
    name_ = f"{narrow_}_in_{wide_}"
    over_ = ((1,), (1,))
    add(contraction(name_, (3, 40), (5, 40), (3, 5), NO, over_, (narrow_,), wide_))


def ends(dtype: str) -> Sequence[Array]:
    values = corners(dtype)
    return np.stack([values, values[::-1]]), np.stack([values, np.roll(values, 1)])


wrapping_ = one(
    "contract", (2, 2), lhs_batch=(), rhs_batch=(), lhs_contract=(1,), rhs_contract=(1,)
)
add(Case("contract-wraps", INTEGERS, ends, wrapping_))
for kind_, dtypes_ in REDUCTIONS.items():
    for from_, axes_ in (
        ((2, 3, 4), (0, 2)),
        ((5,), (0,)),
        ((2, 3), ()),
        ((), ()),
        ((2, 0), (1,)),
        ((0, 3), (1,)),
        (SIX, (0, 2, 5)),
    ):
        to_ = tuple(size for axis, size in enumerate(from_) if axis not in axes_)
        build_ = one("reduce", to_, kind=kind_, axes=axes_)
        label_ = f"{'x'.join(map(str, from_))}_over_{'_'.join(map(str, axes_))}"
        inputs_ = each(from_)
        kept_ = few(dtypes_, from_ in ((2, 3, 4), (2, 0)))
        add(Case(f"reduce_{kind_}-{label_}", kept_, inputs_, build_, 8, scaled=True))
for kind_ in ("max", "min"):

    def rows_of_corners(dtype: str) -> Sequence[Array]:
        values = corners(dtype)
        return [np.stack([values, np.roll(values, 3), values[::-1]])[:, 1:]]

    def per_row(dtype: str, body: Body, kind: str = kind_) -> Sequence[Value]:
        return [body.op("reduce", body.arguments, dtype, (3,), kind=kind, axes=(1,))]

    def columns_of_corners(dtype: str, body: Body, kind: str = kind_) -> Sequence[Value]:
        (x,) = body.arguments
        shape = x.type.shape[1:]
        return [body.op("reduce", (x,), dtype, shape, kind=kind, axes=(0,))]

    add(Case(f"reduce_{kind_}-corners_rows", NUMBERS, rows_of_corners, per_row))
    add(Case(f"reduce_{kind_}-corners_columns", NUMBERS, rows_of_corners, columns_of_corners))
for kind_ in ("sum", "prod"):

    def wrapped(dtype: str) -> Sequence[Array]:
        return [corners(dtype)]

    add(Case(f"reduce_{kind_}-wraps", INTEGERS, wrapped, one("reduce", (), kind=kind_, axes=(0,))))

    def odd_ends(dtype: str) -> Sequence[Array]:
        """No zero among them, and more digits than an f64 holds."""
        most = np.iinfo(numpy_dtype(dtype)).max
        return [np.array([[3, most, 5], [most - 2, 7, most]], numpy_dtype(dtype))]

    for to_, axes_ in (((), (0, 1)), ((2,), (1,)), ((3,), (0,))):
        build_ = one("reduce", to_, kind=kind_, axes=axes_)
        label_ = "_".join(map(str, axes_))
        add(Case(f"reduce_{kind_}-odd_over_{label_}", INTEGERS, odd_ends, build_))


# Control flow.
def branches(dtype: str, body: Body) -> Sequence[Value]:
    """Two results of two shapes: the operands, or the first twice and a row of the second."""
    condition, a, b = body.arguments
    yes, no = Body(()), Body(())
    row = no.op("slice", (b,), dtype, (1, 3), starts=(1, 0), steps=(1, 1))
    row = no.op("reshape", (row,), dtype, (3,))
    first = yes.op("slice", (b,), dtype, (1, 3), starts=(0, 0), steps=(1, 1))
    first = yes.op("reshape", (first,), dtype, (3,))
    results = (Value(a.type), Value(row.type))
    regions = (yes.region("yield", (a, first)), no.region("yield", (b, row)))
    body.ops.append(Op("if", (condition,), results, {}, regions))
    return results


for truth_ in (True, False):

    def one_way(dtype: str, truth: bool = truth_) -> Sequence[Array]:
        return np.array(truth), ordinary(dtype, (2, 3)), ordinary(dtype, (2, 3), 1)

    add(Case(f"if-{str(truth_).lower()}", ALL, one_way, branches))


def loop(dtype: str, body: Body) -> Sequence[Value]:
    """Rotate the rows of `x` as often as `n` says, and count."""
    n, x = body.arguments
    count = TensorType("i32", ())
    before = Body((Value(count), Value(x.type)))
    again = before.op("compare", (before.arguments[0], n), "bool", (), predicate="lt")
    inside = Body((Value(count), Value(x.type)))
    at, rows = inside.arguments
    step = inside.op("constant", (), "i32", (), literal=1)
    head = inside.op("slice", (rows,), dtype, (1, 2), starts=(0, 0), steps=(1, 1))
    tail = inside.op("slice", (rows,), dtype, (2, 2), starts=(1, 0), steps=(1, 1))
    turned = inside.op("concat", (tail, head), dtype, (3, 2), axis=0)
    following = inside.op("add", (at, step), "i32", ())
    zero = body.op("constant", (), "i32", (), literal=0)
    results = (Value(count), Value(x.type))
    regions: tuple[Region, ...] = (
        before.region("condition", (again,)),
        inside.region("yield", (following, turned)),
    )
    body.ops.append(Op("while", (zero, x), results, {}, regions))
    return results


for times_ in (0, 1, 4):

    def so_often(dtype: str, times: int = times_) -> Sequence[Array]:
        return np.array(times, np.int32), ordinary(dtype, (3, 2))

    add(Case(f"while-{times_}_times", ALL, so_often, loop))


def filling(dtype: str, body: Body) -> Sequence[Value]:
    """A counted loop and its stack, as `linnet-lower-loops` leaves them: each row one late."""
    first, x = body.arguments
    count, row, stack = TensorType("i64", ()), first.type, TensorType(dtype, (4, 3))
    zero = body.op("constant", (), "i64", (), literal=0)
    blank = False if dtype == "bool" else 0
    empty = body.op("constant", (), dtype, (4, 3), literal=blank)
    before = Body((Value(count), Value(row), Value(stack)))
    end = before.op("constant", (), "i64", (), literal=4)
    again = before.op("compare", (before.arguments[0], end), "bool", (), predicate="lt")
    inside = Body((Value(count), Value(row), Value(stack)))
    at, held, filled = inside.arguments
    one = inside.op("constant", (), "i64", (), literal=1)
    origin = inside.op("constant", (), "i64", (), literal=0)
    following = inside.op("take", (x, at), dtype, (3,), axis=0)
    wide = inside.op("reshape", (held,), dtype, (1, 3))
    written = inside.op("update_slice", (filled, wide, at, origin), dtype, (4, 3))
    later = inside.op("add", (at, one), "i64", ())
    results = (Value(count), Value(row), Value(stack))
    regions: tuple[Region, ...] = (
        before.region("condition", (again,)),
        inside.region("yield", (later, following, written)),
    )
    body.ops.append(Op("while", (zero, first, empty), results, {}, regions))
    return results[1:]


def row_and_rows(dtype: str) -> Sequence[Array]:
    return ordinary(dtype, (3,), 1), ordinary(dtype, (4, 3))


add(Case("while-fills_a_stack", ALL, row_and_rows, filling))

NAMES = [case.name for case in CASES]
assert len(set(NAMES)) == len(NAMES), [n for n in NAMES if NAMES.count(n) > 1]
