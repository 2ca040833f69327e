"""The memory of a program's entries, from its source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.backends import Module
from linnet.checker import Dim
from linnet.errors import UsageError, unknown_name
from linnet.memory._liveness import estimate
from linnet.memory._model import Amount, EntryMemory, Memory, Taken, bytes_of, entry_memory
from linnet.memory._process import process_bytes
from linnet.memory._symbolic import Declared, declared_bytes
from linnet.memory._taken import taken_of

if TYPE_CHECKING:
    from linnet.compiler import Checked, Storage
    from linnet.compiler import Declared as Entry
    from linnet.core import CoreModule

Generics = Mapping[str, int | str | Sequence[int]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a program: `entries` are names, none stands for all of the root.

    Without `compiled` temporaries are estimated from CORE; no backend is needed for that.
    `storage` holds the weights narrower than the program has them.
    """

    root: str | None
    entries: Sequence[str]
    optionals: str | Sequence[str]
    target: str
    compiled: bool
    storage: "Storage | None" = None


class ProgramMemory:
    """A checked program, asked at one or many sizes."""

    def __init__(self, path: Path, std: Path | None, asked: Asked) -> None:
        """Check the program. ProgramError for one with errors, UsageError for an unknown name."""
        from linnet.checker import check
        from linnet.compiler import check_path, choose_root, declared_entries
        from linnet.syntax import load_program

        loaded = load_program(path, std)
        self._checked: Checked = check_path(path, std, None, loaded)
        self._asked = asked
        emitted = self._checked.accepted()
        declared = declared_entries(emitted.module)
        self._root = choose_root(declared, asked.root)
        entries = {entry.name: entry for entry in declared if entry.root == self._root}
        for name in asked.entries:
            if name not in entries:
                raise unknown_name("no entry", name, list(entries), "entries")
        chosen = asked.entries or list(entries)
        self._entries: dict[str, Entry] = {name: entries[name] for name in chosen}
        self._typed = check(loaded).program
        self._process = process_bytes(asked.target)

    def generics(self) -> dict[str, str]:
        """The names that can be bound, each with its kind; those of an entry alone as `entry.S`."""
        found: dict[str, str] = {}
        for entry in self._entries.values():
            found |= entry.root_generics
        for entry in self._entries.values():
            found |= {f"{entry.name}.{name}": kind for name, kind in entry.generics.items()}
        return found

    def missing(self, generics: Generics) -> list[str]:
        """The generics that some entry still needs."""
        found = [self._missing(entry, generics) for entry in self._entries.values()]
        return sorted({name for names in found for name in names})

    def at(self, generics: Generics, compiled: bool = True) -> Memory:
        """Return the memory at these sizes; what is not bound stays a symbol.

        Without `compiled` temporaries are estimated, whatever was asked. ProgramError for a
        constraint that does not hold for them.
        """
        self._refuse_unknown(generics)
        declared = self._declared(generics)
        missing = {name: self._missing(entry, generics) for name, entry in self._entries.items()}
        cores = self._lowered([name for name in self._entries if not missing[name]], generics)
        taken = self._taken(cores, compiled and self._asked.compiled)
        process = self._process
        entries = tuple(
            entry_memory(cores[name].functions[name].signature, process, taken[name])
            if name in cores
            else EntryMemory(name, {}, None, None, missing[name])
            for name in self._entries
        )
        first = next(iter(taken.values()), None)
        values = self._values(generics)
        return Memory(
            self._asked.target,
            self._root,
            Amount(process, "measured"),
            self._weights(declared, values, cores),
            Amount(declared.states.evaluate(values), "exact", str(declared.states)),
            Amount(first.constants, first.how) if first else None,
            entries,
        )

    def _weights(
        self, declared: Declared, values: Mapping[str, int], cores: "Mapping[str, CoreModule]"
    ) -> Amount:
        """Return what all weights take, as they are held.

        What is held narrower is known of entries at sizes, and is bytes without symbols.
        """
        if self._asked.storage is None:
            return Amount(declared.weights.evaluate(values), "exact", str(declared.weights))
        params = {
            param.path: param
            for name, core in cores.items()
            for param in core.functions[name].signature.params
        }
        return Amount(bytes_of(list(params.values())) if cores else None, "exact")

    def _refuse_unknown(self, generics: Generics) -> None:
        known = self.generics()
        short = {name.rpartition(".")[2] for name in known}
        for name in generics:
            if name not in known and name not in short:
                raise unknown_name("no generic", name, sorted({*known, *short}), "generics")

    def _declared(self, generics: Generics) -> Declared:
        optional = self._asked.optionals != "absent"
        typed = self._typed
        if typed is None or self._root is None:
            return Declared(Dim.constant(0), Dim.constant(0), False)
        found = declared_bytes(typed, typed.blocks[self._root], generics, optional)
        if found.optional and not isinstance(self._asked.optionals, str):
            raise UsageError(
                "sizes are told with all optional parameters or with none",
                "give --optionals present or absent",
            )
        return found

    def _defaults(self, entry: "Entry") -> set[str]:
        """The generics of a root and of one of its entries that have a default."""
        typed = self._typed
        if typed is None:
            return set()
        generics = [*(typed.blocks[self._root].generics if self._root else ())]
        for function in typed.bodies:
            owner = function.block.symbol if function.block is not None else None
            if function.kind == "entry" and (owner, function.name) == (self._root, entry.name):
                generics += function.generics
        return {generic.name for generic in generics if generic.default is not None}

    def _missing(self, entry: "Entry", generics: Generics) -> tuple[str, ...]:
        """The generics without which an entry cannot be lowered."""
        settled = {*generics, *self._defaults(entry)}
        own = [name for name in entry.generics if f"{entry.name}.{name}" not in settled]
        asked = [*entry.root_generics, *own]
        return tuple(
            f"{entry.name}.{name}" if name in own else name for name in asked if name not in settled
        )

    def _values(self, generics: Generics) -> dict[str, int]:
        """The sizes by symbol: those that are bound, then defaults, which may build on them."""
        values = {name: of for name, of in generics.items() if isinstance(of, int)}
        values |= {
            f"*{name}": prod(of) for name, of in generics.items() if not isinstance(of, int | str)
        }
        if self._typed is not None and self._root is not None:
            for generic in self._typed.blocks[self._root].generics:
                if isinstance(generic.default, Dim) and generic.name not in values:
                    value = generic.default.evaluate(values)
                    if value is not None:
                        values[generic.name] = value
        return values

    def _lowered(self, names: Sequence[str], generics: Generics) -> "dict[str, CoreModule]":
        """Return CORE that holds each of these entries.

        What all of them do with a weight decides how it is held, so then they are lowered together.
        """
        from linnet.compiler import Request, lower

        together = [names] if self._asked.storage is not None and names else [[n] for n in names]
        found: dict[str, CoreModule] = {}
        for group in together:
            known: set[str] = set()
            for name in group:
                entry = self._entries[name]
                known |= {*entry.root_generics, *entry.generics}
                known |= {f"{name}.{generic}" for generic in entry.generics}
            own = {name: value for name, value in generics.items() if name in known}
            asked = self._asked
            request = Request(self._root, group, own, asked.optionals, asked.storage)
            core = lower(self._checked.accepted(), request, self._checked.sources)
            found |= dict.fromkeys(group, core)
        return found

    def _taken(self, cores: "Mapping[str, CoreModule]", compiled: bool) -> Mapping[str, Taken]:
        if not compiled:
            return {
                name: Taken(0, 0, estimate(core.functions[name]), "estimated")
                for name, core in cores.items()
            }
        from linnet.stablehlo import build

        modules = [
            Module(name, core.functions[name].signature, build(core, {"main": name}).portable())
            for name, core in cores.items()
        ]
        return taken_of(self._asked.target, modules)
