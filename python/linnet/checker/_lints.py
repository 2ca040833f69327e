"""Lints: imports, locals and members that nothing uses (spec section 17)."""

from collections.abc import Iterable

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._names import ModuleScope
from linnet.checker._program import Block
from linnet.diagnostics import Diagnostic


def lint(
    modules: Iterable[ModuleScope], contexts: Iterable[Context], blocks: Iterable[Block]
) -> list[Diagnostic]:
    """The warnings of modules that are checked whole; the program is free of errors."""
    checked = {scope.name: scope for scope in modules if scope.checked}
    out: list[Diagnostic] = []
    for scope in checked.values():
        out += [
            problems.unused_import(bound.span, name)
            for name, bound in scope.imports.items()
            if not bound.used
        ]
    for ctx in contexts:
        if ctx.module.name in checked:
            out += [
                problems.unused_local(local.span, local.name)
                for local in ctx.all_locals
                if local.lint and not local.used and not local.name.startswith("_")
            ]
    for block in blocks:
        if block.module in checked:
            out += [
                problems.unused_member(member.span, member.kind, member.name, block.name)
                for member in block.members.values()
                if not member.used and not member.name.startswith("_")
            ]
    return out
