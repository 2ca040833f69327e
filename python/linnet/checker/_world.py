"""All declarations of a program, each resolved once, when first asked for.

They ask for one another in any order, which is why they are one class and one long file.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import final

from linnet.checker import _problems as problems
from linnet.checker import _program as p
from linnet.checker._arguments import accept_name
from linnet.checker._block_items import declare_block_names, resolve_members
from linnet.checker._boundary import crosses
from linnet.checker._context import Context, KernelScope
from linnet.checker._convert import Site, coerce, value_of
from linnet.checker._declared import AliasInfo, Declared
from linnet.checker._dims import Constraint, Dim
from linnet.checker._expressions import ExpressionContext
from linnet.checker._gradients import gradient_of
from linnet.checker._kernels import bind_kernel, declare_kernel, scope_of
from linnet.checker._modules import ModuleTable
from linnet.checker._names import PRELUDE, GenericEntity, ItemEntity, ModuleScope, own_arg
from linnet.checker._program import (
    Block,
    DataMember,
    Expr,
    Function,
    FunctionBody,
    Generic,
    Local,
    Param,
    Require,
)
from linnet.checker._resolve import resolve_arg, resolve_type, resolve_where
from linnet.checker._statements import check_body
from linnet.checker._types import (
    EnumType,
    ErrorType,
    GenericArg,
    StructType,
    kind_word,
)
from linnet.checker._values import Ci, Contextual, Pending, Value, invalid, is_invalid
from linnet.diagnostics import Diagnostic, Label
from linnet.source import Span
from linnet.syntax import Alias, Const, Enum, Kind, Name, Offer, Struct
from linnet.syntax import Block as BlockSyntax
from linnet.syntax import Function as FunctionSyntax
from linnet.syntax import Generic as GenericSyntax
from linnet.syntax import Kernel as KernelSyntax
from linnet.syntax import Param as ParamSyntax

# Problems whose names are compared with all others.
_READABLE = 100


@final
class World(Declared):
    """The declarations of all loaded modules, and the problems found so far."""

    def __init__(self, table: ModuleTable) -> None:
        self.table = table
        self.problems: list[Diagnostic] = table.problems
        self.bodies: dict[Function, FunctionBody] = {}
        self.queue: list[Function] = []
        self.contexts: list[Context] = []
        self.enums: dict[str, EnumType] = {}
        self.blocks: dict[str, Block] = {}
        self._blocks: dict[BlockSyntax, Block] = {}
        self._block_items: dict[Block, dict[str, ItemEntity]] = {}
        self._resolved: set[Block] = set()
        self._functions: dict[FunctionSyntax, Function | None] = {}
        self._constants: dict[Const, Value] = {}
        self._aliases: dict[Alias, AliasInfo | None] = {}
        self._item_generics: dict[Struct | Enum, tuple[Generic, ...]] = {}
        self._struct_items: dict[str, ItemEntity] = {}
        self._structs: dict[str, p.Struct] = {}
        self._open: list[Const | Alias | Struct] = []
        self._kernels: dict[KernelSyntax, p.Kernel | None] = {}
        self._scopes: dict[Function, KernelScope] = {}
        self._gradients: dict[Function, Function] = {}
        self._asked: set[Function] = set()
        self._touches: dict[Function, bool] = {}
        # Declarations whose facts are not all known; what they claim is not judged.
        self.unsure: set[Function | Block] = set()

    def report(self, problem: Diagnostic) -> None:
        """Keep a problem."""
        self.problems.append(problem)

    def is_readable(self) -> bool:
        """Whether there are few enough problems for somebody to read what each may have meant.

        To compare a name with all others takes time, and a file can hold thousands of mistakes.
        """
        return len(self.problems) < _READABLE

    def offers(self, module: ModuleScope) -> Sequence[Offer]:
        """Items that a module could import, those of modules it imports from first."""
        return self.table.offers(module)

    # Blocks -------------------------------------------------------------------------------

    def block(self, item: ItemEntity) -> Block:
        """A block with its generics and constraints."""
        syntax = item.syntax
        assert isinstance(syntax, BlockSyntax)
        known = self._blocks.get(syntax)
        if known is not None:
            return known
        name = syntax.name.text
        block = Block(syntax.public, name, f"{item.module.name}::{name}", item.module.name, syntax)
        self._blocks[syntax] = block
        self.blocks[block.symbol] = block
        before = len(self.problems)
        ctx = self.context(item.module, {}, None)
        block.generics = self.generics(ctx, syntax.generics, {})
        ctx.generics = {g.name: GenericEntity(g, own_arg(g)) for g in block.generics}
        block.where = resolve_where(ctx, syntax.where)
        block.requires += ctx.requires()
        self._block_items[block] = declare_block_names(self, item.module, block)
        if len(self.problems) > before:
            self.unsure.add(block)
        return block

    def block_of(self, symbol: str) -> Block:
        """The block of an instance type."""
        return self.blocks[symbol]

    def block_items(self, block: Block) -> dict[str, ItemEntity]:
        """The constants and types declared inside a block."""
        return self._block_items.get(block, {})

    def members(self, block: Block) -> dict[str, DataMember]:
        """The `param`, `buffer`, `state` and `sub` members of a block."""
        if block not in self._resolved:
            self._resolved.add(block)
            module = self.table.modules[block.module]
            ctx = self.context(module, self.block_generics(block), None, _facts(block))
            # Members see the block's items, yet not one another.
            ctx.module = _with_items(module, self.block_items(block))
            resolve_members(ctx, block)
            block.requires += ctx.requires()
        return block.members

    def block_generics(self, block: Block) -> dict[str, GenericEntity]:
        """The generics of a block as its members and methods see them."""
        return {g.name: GenericEntity(g, own_arg(g)) for g in block.generics}

    # Generics -----------------------------------------------------------------------------

    def generics(
        self, ctx: Context, written: Sequence[GenericSyntax], outer: dict[str, GenericEntity]
    ) -> tuple[Generic, ...]:
        """Declared generics; a default may mention those before it [TYP-16]."""
        out: list[Generic] = []
        seen: dict[str, Name] = {}
        taken = {entity.generic.symbol for entity in outer.values()}
        taken |= {generic.name.text for generic in written}
        for syntax in written:
            name = syntax.name.text
            if name in PRELUDE:
                self.report(problems.prelude_redeclared(name, syntax.name.span))
            if name in seen:
                self.report(problems.duplicate(syntax.name, "generic", seen[name].span))
                continue
            seen[name] = syntax.name
            if syntax.pack != (syntax.kind is Kind.SHAPE):
                self.report(problems.star_and_kind(syntax.span, name, syntax.kind))
            symbol = name
            while symbol in {entity.generic.symbol for entity in outer.values()} or (
                symbol != name and symbol in taken
            ):
                symbol += "_"
            bare = Generic(name, symbol, syntax.kind, None, syntax.name.span)
            default = None
            if syntax.default is not None:
                default = resolve_arg(ctx, bare, syntax.default, name)
            generic = Generic(name, symbol, syntax.kind, default, syntax.name.span)
            ctx.generics = {**ctx.generics, name: GenericEntity(generic, own_arg(generic))}
            out.append(generic)
        return tuple(out)

    def _own_generics(self, item: ItemEntity) -> tuple[Generic, ...]:
        """The generics that a struct or an enum declares itself."""
        syntax = item.syntax
        assert isinstance(syntax, Struct | Enum)
        if syntax not in self._item_generics:
            outer = {} if item.block is None else self.block_generics(item.block)
            ctx = self.context(item.module, dict(outer), None)
            self._item_generics[syntax] = self.generics(ctx, syntax.generics, outer)
        return self._item_generics[syntax]

    # Structs ------------------------------------------------------------------------------

    def struct_generics(self, item: ItemEntity) -> tuple[Generic, ...]:
        """The generics that a struct declares itself."""
        return self._own_generics(item)

    def struct_type(self, item: ItemEntity, args: tuple[GenericArg, ...]) -> StructType:
        """The type of a struct for arguments of the generics that it declares itself."""
        symbol = _symbol(item)
        self._struct_items[symbol] = item
        outer = () if item.block is None else item.block.generics
        return StructType(symbol, (*(own_arg(generic) for generic in outer), *args))

    def struct(self, item: ItemEntity) -> p.Struct:
        """A struct with its fields; checks them when first asked for."""
        syntax = item.syntax
        assert isinstance(syntax, Struct)
        symbol = _symbol(item)
        known = self._structs.get(symbol)
        if known is not None:
            return known
        generics = self.struct_generics(item)
        outer = {} if item.block is None else self.block_generics(item.block)
        own = {g.name: GenericEntity(g, own_arg(g)) for g in generics}
        ctx = self.context(item.module, {**outer, **own}, item.block)
        seen: dict[str, Name] = {}
        fields: list[p.Field] = []
        for field in syntax.fields:
            name = field.name
            if name.text in seen:
                self.report(problems.duplicate(name, "field", seen[name.text].span))
            seen[name.text] = name
            fields.append(p.Field(name.text, resolve_type(ctx, field.type), field.span))
        for require in ctx.requires():
            # No body carries the claim, and a struct has no facts of its own.
            ctx.decide(require.constraint, require.claim)
        of_block = () if item.block is None else item.block.generics
        struct = p.Struct(
            item.name, symbol, (*of_block, *generics), tuple(fields), syntax.name.span
        )
        self._struct_items[symbol] = item
        self._structs[symbol] = struct
        return struct

    def struct_of(self, symbol: str) -> p.Struct:
        """The struct of a struct type."""
        return self.struct(self._struct_items[symbol])

    def structs(self) -> dict[str, p.Struct]:
        """Every struct that a type names, by symbol."""
        while missing := self._struct_items.keys() - self._structs.keys():
            for symbol in sorted(missing):
                self.struct_of(symbol)
        return self._structs

    # Functions ----------------------------------------------------------------------------

    def function(self, item: ItemEntity) -> Function | None:
        """The signature of a module-level function; None if it has a problem."""
        assert isinstance(item.syntax, FunctionSyntax)
        return self._function(item.syntax, item.module, None)

    def method(self, block: Block, syntax: FunctionSyntax) -> Function | None:
        """The signature of a method; None if it has a problem."""
        return self._function(syntax, self.table.modules[block.module], block)

    def _function(
        self, syntax: FunctionSyntax, module: ModuleScope, block: Block | None
    ) -> Function | None:
        if syntax not in self._functions:
            self._functions[syntax] = None
            self._functions[syntax] = self._declare(syntax, module, block)
        return self._functions[syntax]

    def _declare(
        self, syntax: FunctionSyntax, module: ModuleScope, block: Block | None
    ) -> Function | None:
        name = syntax.name.text
        outer = {} if block is None else self.block_generics(block)
        ctx = self.context(module, dict(outer), block, () if block is None else _facts(block))
        before = len(self.problems)
        generics = self.generics(ctx, syntax.generics, outer)
        ctx.parameters = frozenset(param.name.text for param in syntax.params)
        where = resolve_where(ctx, syntax.where)
        unsure = len(self.problems) > before
        ctx.known = (*ctx.known, *(w.constraint for w in where))
        params: list[Param] = []
        seen: dict[str, Span] = {}
        for param in syntax.params:
            accept_name(self.report, param.name, "parameter", seen)
            type_ = resolve_type(ctx, param.type)
            if syntax.kind == "entry" and not crosses(self, type_, top=False):
                self.report(problems.entry_type(param.type.span, "parameter", kind_word(type_)))
            local = Local(param.name.text, type_, param.name.span, used=True)
            params.append(Param(local, param.default is not None, param.span))
        result = None if syntax.result is None else resolve_type(ctx, syntax.result)
        fits = syntax.kind != "entry" or result is None or crosses(self, result, top=True)
        if syntax.result is not None and result is not None and not fits:
            self.report(problems.entry_type(syntax.result.span, "result", kind_word(result)))
        for param, written in zip(params, syntax.params, strict=True):
            if written.default is not None and not isinstance(param.type, ErrorType):
                what = f"the default of `{param.name}`"
                label = Label(written.type.span, "the type is written here")
                value = value_of(ctx, written.default)
                coerce(ctx, value, param.type, Site("required", what, label))
        requires = tuple(ctx.requires())
        symbol = name if block is not None else f"{module.name}::{name}"
        function = Function(
            syntax.kind, syntax.public, name, symbol, module.name, block, generics,
            tuple(params), result, where, requires, syntax,
        )  # fmt: skip
        broken = any(isinstance(param.type, ErrorType) for param in params)
        broken = broken or isinstance(result, ErrorType) or len(generics) != len(syntax.generics)
        if unsure:
            self.unsure.add(function)
        if broken:
            # Nobody can call it, yet its body has problems of its own to tell.
            self.need_body(function)
            return None
        if syntax.kernel is not None:
            binding = bind_kernel(ctx, syntax.kernel, function)
            function = replace(function, kernel=binding, requires=tuple(ctx.requires()))
        if syntax.gradient is not None:
            gradient = gradient_of(function, syntax.gradient, self.report)
            if gradient is not None:
                self._gradients[function] = gradient
        return function

    def kernel(self, item: ItemEntity) -> p.Kernel | None:
        """The signature of a kernel; its body is checked when it is first asked for."""
        syntax = item.syntax
        assert isinstance(syntax, KernelSyntax)
        if syntax not in self._kernels:
            ctx = self.context(item.module, {}, None)
            generics = self.generics(ctx, syntax.generics, {})
            kernel = declare_kernel(ctx, syntax, item.module.name, generics)
            self._kernels[syntax] = kernel
            if kernel is not None:
                self._scopes[kernel.function] = scope_of(kernel)
                self.need_body(kernel.function)
        return self._kernels[syntax]

    def need_body(self, function: Function) -> None:
        """Have a function's body checked, because something calls it."""
        if function not in self._asked:
            self._asked.add(function)
            self.queue.append(function)

    def check_queue(self) -> None:
        """Check the bodies that were asked for, and those that they ask for."""
        while self.queue:
            self.check_function(self.queue.pop())

    def check_function(self, function: Function) -> None:
        """Check one body."""
        if function in self.bodies:
            return
        module = self.table.modules[function.module]
        block = function.block
        generics = {} if block is None else self.block_generics(block)
        generics |= {g.name: GenericEntity(g, own_arg(g)) for g in function.generics}
        known = (*(() if block is None else _facts(block)), *(w.constraint for w in function.where))
        ctx = self.context(module, generics, block, known)
        ctx.function = function
        ctx.divisors |= {made.constraint for made in function.requires}
        ctx.divisors |= {made.constraint for made in (block.requires if block else ())}
        self.bodies[function] = FunctionBody(function, (), ())
        for param in function.params:
            ctx.locals[0][param.name] = param.local
        ctx.kernel = self._scopes.get(function)
        for local in ctx.kernel.results if ctx.kernel is not None else ():
            ctx.locals[0][local.name] = local
        ctx.locals.append({})
        ctx.unsure = function in self.unsure or block in self.unsure
        statements = check_body(ctx, function, function.syntax.body)
        self.bodies[function] = FunctionBody(
            function, statements, tuple(ctx.calls), tuple(ctx.all_locals)
        )
        self._touches[function] = ctx.touches_state
        self.contexts.append(ctx)
        if function in self._gradients:
            self.need_body(self._gradients[function])

    def touches_state(self, function: Function) -> bool:
        """Whether a method reads or assigns state, itself or through calls [STA-3]."""
        seen: set[Function] = set()
        open_ = [function]
        while open_:
            current = open_.pop()
            if current in seen:
                continue
            seen.add(current)
            self._asked.add(current)
            self.check_function(current)
            if self._touches.get(current, False):
                return True
            open_ += [callee for callee, _ in self.bodies[current].calls]
        return False

    # Constants, aliases, enums ------------------------------------------------------------

    def constant(self, item: ItemEntity, span: Span) -> Value:
        """The value of a constant, at a use."""
        syntax = item.syntax
        assert isinstance(syntax, Const)
        if syntax not in self._constants:
            if self._is_open(syntax, item.name):
                return invalid(span)
            self._open.append(syntax)
            value = self._constant(item, syntax)
            self._open.pop()
            self._constants[syntax] = value
        value = self._constants[syntax]
        match value:
            case Ci(dim, _):
                return Ci(dim, span)
            case Pending(floating, number, build, _):
                return Pending(floating, number, build, span)
            case _:
                return value

    def _constant(self, item: ItemEntity, syntax: Const) -> Value:
        generics = {} if item.block is None else self.block_generics(item.block)
        ctx = self.context(item.module, generics, None)
        if item.block is not None:
            ctx.module = _with_items(item.module, self.block_items(item.block))
        value = value_of(ctx, syntax.value)
        if syntax.type is not None:
            required = resolve_type(ctx, syntax.type)
            label = Label(syntax.type.span, "the type is written here")
            value = coerce(ctx, value, required, Site("required", f"`{item.name}`", label))
        if item.block is not None:
            item.block.requires += ctx.requires()
        if not is_invalid(value) and not _compile_time(value):
            self.report(problems.constant_value(syntax.value.span, item.name))
            return invalid(syntax.value.span)
        return value

    def _is_open(self, syntax: Const | Alias | Struct, name: str) -> bool:
        if syntax not in self._open:
            return False
        circle = self._open[self._open.index(syntax) :]
        others = tuple(Label(s.name.span, f"`{s.name.text}` needs it") for s in circle[1:])
        self.report(problems.circular(syntax.name.span, name, others))
        return True

    def alias(self, item: ItemEntity) -> AliasInfo | None:
        """An alias; None if it has a problem."""
        syntax = item.syntax
        assert isinstance(syntax, Alias)
        if syntax not in self._aliases:
            if self._is_open(syntax, item.name):
                return None
            self._open.append(syntax)
            outer = {} if item.block is None else self.block_generics(item.block)
            ctx = self.context(item.module, dict(outer), None)
            if item.block is not None:
                ctx.module = _with_items(item.module, self.block_items(item.block))
            generics = self.generics(ctx, syntax.generics, outer)
            target = resolve_type(ctx, syntax.target, sub=True)
            divisors = tuple(_divisor(made) for made in ctx.requires())
            self._open.pop()
            broken = isinstance(target, ErrorType)
            self._aliases[syntax] = None if broken else AliasInfo(generics, target, divisors)
        return self._aliases[syntax]

    def enum(self, item: ItemEntity) -> EnumType:
        """An enum."""
        syntax = item.syntax
        assert isinstance(syntax, Enum)
        symbol = _symbol(item)
        if symbol not in self.enums:
            variants = tuple(variant.text for variant in syntax.variants)
            args = tuple(own_arg(generic) for generic in self.enum_generics(item))
            self.enums[symbol] = EnumType(symbol, variants, args)
        return self.enums[symbol]

    def enum_generics(self, item: ItemEntity) -> tuple[Generic, ...]:
        """The generics of an enum."""
        return self._own_generics(item)

    def default_value(
        self, function: Function, param: ParamSyntax, generics: dict[str, GenericEntity]
    ) -> Value:
        """The default of a parameter, its generics standing for the call's arguments."""
        module = self.table.modules[function.module]
        ctx = self.context(module, generics, None)
        ctx.makes_claims = False
        assert param.default is not None
        return value_of(ctx, param.default)

    def context(
        self,
        module: ModuleScope,
        generics: dict[str, GenericEntity],
        block: Block | None,
        known: tuple[Constraint, ...] = (),
    ) -> ExpressionContext:
        """A context for one declaration or body."""
        return ExpressionContext(self, module, generics, block, known)


