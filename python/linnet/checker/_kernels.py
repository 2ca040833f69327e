"""Kernels: tile programs over memory tensors, and the ops that name them [LAT-9..LAT-11].

A kernel is checked like the body of a function without a result: `load` is a take and a
selection, so what it claims is what those claim, and a store is a statement of its own. The
coordinates in the grid are parameters of that function. A backend may launch a kernel in place
of the body of the op that names it; the body stays the definition.
"""

from collections.abc import Callable

from linnet.checker import _problems as problems
from linnet.checker._arguments import accept_name, arrange
from linnet.checker._context import Context, KernelScope
from linnet.checker._convert import Site, coerce, differ, settle, typed, value_of
from linnet.checker._dims import Dim, compare, facts_of, proves
from linnet.checker._infer import Matcher, write_generics
from linnet.checker._names import ItemEntity, Unresolved, entity_word
from linnet.checker._operators import broadcast_into
from linnet.checker._program import (
    Constant,
    DimValue,
    Expr,
    Function,
    Generic,
    Kernel,
    KernelBinding,
    Local,
    LocalRef,
    Param,
    Select,
    Splat,
    Store,
    Take,
)
from linnet.checker._resolve import resolve_type, resolve_where
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    BOOL,
    I32,
    I64,
    Dtype,
    ErrorType,
    Pack,
    Shape,
    TensorType,
    TupleType,
    Type,
    belongs,
    is_scalar,
    scalar,
    show_type,
)
from linnet.checker._values import Ci, Contextual, Value, invalid, is_invalid
from linnet.diagnostics import Label
from linnet.source import Span
from linnet.syntax import (
    Call,
    EllipsisPart,
    Index,
    Kind,
    Name,
    SlicePart,
    Spread,
)
from linnet.syntax import Expr as ExprSyntax
from linnet.syntax import Function as FunctionSyntax
from linnet.syntax import Kernel as KernelSyntax
from linnet.syntax import KernelUse as UseSyntax
from linnet.syntax import Store as StoreSyntax

# Calls that mean something only in a kernel.
READS = frozenset({"load", "program_id"})
WRITES = frozenset({"store", "atomic_add", "atomic_max", "atomic_min"})
_ATOMIC = frozenset({"f32", "i32", "u32", "i64", "u64"})
_MOST_GRID = 3


# Declarations -----------------------------------------------------------------------------


def declare_kernel(
    ctx: Context, syntax: KernelSyntax, module: str, generics: tuple[Generic, ...]
) -> Kernel | None:
    """The signature of a kernel, whose generics are in scope; None if it has a problem."""
    where = resolve_where(ctx, syntax.where)
    ctx.known = tuple(one.constraint for one in where)
    seen: dict[str, Span] = {}
    complete = len(generics) == len(syntax.generics)
    inputs: list[Param] = []
    for param in syntax.params:
        accept_name(ctx.report, param.name, "parameter", seen)
        type_ = resolve_type(ctx, param.type)
        complete = _memory_type(ctx, param.type.span, param.name.text, type_) and complete
        local = Local(param.name.text, type_, param.name.span, used=True)
        inputs.append(Param(local, param.default is not None, param.span))
        if param.default is not None:
            label = Label(param.type.span, "the type is written here")
            site = Site("required", f"the default of `{param.name.text}`", label)
            coerce(ctx, value_of(ctx, param.default), type_, site)
    results: list[Param] = []
    for field in syntax.results:
        accept_name(ctx.report, field.name, "result", seen)
        type_ = resolve_type(ctx, field.type)
        if is_scalar(type_):
            ctx.report(problems.kernel_result(field.type.span, field.name.text, show_type(type_)))
            complete = False
        else:
            complete = _memory_type(ctx, field.type.span, field.name.text, type_) and complete
        local = Local(field.name.text, type_, field.name.span, used=True)
        results.append(Param(local, False, field.span))
    for param in (*inputs, *results):
        ctx.locals[0][param.name] = param.local
    grid = _grid(ctx, syntax)
    _hints(ctx, syntax)
    if not complete or grid is None:
        return None
    ids = tuple(
        Param(Local(f"program_id.{axis}", scalar(I32), size.span, used=True), False, size.span)
        for axis, size in enumerate(syntax.grid)
    )
    name = syntax.name.text
    as_function = FunctionSyntax(
        "fn", syntax.public, syntax.name, syntax.generics, syntax.params, None, syntax.where,
        syntax.body, syntax.head_span, syntax.span,
    )  # fmt: skip
    function = Function(
        "fn", syntax.public, name, f"{module}::{name}", module, None, generics,
        (*inputs, *ids), None, where, tuple(ctx.requires()), as_function, role="kernel",
    )  # fmt: skip
    return Kernel(function, tuple(inputs), tuple(results), grid, ids)


