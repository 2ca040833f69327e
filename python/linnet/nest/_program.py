"""The program of a nest: checked, with the card's root, entry and generics."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from linnet.errors import UsageError, unknown_name
from linnet.nest._card import Card
from linnet.nest._weights import Held
from linnet.runtime import Generics, read_generics
from linnet.signature import Member, Signature
from linnet.weights import presence

if TYPE_CHECKING:
    from linnet.compiler import Checked, Declared, Request


@dataclass(frozen=True, slots=True)
class Opened:
    """The checked program of a card with the generics that it is built for."""

    card: Card
    checked: "Checked"
    request: "Request"
    entries: "tuple[Declared, ...]"

    def members(self) -> tuple[Member, ...]:
        """Return the params and buffers with every optional one."""
        from linnet.compiler import members

        emitted = self.checked.accepted()
        return members(emitted, self.request, self.checked.sources)

    def request_for(self, held: Held) -> "tuple[Request, tuple[Member, ...]]":
        """Return the request with the optional members that the weights hold, and the members."""
        every = self.members()
        present = presence(every, held.bindings, held.tensors)
        kept = tuple(each for each in every if not each.optional or each.path in present)
        return replace(self.request, optionals=present), kept

    def signatures(self) -> dict[str, Signature]:
        """Return the signature of each entry with open sizes, in the program's order."""
        return {name: self.signature(name) for name in self.request.entries}

    def signature(self, entry: str, optionals: Sequence[str] = ()) -> Signature:
        """Return an entry's signature with open sizes."""
        from linnet.compiler import lower

        request = replace(self.request, entries=(entry,), optionals=optionals or "absent")
        core = lower(self.checked.accepted(), request, self.checked.sources)
        return core.functions[entry].signature


def open_program(
    card: Card,
    generics: Generics | None = None,
    dtype: str | None = None,
    entries: Sequence[str] = (),
    loops: bool = False,
) -> Opened:
    """Check the program of a card, and its root, entry and generics.

    ProgramError for a program that is refused; UsageError for a name that it does not have, with
    the line of the card where that names it.
    """
    from linnet.compiler import Request, check_path, choose_root, declared_entries

    checked = check_path(card.program, loops=loops)
    declared = declared_entries(checked.accepted().module)
    root = choose_root(declared, card.root)
    own = {each.name: each for each in declared if each.root == root}
    for name in (card.entry, *entries):
        if name not in own:
            raise unknown_name("no entry", name, list(own), "entries")
    first = own[card.entry]
    bound: dict[str, int | str | tuple[int, ...]] = {**card.generics, **read_generics(generics)}
    if dtype is not None:
        bound |= dict.fromkeys(_dtype_generics(first), dtype)
    known = set(first.root_generics)
    for each in own.values():
        known |= set(each.generics) | {f"{each.name}.{name}" for name in each.generics}
    for name in bound:
        if name not in known:
            raise unknown_name("no generic", name, sorted(known), "generics")
    chosen = tuple(dict.fromkeys(entries)) or tuple(own)
    request = Request(root, chosen, bound, open=True)
    return Opened(card, checked, request, tuple(own[name] for name in own))


def _dtype_generics(entry: "Declared") -> list[str]:
    names = [k for k, kind in entry.root_generics.items() if kind not in ("Dim", "Shape")]
    if not names:
        raise UsageError(f"the root of `{entry.name}` has no dtype generic", "leave out `dtype`")
    return names
