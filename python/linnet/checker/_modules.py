"""The module table: items and imports of every loaded module [MOD-2..MOD-8]."""

from dataclasses import dataclass, field
from pathlib import Path

from linnet.checker import _problems as problems
from linnet.checker._names import (
    PRELUDE,
    Import,
    ItemEntity,
    ModuleEntity,
    ModuleScope,
    Unresolved,
)
from linnet.diagnostics import Diagnostic
from linnet.source import Span
from linnet.syntax import (
    Alias,
    Block,
    Const,
    Enum,
    Function,
    Item,
    Kernel,
    LoadedModule,
    Offer,
    Program,
    Struct,
    UseItems,
    UseModule,
    offers,
)


@dataclass(slots=True, eq=False)
class ModuleTable:
    """Every module by its name, and the problems of names found on the way."""

    modules: dict[str, ModuleScope] = field(default_factory=dict[str, ModuleScope])
    problems: list[Diagnostic] = field(default_factory=list[Diagnostic])
    std_root: Path | None = None
    _std: list[Offer] | None = None

    def offers(self, module: ModuleScope) -> list[Offer]:
        """Items that a module could import, those of modules it imports from first."""
        if self._std is None:
            self._std = [] if self.std_root is None else offers("std", self.std_root)
        near = [
            Offer(path, item.name, _word(item.syntax))
            for path, source in module.sources.items()
            for item in source.items.values()
            if item.public
        ]
        own = module.name
        return near + [offer for offer in self._std if offer.module != own]


def build_table(program: Program) -> ModuleTable:
    """The namespaces of a program's modules; the modules of `std` are checked on demand."""
    table = ModuleTable(std_root=program.std_root)
    for module in program.modules:
        whole = module is program.root or not module.name.startswith("std.")
        scope = ModuleScope(module.name, module.tree, whole)
        table.modules[module.name] = scope
        places: dict[str, Span] = {}
        # Modules come in dependency order, so every target has its items already.
        _imports(table, module, scope, places)
        for item in module.tree.items:
            name = item.name
            if name.text in PRELUDE:
                table.problems.append(problems.prelude_redeclared(name.text, name.span))
            elif name.text in places:
                table.problems.append(problems.name_taken(name.span, name.text, places[name.text]))
                continue
            places[name.text] = name.span
            scope.items[name.text] = ItemEntity(scope, item)
    return table


def _imports(
    table: ModuleTable, module: LoadedModule, scope: ModuleScope, places: dict[str, Span]
) -> None:
    for use in module.tree.uses:
        target = module.targets.get(use)
        owner = None if target is None else table.modules[target.name]
        if owner is not None:
            scope.sources[use.path.text] = owner
        match use:
            case UseModule(path, span):
                entity = Unresolved() if owner is None else ModuleEntity(owner)
                _bind(table, scope, places, path.segments[-1].text, Import(entity, span))
            case UseItems(_, names, _):
                for used in names:
                    if owner is None:
                        found = Unresolved()
                    else:
                        found = _item(table, scope, owner, used.name.text, used.name.span)
                    _bind(table, scope, places, used.bound.text, Import(found, used.span))


def _item(
    table: ModuleTable, scope: ModuleScope, owner: ModuleScope, name: str, span: Span
) -> ItemEntity | Unresolved:
    item = owner.items.get(name)
    if item is None:
        public = [entry for entry, known in owner.items.items() if known.public]
        elsewhere = table.offers(scope)
        table.problems.append(problems.no_such_import(span, name, owner.name, public, elsewhere))
        return Unresolved()
    if not item.public:
        table.problems.append(
            problems.private_import(span, name, owner.name, item.syntax.name.span)
        )
        return Unresolved()
    return item


def _bind(
    table: ModuleTable,
    scope: ModuleScope,
    places: dict[str, Span],
    name: str,
    bound: Import,
) -> None:
    if name in PRELUDE:
        table.problems.append(problems.prelude_redeclared(name, bound.span))
    if name in places:
        table.problems.append(problems.name_taken(bound.span, name, places[name]))
        return
    places[name] = bound.span
    scope.imports[name] = bound


def _word(item: Item) -> str:
    """The word that an item begins with."""
    match item:
        case Const():
            return "const"
        case Alias():
            return "type"
        case Struct():
            return "struct"
        case Enum():
            return "enum"
        case Block():
            return "block"
        case Function(kind=kind):
            return kind
        case Kernel():
            return "kernel"