def _memory_type(ctx: Context, span: Span, name: str, type_: Type) -> bool:
    """Whether a parameter or result is a tensor without packs, or a scalar."""
    if isinstance(type_, ErrorType):
        return False
    if isinstance(type_, TensorType) and not any(isinstance(part, Pack) for part in type_.shape):
        return True
    ctx.report(problems.kernel_memory_type(span, name, show_type(type_)))
    return False


def _grid(ctx: Context, syntax: KernelSyntax) -> tuple[Dim, ...] | None:
    if len(syntax.grid) > _MOST_GRID:
        ctx.report(problems.kernel_grid(syntax.grid[_MOST_GRID].span, len(syntax.grid)))
    sizes = [ctx.dimension(size) for size in syntax.grid]
    found = tuple(
        size
        for size, written in zip(sizes, syntax.grid, strict=True)
        if size is not None and ctx.accept_dim(size, written.span)
    )
    return found if len(found) == len(syntax.grid) <= _MOST_GRID else None


def _hints(ctx: Context, syntax: KernelSyntax) -> None:
    warps = syntax.warps
    if warps is not None and (warps.value < 1 or warps.value & (warps.value - 1)):
        ctx.report(problems.kernel_warps(warps.span, warps.value))


# Ops that name a kernel -------------------------------------------------------------------


def bind_kernel(ctx: Context, use: UseSyntax, function: Function) -> KernelBinding | None:
    """The kernel that an op names, if both agree in parameters and results; else `E2126`.

    `ctx` has the generics and facts of the op. The kernel runs only where its `where` holds, so
    that is known too.
    """
    if function.kind != "op":
        ctx.report(problems.kernel_of_other(use.span, function.kind, function.name))
        return None
    entity = ctx.resolve(use.name)
    if entity is None or isinstance(entity, Unresolved):
        return None
    if not isinstance(entity, ItemEntity) or not isinstance(entity.syntax, KernelSyntax):
        ctx.report(problems.not_a_kernel(use.name.span, use.name.text, entity_word(entity)))
        return None
    kernel = ctx.declared.kernel(entity)
    if kernel is None:
        return None
    declared = Label(kernel.function.syntax.name.span, f"kernel `{entity.name}` is declared here")
    if len(kernel.inputs) != len(function.params):
        count = len(kernel.inputs)
        what = f"{count} parameter{'' if count == 1 else 's'}", f"{len(function.params)}"
        ctx.report(problems.kernel_disagrees(use.span, function.name, entity.name, what, declared))
        return None
    matcher = Matcher(
        ctx, entity.name, kernel.function.generics, Substitution(),
        {param.name.text: param.type for param in entity.syntax.params},
    )  # fmt: skip
    call = Call(use.name, use.args, (), use.span)
    if not write_generics(ctx, matcher, call):
        return None
    for param, own in zip(kernel.inputs, function.params, strict=True):
        # What does not fit is told below, for both signatures as a whole.
        with ctx.silent():
            value = LocalRef(own.type, own.span, own.local)
            fits = matcher.match(param, param.type, value)
        if not fits:
            found, required = matcher.bound.type(param.type), own.type
            shown = _as(f"parameter `{own.name}`", found, required)
            ctx.report(
                problems.kernel_disagrees(use.span, function.name, entity.name, shown, declared)
            )
            return None
    if not matcher.finish(use.span):
        return None
    results = tuple(matcher.bound.type(result.type) for result in kernel.results)
    given = results[0] if len(results) == 1 else TupleType(results)
    facts = facts_of(
        (*ctx.known, *(matcher.bound.constraint(w.constraint) for w in kernel.function.where))
    )
    pairs = [
        (f"parameter `{own.name}`", matcher.bound.type(param.type), own.type)
        for param, own in zip(kernel.inputs, function.params, strict=True)
    ]
    if function.result is not None:
        pairs.append(("the result", given, function.result))
    for what, found, required in pairs:
        if _apart(found, required, lambda a, b: proves(facts, compare("==", a, b))):
            shown = _as(what, found, required)
            ctx.report(
                problems.kernel_disagrees(use.span, function.name, entity.name, shown, declared)
            )
            return None
    generics = tuple(
        arg
        for generic in kernel.function.generics
        if (arg := matcher.bound.get(generic.symbol)) is not None
    )
    return KernelBinding(kernel, generics)