def _facts(block: Block) -> tuple[Constraint, ...]:
    return tuple(where.constraint for where in block.where)


def _divisor(require: Require) -> Dim:
    return require.constraint.lhs


def _with_items(module: ModuleScope, items: dict[str, ItemEntity]) -> ModuleScope:
    """A module as seen from inside a block that declares items of its own."""
    if not items:
        return module
    return ModuleScope(
        module.name, module.syntax, module.checked, {**module.items, **items}, module.imports
    )


def _symbol(item: ItemEntity) -> str:
    """The symbol of a struct or enum, which may be one of a block."""
    owner = "" if item.block is None else f"{item.block.name}."
    return f"{item.module.name}::{owner}{item.name}"


def _compile_time(value: Value | Expr) -> bool:
    """Whether a constant's value is known without running anything."""
    if isinstance(value, Contextual):
        return True
    match value:
        case p.Constant() | p.DimValue() | p.EnumValue() | p.NoneValue() | p.Iota():
            return True
        case p.Unary(operand=operand) | p.Cast(operand=operand) | p.Broadcast(operand=operand):
            return _compile_time(operand)
        case p.Binary(left=left, right=right) | p.Compare(left=left, right=right):
            return _compile_time(left) and _compile_time(right)
        case p.Select(condition=a, then=b, otherwise=c) | p.If(condition=a, then=b, otherwise=c):
            return _compile_time(a) and _compile_time(b) and _compile_time(c)
        case p.Some(value=inner) | p.Splat(value=inner):
            return _compile_time(inner)
        case p.Tuple(elements=elements) | p.Build(values=elements):
            return all(_compile_time(element) for element in elements)
        case p.FieldRead(base=base):
            return _compile_time(base)
        case _:
            return False
