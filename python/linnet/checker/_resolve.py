"""Types and generic arguments as written, resolved to what they mean [TYP-4, TYP-16, TYP-17]."""

from collections.abc import Sequence

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._dims import Dim, compare
from linnet.checker._names import (
    Entity,
    GenericEntity,
    ItemEntity,
    ModuleEntity,
    PreludeEntity,
    Unresolved,
    entity_word,
)
from linnet.checker._nearby import Use
from linnet.checker._program import Generic, Where
from linnet.checker._substitute import Substitution
from linnet.checker._types import (
    DTYPES,
    ERROR,
    Dtype,
    EnumType,
    ErrorType,
    GenericArg,
    InstanceArrayType,
    InstanceType,
    OptionalType,
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
from linnet.checker._values import Ci, is_invalid
from linnet.source import Span
from linnet.syntax import (
    Alias,
    ArrayType,
    Constraint,
    Enum,
    Expr,
    Kind,
    Member,
    Name,
    NamedType,
    Path,
    ShapeElem,
    ShapeLiteral,
    Spread,
    Struct,
    Undecided,
)
from linnet.syntax import Block as BlockSyntax
from linnet.syntax import GenericArg as ArgSyntax
from linnet.syntax import OptionalType as OptionalSyntax
from linnet.syntax import TensorType as TensorSyntax
from linnet.syntax import TupleType as TupleSyntax
from linnet.syntax import Type as TypeSyntax


def lookup_path(ctx: Context, path: Path, use: Use) -> Entity | None:
    """What a dotted path of a type or argument names; problems are reported."""
    entity = ctx.resolve(path.segments[0], use if len(path.segments) == 1 else "owner")
    for segment in path.segments[1:]:
        match entity:
            case None | Unresolved():
                return entity
            case ModuleEntity():
                entity = module_item(ctx, entity, segment)
            case _:
                ctx.report(problems.no_members(path.segments[0], entity_word(entity)))
                return None
    return entity


def module_item(ctx: Context, entity: ModuleEntity, name: Name) -> Entity | None:
    """The item `name` of an imported module; missing is `E1201`, private is `E1203`."""
    found = entity.module.items.get(name.text)
    if found is None:
        ctx.report(problems.no_such_item(name, entity.module.name, list(entity.module.items)))
    elif not found.public:
        ctx.report(problems.private_item(name, entity.module.name, found.syntax.name.span))
        return Unresolved()
    return found


def resolve_type(ctx: Context, syntax: TypeSyntax, *, sub: bool = False) -> Type:
    """The type that is written; blocks and arrays of them only where `sub` is set [FUN-4]."""
    match syntax:
        case TensorSyntax(shape, dtype_syntax, _):
            elements = resolve_shape(ctx, shape)
            dtype = resolve_dtype_name(ctx, dtype_syntax)
            if elements is None or dtype is None:
                return ERROR
            return TensorType(elements, dtype)
        case TupleSyntax(elements):
            inner = tuple(resolve_type(ctx, element) for element in elements)
            return ERROR if ERROR in inner else TupleType(inner)
        case OptionalSyntax(inner_syntax, _):
            inner = resolve_type(ctx, inner_syntax, sub=sub)
            if isinstance(inner, OptionalType):
                ctx.report(problems.nested_optional_type(inner_syntax.span))
                return ERROR
            return inner if isinstance(inner, ErrorType) else OptionalType(inner)
        case ArrayType(element_syntax, length_syntax, span):
            element = resolve_type(ctx, element_syntax, sub=sub)
            length = ctx.dimension(length_syntax)
            if isinstance(element, ErrorType) or length is None:
                return ERROR
            if not sub:
                ctx.report(problems.array_outside_sub(span))
                return ERROR
            if not isinstance(element, InstanceType):
                ctx.report(problems.array_element(element_syntax.span, show_type(element)))
                return ERROR
            if not ctx.accept_dim(length, length_syntax.span):
                return ERROR
            return InstanceArrayType(element, length)
        case NamedType():
            return _named(ctx, syntax, sub)


def resolve_shape(ctx: Context, elements: Sequence[ShapeElem]) -> Shape | None:
    """The shape that is written; a pack spreads what it stands for."""
    out: list[Dim | Pack] = []
    complete = True
    for element in elements:
        if isinstance(element, Spread):
            entity = ctx.resolve(element.name, "pack")
            if isinstance(entity, GenericEntity) and isinstance(entity.arg, tuple):
                out.extend(entity.arg)
                continue
            if entity is not None and not isinstance(entity, Unresolved):
                ctx.report(
                    problems.spread_of_other(element.span, element.name, entity_word(entity))
                )
            complete = False
        else:
            dim = ctx.dimension(element)
            if dim is None or not ctx.accept_dim(dim, element.span):
                complete = False
            else:
                out.append(dim)
    return tuple(out) if complete else None


def resolve_dtype_name(ctx: Context, syntax: NamedType) -> Dtype | None:
    """The dtype in a tensor type or reduction; anything else there is `E1208`."""
    if not syntax.args and len(syntax.path.segments) == 1:
        known = DTYPES.get(syntax.path.segments[0].text)
        if known is not None:
            return known
    entity = lookup_path(ctx, syntax.path, "dtype")
    match entity:
        case None | Unresolved():
            return None
        case GenericEntity(_, Dtype() as dtype):
            return dtype
        case ItemEntity(_, Alias()):
            target = _alias(ctx, entity, syntax, sub=False)
            if isinstance(target, TensorType) and not target.shape:
                return target.dtype
            if isinstance(target, ErrorType):
                return None
        case _:
            pass
    ctx.report(problems.not_a_dtype(syntax.span, syntax.path.text, entity_word(entity)))
    return None


def _named(ctx: Context, syntax: NamedType, sub: bool) -> Type:
    path, span = syntax.path, syntax.span
    if not syntax.args and len(path.segments) == 1 and path.segments[0].text in DTYPES:
        return scalar(DTYPES[path.segments[0].text])
    entity = lookup_path(ctx, path, "sub" if sub else "type")
    match entity:
        case None | Unresolved():
            return ERROR
        case GenericEntity(_, Dtype() as dtype) if not syntax.args:
            return scalar(dtype)
        case ItemEntity(_, Alias()):
            return _alias(ctx, entity, syntax, sub)
        case ItemEntity(_, Enum()):
            generics = ctx.declared.enum_generics(entity)
            args = resolve_args(ctx, generics, syntax.args, span, entity.name)
            if args is None:
                return ERROR
            enum = ctx.declared.enum(entity)
            return EnumType(enum.symbol, enum.variants, args)
        case ItemEntity(_, Struct()):
            generics = ctx.declared.struct_generics(entity)
            args = resolve_args(ctx, generics, syntax.args, span, entity.name)
            return ERROR if args is None else ctx.declared.struct_type(entity, args)
        case ItemEntity(_, BlockSyntax()):
            block = ctx.declared.block(entity)
            args = resolve_args(ctx, block.generics, syntax.args, span, block.name)
            if not sub:
                ctx.report(problems.block_as_type(span, block.name))
                return ERROR
            return ERROR if args is None else InstanceType(block.symbol, args)
        case PreludeEntity("Tensor"):
            ctx.report(problems.bare_tensor(span))
            return ERROR
        case _:
            ctx.report(problems.not_a_type(span, path.text, entity_word(entity)))
            return ERROR


def _alias(ctx: Context, entity: ItemEntity, syntax: NamedType, sub: bool) -> Type:
    info = ctx.declared.alias(entity)
    if info is None:
        return ERROR
    args = resolve_args(ctx, info.generics, syntax.args, syntax.span, entity.name)
    if args is None:
        return ERROR
    substitution = Substitution()
    for generic, arg in zip(info.generics, args, strict=True):
        substitution.bind(generic.symbol, arg)
    for divisor in info.divisors:
        if not ctx.require_divisor(substitution.dim(divisor), syntax.span):
            return ERROR
    if _is_instance(info.target) and not sub:
        ctx.report(problems.block_as_type(syntax.span, entity.name))
        return ERROR
    type_ = substitution.type(info.target)
    if not _is_small([type_]):
        ctx.report(problems.too_large(syntax.span, "a type", f"{_PARTS:,} parts"))
        return ERROR
    return type_


# No model comes near; beyond it every later step would take minutes.
_PARTS = 4096


def _is_small(types: list[Type]) -> bool:
    """Whether a type has a number of parts that can be written out: aliases can double it."""
    parts = 0
    while types and parts <= _PARTS:
        parts += 1
        match types.pop():
            case TupleType(elements):
                types.extend(elements)
            case OptionalType(inner):
                types.append(inner)
            case TensorType(shape, _):
                parts += len(shape)
            case _:
                pass
    return parts <= _PARTS


def _is_instance(type_: Type) -> bool:
    inner = type_.inner if isinstance(type_, OptionalType) else type_
    return isinstance(inner, InstanceType | InstanceArrayType)


def resolve_args(
    ctx: Context, generics: tuple[Generic, ...], written: Sequence[ArgSyntax], span: Span, name: str
) -> tuple[GenericArg, ...] | None:
    """The arguments of a type or block, defaults filled in [TYP-17]; else `E2111`."""
    if len(written) > len(generics):
        ctx.report(problems.too_many_generics(span, name, len(generics), len(written)))
        return None
    bound = Substitution()
    out: list[GenericArg] = []
    for index, generic in enumerate(generics):
        if index < len(written):
            arg = resolve_arg(ctx, generic, written[index], name)
            if arg is None:
                return None
        elif generic.default is not None:
            arg = bound.arg(generic.default)
        else:
            ctx.report(problems.too_few_generics(span, name, generic.name, generic.span))
            return None
        bound.bind(generic.symbol, arg)
        out.append(arg)
    return tuple(out)


def resolve_arg(ctx: Context, generic: Generic, written: ArgSyntax, name: str) -> GenericArg | None:
    """One generic argument, of the kind (`E2111`) and class (`E2112`) that its generic needs."""
    match generic.kind:
        case Kind.DIM:
            return _dim_arg(ctx, generic, written, name)
        case Kind.SHAPE:
            if isinstance(written, ShapeLiteral):
                return resolve_shape(ctx, written.elements)
            ctx.report(problems.wrong_argument_kind(written.span, generic.name, name, "a shape"))
            return None
        case _:
            dtype = dtype_arg(ctx, written, generic.name, name)
            if dtype is not None and not belongs(dtype, generic.kind):
                ctx.report(
                    problems.outside_class(
                        written.span, f"`{generic.name}` of `{name}`", generic.kind, dtype.name
                    )
                )
                return None
            return dtype


def dtype_arg(ctx: Context, written: ArgSyntax, generic: str, name: str) -> Dtype | None:
    """A generic argument that must be a dtype; anything else is `E2111`."""
    type_: Type | None = None
    if isinstance(written, Undecided):
        entity = lookup_path(ctx, written.path, "dtype")
        if entity is None or isinstance(entity, Unresolved):
            return None
        is_type = isinstance(entity, GenericEntity) and isinstance(entity.arg, Dtype)
        is_type = is_type or (isinstance(entity, ItemEntity) and isinstance(entity.syntax, Alias))
        is_type = is_type or (isinstance(entity, PreludeEntity) and entity.name in DTYPES)
        if is_type:
            type_ = resolve_type(ctx, NamedType(written.path, (), written.span))
    elif isinstance(written, NamedType | TensorSyntax | TupleSyntax | ArrayType | OptionalSyntax):
        type_ = resolve_type(ctx, written)
    if isinstance(type_, ErrorType):
        return None
    if isinstance(type_, TensorType) and is_scalar(type_):
        return type_.dtype
    ctx.report(problems.wrong_argument_kind(written.span, generic, name, "a dtype"))
    return None


def _dim_arg(ctx: Context, generic: Generic, written: ArgSyntax, name: str) -> Dim | None:
    if isinstance(written, Undecided):
        entity = lookup_path(ctx, written.path, "dimension")
        if entity is None or isinstance(entity, Unresolved):
            return None
        if isinstance(entity, GenericEntity) and not isinstance(entity.arg, Dtype | tuple):
            return entity.arg
        wrong = isinstance(entity, GenericEntity | PreludeEntity | ModuleEntity)
        wrong = wrong or (
            isinstance(entity, ItemEntity)
            and isinstance(entity.syntax, Alias | Struct | Enum | BlockSyntax)
        )
        if wrong or len(written.path.segments) > 2:
            ctx.report(
                problems.wrong_argument_kind(written.span, generic.name, name, "a dimension")
            )
            return None
        written = path_expr(written.path)
    if isinstance(written, NamedType | TensorSyntax | TupleSyntax | ArrayType | OptionalSyntax):
        ctx.report(problems.wrong_argument_kind(written.span, generic.name, name, "a dimension"))
        return None
    if isinstance(written, ShapeLiteral):
        ctx.report(problems.wrong_argument_kind(written.span, generic.name, name, "a dimension"))
        return None
    dim = ctx.dimension(written)
    if dim is None or not ctx.accept_dim(dim, written.span):
        return None
    return dim


def path_expr(path: Path) -> Expr:
    """The expression that a dotted path would be."""
    expr: Expr = path.segments[0]
    for segment in path.segments[1:]:
        expr = Member(expr, segment, path.span)
    return expr


def resolve_where(ctx: Context, constraints: Sequence[Constraint]) -> tuple[Where, ...]:
    """The facts that a `where` clause states; divisions in it make no claim [DIM-5]."""
    out: list[Where] = []
    kept, ctx.makes_claims = ctx.makes_claims, False
    used, ctx.use = ctx.use, "dimension"
    for constraint in constraints:
        sides = [ctx.infer(side) for side in (constraint.left, constraint.right)]
        for side, value in zip((constraint.left, constraint.right), sides, strict=True):
            if not isinstance(value, Ci) and not is_invalid(value):
                ctx.report(problems.not_compile_time(side.span))
        left, right = sides
        if isinstance(left, Ci) and isinstance(right, Ci):
            fact = compare(constraint.op, left.dim, right.dim)
            out.append(Where(fact, constraint.span.text, constraint.span))
    ctx.makes_claims, ctx.use = kept, used
    return tuple(out)