def _as(what: str, found: Type, required: Type) -> tuple[str, str]:
    return f"{what} as `{show_type(found)}`", f"`{show_type(required)}`"


def _apart(found: Type, required: Type, equal: Callable[[Dim, Dim], bool]) -> bool:
    """Whether two types are not provably equal."""
    match found, required:
        case TensorType(shape, _), TensorType(other, _) if differ(found, required) == "dims":
            return not all(
                a == b or (isinstance(a, Dim) and isinstance(b, Dim) and equal(a, b))
                for a, b in zip(shape, other, strict=True)
            )
        case TupleType(elements), TupleType(others) if len(elements) == len(others):
            return any(_apart(a, b, equal) for a, b in zip(elements, others, strict=True))
        case _:
            return differ(found, required) is not None


# Memory -----------------------------------------------------------------------------------


def scope_of(kernel: Kernel) -> KernelScope:
    """What stands in memory while the body of a kernel is checked."""
    return KernelScope(
        inputs=frozenset(param.local for param in kernel.inputs if not is_scalar(param.type)),
        results=frozenset(param.local for param in kernel.results),
        ids=tuple(param.local for param in kernel.ids),
    )


def infer_kernel_call(ctx: Context, name: str, call: Call) -> Value:
    """`load(…)` or `program_id(…)`; outside a kernel, or of a write, `E2127`."""
    if ctx.kernel is None or name in WRITES:
        for arg in call.args:
            if ctx.kernel is None:
                value_of(ctx, arg.value)
        inside = ctx.kernel is not None
        ctx.report(problems.kernel_form(call.callee.span, name, inside_kernel=inside))
        return invalid(call.span)
    return _load(ctx, call) if name == "load" else _program_id(ctx, call, ctx.kernel)


def _program_id(ctx: Context, call: Call, kernel: KernelScope) -> Value:
    placed = arrange(ctx, "program_id", ("axis",), set(), call)
    if placed is None:
        return invalid(call.span)
    axis = placed["axis"]
    number = ctx.whole_constant(axis)
    if number is None:
        if not is_invalid(value_of(ctx, axis)):
            ctx.report(problems.not_compile_time(axis.span))
        return invalid(call.span)
    if not 0 <= number < len(kernel.ids):
        ctx.report(problems.grid_axis(axis.span, number, len(kernel.ids)))
        return invalid(call.span)
    return LocalRef(scalar(I32), call.span, kernel.ids[number])


def _load(ctx: Context, call: Call) -> Value:
    placed = arrange(ctx, "load", ("element", "mask", "other"), {"mask", "other"}, call)
    if placed is None:
        return invalid(call.span)
    if ctx.elements is not None:
        ctx.report(problems.not_in_elements(call.span, "a `load`"))
        return invalid(call.span)
    target = _target(ctx, placed["element"], "load")
    if target is None:
        return invalid(call.span)
    local, indices, shape = target
    assert isinstance(local.type, TensorType)
    dtype = local.type.dtype
    node: Expr = LocalRef(local.type, placed["element"].span, local)
    axis = 0
    for index in indices:
        assert isinstance(index.type, TensorType)
        assert isinstance(node.type, TensorType)
        before, after = node.type.shape[:axis], node.type.shape[axis + 1 :]
        taken = TensorType((*before, *index.type.shape, *after), dtype)
        node = Take(taken, call.span, node, index, axis)
        axis += len(index.type.shape)
    result = TensorType(shape, dtype)
    mask = _mask(ctx, placed.get("mask"), shape, "load")
    other = placed.get("other")
    zero = False if dtype == BOOL else 0
    value: Expr | None = Constant(scalar(dtype), call.span, zero)
    if other is not None:
        value = _written(ctx, other, dtype, shape, "`other` of `load`")
    if value is None or (mask is None and "mask" in placed):
        return invalid(call.span)
    if mask is None:
        return node
    if is_scalar(value.type) and shape:
        value = Splat(result, value.span, value)
    return Select(result, call.span, mask, node, value)


