"""The checker's entry: a loaded program in, a typed program or diagnostics out."""

from dataclasses import dataclass

from linnet.checker import _problems as problems
from linnet.checker._lints import lint
from linnet.checker._modules import build_table
from linnet.checker._names import ItemEntity, ModuleScope
from linnet.checker._program import Block, Function, FunctionBody, TypedProgram
from linnet.checker._sound import instance_in, sound_part
from linnet.checker._types import (
    OptionalType,
    StructType,
    TupleType,
    Type,
)
from linnet.checker._world import World
from linnet.diagnostics import Diagnostic, Severity, in_source_order
from linnet.source import Span
from linnet.syntax import Alias, Const, Enum, Kernel, Name, Program, Struct
from linnet.syntax import Block as BlockSyntax
from linnet.syntax import Function as FunctionSyntax


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The typed program, None if it has errors, and the diagnostics in source order.

    Warnings are given only without errors; claims are still to be proven by `emit.verify`.
    `sound` is the part of a program with errors that has none of its own, so that what it
    claims can be told in the same run.
    """

    program: TypedProgram | None
    diagnostics: tuple[Diagnostic, ...]
    sound: TypedProgram | None = None


def check(program: Program) -> CheckResult:
    """Check a loaded program: names, types, inference, statements, lints."""
    if not program.is_complete or program.root is None:
        return CheckResult(None, program.diagnostics)
    table = build_table(program)
    world = World(table)
    for scope in table.modules.values():
        if scope.checked:
            _module(world, scope)
    world.check_queue()
    world.problems += _block_circles(world)
    struct_circles = _struct_circles(world)
    world.problems += struct_circles
    world.problems += _recursion(world.bodies)
    if any(problem.severity is Severity.ERROR for problem in world.problems):
        # A struct that contains itself has no form to emit.
        sound = None if struct_circles else sound_part(world, program.root.name)
        return CheckResult(None, in_source_order(world.problems), sound)
    warnings = lint(table.modules.values(), world.contexts, world.blocks.values())
    typed = TypedProgram(
        program.root.name,
        dict(world.blocks),
        dict(world.enums),
        dict(world.structs()),
        world.bodies,
    )
    return CheckResult(typed, in_source_order(warnings))


def _module(world: World, scope: ModuleScope) -> None:
    """Check every item of a module, in source order."""
    for item in scope.items.values():
        _item(world, item)


def _item(world: World, item: ItemEntity) -> None:
    match item.syntax:
        case Const() as syntax:
            world.constant(item, syntax.span)
        case Alias():
            world.alias(item)
        case Struct():
            world.struct(item)
        case Enum() as syntax:
            seen: dict[str, Name] = {}
            for variant in syntax.variants:
                if variant.text in seen:
                    world.report(problems.duplicate(variant, "variant", seen[variant.text].span))
                seen[variant.text] = variant
            world.enum(item)
        case Kernel():
            world.kernel(item)
        case FunctionSyntax():
            function = world.function(item)
            if function is not None:
                world.need_body(function)
        case BlockSyntax():
            block = world.block(item)
            world.members(block)
            for inner in world.block_items(block).values():
                _item(world, inner)
            for method in block.methods.values():
                function = world.method(block, method)
                if function is not None:
                    world.need_body(function)


def _block_circles(world: World) -> list[Diagnostic]:
    """Blocks that contain themselves through their subs [TYP-4]."""
    out: list[Diagnostic] = []
    done: set[str] = set()

    def visit(block: Block, path: list[str]) -> None:
        if block.symbol in path:
            if block.symbol == path[0] or block.symbol not in done:
                out.append(problems.circular(block.syntax.name.span, block.name, ()))
                done.add(block.symbol)
            return
        if block.symbol in done:
            return
        for member in world.members(block).values():
            inner = instance_in(member.type)
            if inner is not None:
                visit(world.block_of(inner.symbol), [*path, block.symbol])
        done.add(block.symbol)

    for block in list(world.blocks.values()):
        visit(block, [])
    return out


def _struct_circles(world: World) -> list[Diagnostic]:
    """Structs that contain themselves through their fields [TYP-4]."""
    out: list[Diagnostic] = []
    structs = world.structs()
    inside = {
        symbol: [inner for field in struct.fields for inner in _structs(field.type)]
        for symbol, struct in structs.items()
    }
    for symbol, struct in structs.items():
        reached: set[str] = set()
        open_ = list(inside[symbol])
        while open_:
            inner = open_.pop()
            if inner not in reached:
                reached.add(inner)
                open_ += inside[inner]
        if symbol in reached:
            out.append(problems.circular(struct.span, struct.name, ()))
    return out


def _structs(type_: Type) -> list[str]:
    match type_:
        case StructType(symbol, _):
            return [symbol]
        case OptionalType(inner):
            return _structs(inner)
        case TupleType(elements):
            return [symbol for element in elements for symbol in _structs(element)]
        case _:
            return []


def _recursion(bodies: dict[Function, FunctionBody]) -> list[Diagnostic]:
    """One problem for each circle of calls [FUN-3]."""
    out: list[Diagnostic] = []
    state: dict[Function, str] = {}
    for start in bodies:
        if start in state:
            continue
        state[start] = "open"
        stack = [(start, iter(bodies[start].calls))]
        while stack:
            function, calls = stack[-1]
            step: tuple[Function, Span] | None = next(calls, None)
            if step is None:
                state[function] = "done"
                stack.pop()
                continue
            callee, span = step
            if state.get(callee) == "open":
                names = [entry.name for entry, _ in stack]
                at = next(i for i, (entry, _) in enumerate(stack) if entry is callee)
                out.append(problems.recursion(span, callee.name, names[at:]))
            elif callee not in state and callee in bodies:
                state[callee] = "open"
                stack.append((callee, iter(bodies[callee].calls)))
    return out
