"""`load`: a nest, its weights, and a backend make a model."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from linnet.errors import UsageError, unknown_name
from linnet.nest._backends import backend as backend_of
from linnet.nest._backends import build_of, check_options
from linnet.nest._card import Card
from linnet.nest._find import find
from linnet.nest._linnet import LinnetBuilt
from linnet.nest._model import Model
from linnet.nest._protocol import Compile, Numerics
from linnet.nest._weights import BindingsSource, Held, cast, open_held
from linnet.runtime import Generics, read_generics
from linnet.runtime import compile as compile_source
from linnet.signature import Member, Signature
from linnet.weights import WeightsSource, bind_weights, presence

if TYPE_CHECKING:
    from linnet.compiler import Checked, Declared, Request


def load(
    name_or_path: str | os.PathLike[str],
    backend: str = "linnet",
    *,
    numerics: Numerics = "exact",
    compile: Compile | None = None,
    generics: Generics | None = None,
    weights: WeightsSource = None,
    bindings: BindingsSource = None,
    dtype: str | None = None,
    entries: Sequence[str] = (),
    **options: Any,
) -> Model:
    """Return a nest's model on a backend.

    `name_or_path` is a model of the package or a directory with a card. `generics` replace those
    of the card; `weights` (a safetensors file, a folder of them, or arrays by name) and `bindings`
    replace its weights. `dtype` sets every dtype generic of the root, and rounds float weights to
    it. `entries` names those to build, none means all. `options` are the backend's own: `target`
    and `weights_dtype` of `linnet`, `device` of `torch`, `providers` of `onnx`.

    NestError for a nest that is not found, CardError for a card with mistakes, UsageError for an
    unknown name or option, CapabilityError for a backend that is not installed or cannot do it,
    ProgramError and WeightsError as `linnet.compile`.
    """
    check_options(backend, numerics, compile, list(options))
    one = backend_of(backend)
    build = None if backend == "linnet" else build_of(backend)
    card = find(name_or_path)
    opened = open_program(card, generics, dtype, entries, one.loops and backend != "linnet")
    held = open_held(card, weights, bindings)
    if build is None:
        return Model(card, backend, _linnet(opened, held, dtype, options))
    request, members = opened.request_for(held)
    if dtype is not None:
        held = cast(held, members)
    arrays = bind_weights(members, held.tensors, held.bindings).arrays
    built = build(opened.checked, request, arrays, numerics=numerics, compile=compile, **options)
    return Model(card, backend, built)


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


def _linnet(
    opened: Opened, held: Held, dtype: str | None, options: Mapping[str, Any]
) -> LinnetBuilt:
    card = opened.card
    if dtype is not None:
        held = cast(held, opened.request_for(held)[1])
    arrays = {
        key: tensor.array
        for (source, key), tensor in held.tensors.by_key.items()
        if source is None and tensor.array is not None
    }
    rules = {path: key for path, source, key in held.bindings.rules if source is None}
    model = compile_source(
        card.program,
        card.root,
        opened.request.generics,
        arrays,
        rules,
        target=options.get("target", "cpu"),
        weights_dtype=options.get("weights_dtype"),
    )
    return LinnetBuilt(model, opened.request.entries, opened.signature)