def check_store(ctx: Context, syntax: StoreSyntax) -> Store | None:
    """`store(y[i], value, mask)` or one of the `atomic_…` forms."""
    kernel = ctx.kernel
    if kernel is None:
        parts = (syntax.target, syntax.value, syntax.mask)
        for part in parts:
            if part is not None:
                value_of(ctx, part)
        place = Span(syntax.span.file, syntax.span.start, syntax.span.start + len(syntax.op))
        ctx.report(problems.kernel_form(place, syntax.op, inside_kernel=False))
        return None
    target = _target(ctx, syntax.target, syntax.op)
    if target is None:
        return None
    local, indices, shape = target
    assert isinstance(local.type, TensorType)
    dtype = local.type.dtype
    first = kernel.writes.setdefault(local, (syntax.op, syntax.span))
    if first[0] != syntax.op:
        ctx.report(
            problems.two_kinds_of_write(syntax.span, local.name, syntax.op, first[0], first[1])
        )
        return None
    if syntax.op != "store" and not _atomic(syntax.op, dtype):
        ctx.report(problems.atomic_dtype(syntax.target.span, syntax.op, dtype.name))
        return None
    value = _written(ctx, syntax.value, dtype, shape, f"the value of `{syntax.op}`")
    mask = _mask(ctx, syntax.mask, shape, syntax.op)
    if value is None or (mask is None and syntax.mask is not None):
        return None
    return Store(syntax.op, local, indices, value, mask, syntax.span)


def _atomic(op: str, dtype: Dtype) -> bool:
    return not dtype.variable and (
        dtype.name in _ATOMIC or (op == "atomic_add" and dtype.name == "f16")
    )


def _target(
    ctx: Context, syntax: ExprSyntax, form: str
) -> tuple[Local, tuple[Expr, ...], Shape] | None:
    """The memory tensor, the index of each of its axes, and the shape of the tile they give."""
    kernel = ctx.kernel
    assert kernel is not None
    base = syntax.base if isinstance(syntax, Index) else syntax
    entity = ctx.lookup(base.text) if isinstance(base, Name) else None
    if not isinstance(entity, Local) or not kernel.holds(entity):
        if not is_invalid(value_of(ctx, base)):
            ctx.report(problems.not_memory(syntax.span, form))
        return None
    reads = form == "load"
    if reads != (entity in kernel.inputs):
        ctx.report(problems.wrong_direction(base.span, form, entity.name, entity.span))
        return None
    if not isinstance(syntax, Index):
        ctx.report(problems.not_memory(syntax.span, form))
        return None
    assert isinstance(entity.type, TensorType)
    sizes = entity.type.shape
    for part in syntax.parts:
        if isinstance(part, SlicePart | EllipsisPart | Spread):
            ctx.report(problems.memory_slice(part.span))
            return None
    if len(syntax.parts) != len(sizes):
        ctx.report(problems.memory_rank(syntax.span, entity.name, len(sizes), len(syntax.parts)))
        return None
    found: list[Expr] = []
    for part, size in zip(syntax.parts, sizes, strict=True):
        assert not isinstance(part, SlicePart | EllipsisPart | Spread)
        assert not isinstance(size, Pack)
        index = _index(ctx, part, size)
        if index is not None:
            found.append(index)
    if len(found) != len(sizes):
        return None
    shape = tuple(
        element
        for index in found
        if isinstance(index.type, TensorType)
        for element in index.type.shape
    )
    return entity, tuple(found), shape


def _index(ctx: Context, part: ExprSyntax, size: Dim) -> Expr | None:
    value = value_of(ctx, part)
    if is_invalid(value):
        return None
    if isinstance(value, Ci):
        if not ctx.require_inside(value.dim, size, part.span, "an axis"):
            return None
        return DimValue(scalar(I64), part.span, value.dim)
    node = settle(ctx, value)
    if isinstance(node.type, ErrorType):
        return None
    if not isinstance(node.type, TensorType) or not belongs(node.type.dtype, Kind.INTEGER):
        ctx.report(problems.memory_index(part.span, show_type(node.type)))
        return None
    return node


def _mask(ctx: Context, syntax: ExprSyntax | None, shape: Shape, form: str) -> Expr | None:
    if syntax is None:
        return None
    node = typed(ctx, syntax)
    if isinstance(node.type, ErrorType):
        return None
    if not isinstance(node.type, TensorType) or node.type.dtype != BOOL:
        ctx.report(problems.mask_not_bool(syntax.span, form, show_type(node.type)))
        return None
    return broadcast_into(ctx, node, shape, syntax.span, f"the mask of `{form}`")


def _written(
    ctx: Context, syntax: ExprSyntax, dtype: Dtype, shape: Shape, what: str
) -> Expr | None:
    """A value that memory of a dtype takes, in the shape of a tile."""
    value = value_of(ctx, syntax)
    required = scalar(dtype)
    if not isinstance(value, Contextual) and isinstance(value.type, TensorType):
        required = TensorType(value.type.shape, dtype)
    node = coerce(ctx, value, required, Site("argument", what))
    if isinstance(node.type, ErrorType):
        return None
    return broadcast_into(ctx, node, shape, syntax.span, what)
