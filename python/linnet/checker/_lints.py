"""Lints: imports, locals and members that nothing uses (spec section 17)."""

from collections.abc import Iterable, Iterator, Mapping

from linnet.checker import _problems as problems
from linnet.checker._context import Context
from linnet.checker._names import ModuleScope
from linnet.checker._program import Block
from linnet.diagnostics import Diagnostic
from linnet.source import Span
from linnet.syntax import Use, UseItems, UseModule


def lint(
    modules: Iterable[ModuleScope], contexts: Iterable[Context], blocks: Iterable[Block]
) -> list[Diagnostic]:
    """The warnings of modules that are checked whole; the program is free of errors."""
    checked = {scope.name: scope for scope in modules if scope.checked}
    out: list[Diagnostic] = []
    for scope in checked.values():
        unused = {bound.span: name for name, bound in scope.imports.items() if not bound.used}
        out += [
            problems.unused_import(span, name, what, removal)
            for use in scope.syntax.uses
            for span, name, what, removal in _unused_names(use, unused)
        ]
    for ctx in contexts:
        if ctx.module.name in checked:
            out += [
                problems.unused_local(local.span, local.name, assigned=local.mutable)
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


_Removal = tuple[Span, str, str, Span | None]


def _unused_names(use: Use, unused: Mapping[Span, str]) -> Iterator[_Removal]:
    """The names of an import that nothing uses, each with what to remove for it."""
    match use:
        case UseModule(span=span):
            if span in unused:
                yield span, unused[span], "the import", _whole_line(span)
        case UseItems(names=names, span=span):
            if all(name.span in unused for name in names):
                # One edit for all of them: the whole import.
                for at, name in enumerate(names):
                    yield (
                        name.span,
                        unused[name.span],
                        "the import",
                        (None if at else _whole_line(span)),
                    )
                return
            for at, name in enumerate(names):
                if name.span in unused:
                    before = names[at - 1].span.end if at else name.span.start
                    after = name.span.end if at else names[1].span.start
                    what = f"`{unused[name.span]}`"
                    yield name.span, unused[name.span], what, Span(span.file, before, after)


def _whole_line(span: Span) -> Span:
    """The span with the line end behind it."""
    ends = span.file.text[span.end : span.end + 1] == "\n"
    return Span(span.file, span.start, span.end + ends)
