"""From a verified GENERIC module to CORE: `linnet-bind`, then the passes below it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from linnet.compiler._core import read_core, read_signature
from linnet.compiler._declared import Declared, choose_root, declared_entries
from linnet.compiler._messages import MLIR_ERROR, pass_error
from linnet.compiler._stages import Stages
from linnet.core import CoreModule, Function
from linnet.emit import Emitted
from linnet.errors import UsageError, unknown_name
from linnet.mlir import ir
from linnet.mlir.passmanager import PassManager
from linnet.signature import Member
from linnet.source import SourceFile

Generics = Mapping[str, int | str | Sequence[int]]

_BELOW_BIND = (
    "linnet-unroll",
    "linnet-thread-state",
    "linnet-lower-comprehensions",
    "linnet-lower-loops",
    "linnet-lower-cumsum",
    "linnet-narrow-masked-writes",
    "linnet-simplify",
    "cse",
    "canonicalize",
)
# A scope shares no op with what stands around it.
_BELOW_BIND_KEPT = tuple("linnet-cse-in-scopes" if each == "cse" else each for each in _BELOW_BIND)


@dataclass(frozen=True, slots=True)
class Storage:
    """The narrow dtype in which params are held: `bf16`, `f16`, `int8` or `int4`.

    `group` is the largest group of int4. `plan` names the params and the axis of their scales; None
    stores all that can be.
    """

    dtype: str
    plan: Mapping[str, int] | None = None
    group: int | None = None

    @property
    def pass_text(self) -> str:
        """The pass with its options, as a pipeline has it."""
        element = {"int8": "i8", "int4": "i4"}.get(self.dtype, self.dtype)
        plan = ",".join(f"{path}:{axis}" for path, axis in (self.plan or {}).items())
        options = {"dtype": element, "group": self.group, "plan": plan}
        text = " ".join(f"{name}={value}" for name, value in options.items() if value)
        return f"linnet-store-weights{{{text}}},cse"


@dataclass(frozen=True, slots=True)
class Request:
    """What to lower.

    `root` is a block's full or short name; None takes the only one, or a module's own entries.
    `entries` are names; none takes all of the root. `generics` binds those of root and entries,
    `forward.S` that of one entry; with `open`, sizes of entries that it leaves out stay symbols.
    `optionals` is `present`, `absent`, or the paths (and optional inputs) that are present.
    `storage` holds params in a narrower dtype than the program's. With `keep`, calls stay together
    as `scope` ops and values have names; with `"ops"` only calls of ops do.
    """

    root: str | None = None
    entries: Sequence[str] = ()
    generics: Generics = ()  # pyright: ignore[reportAssignmentType]
    optionals: str | Sequence[str] = "absent"
    storage: Storage | None = None
    open: bool = False
    keep: bool | Literal["ops"] = False


def show_generic(value: int | str | Sequence[int]) -> str:
    """Return a generic's value as `linnet-bind` reads it."""
    if isinstance(value, int | str):
        return str(value)
    return f"[{','.join(map(str, value))}]"


def _bind_options(root: str | None, request: Request) -> str:
    generics = ",".join(f"{k}={show_generic(v)}" for k, v in dict(request.generics).items())
    optionals = request.optionals
    if not isinstance(optionals, str):
        optionals = ",".join(optionals) or "absent"
    options = {
        "root": root or "",
        "entries": ",".join(request.entries),
        "generics": generics,
        "optionals": optionals,
        "open": "true" if request.open else "",
        "keep": "calls" if request.keep is True else request.keep or "",
    }
    for value in options.values():
        if any(char in value for char in " {}\"'\n"):
            raise UsageError(f"`{value}` is no name or value", "write --bind NAME=VALUE")
    return " ".join(f"{name}={value}" for name, value in options.items() if value)


def _run(
    operation: ir.Operation, pipeline: str, stage: str, sources: Mapping[str, SourceFile]
) -> None:
    with operation.context:
        try:
            PassManager.parse(f"builtin.module({pipeline})").run(operation)
        except MLIR_ERROR as error:
            raise pass_error(stage, error, sources) from None


def bind(emitted: Emitted, request: Request, sources: Mapping[str, SourceFile]) -> ir.Operation:
    """Return a BOUND module: one function an entry, every generic a number or a dtype."""
    entries = declared_entries(emitted.module)
    root = choose_root(entries, request.root)
    known = [entry for entry in entries if entry.root == root]
    for asked in request.entries:
        if asked not in [entry.name for entry in known]:
            raise unknown_name("no entry", asked, [entry.name for entry in known], "entries")
    _check_generics(request, known)
    module = emitted.module.operation.clone().operation
    _run(module, f"linnet-bind{{{_bind_options(root, request)}}}", "bind", sources)
    return module


def _check_generics(request: Request, entries: Sequence[Declared]) -> None:
    """Raise for a generic that neither the root nor an entry has, before one is missing."""
    known = {name: "" for entry in entries for name in entry.root_generics}
    known |= {name: "" for entry in entries for name in entry.generics}
    scoped = {f"{entry.name}.{name}" for entry in entries for name in entry.generics}
    for name in dict(request.generics):
        if name not in known and name not in scoped:
            near = sorted(scoped) if "." in name else list(known)
            raise unknown_name("there is no generic", name, near, "generics")


def members(
    emitted: Emitted, request: Request, sources: Mapping[str, SourceFile]
) -> tuple[Member, ...]:
    """Return the params and buffers of the root with every optional one present."""
    module = bind(emitted, replace(request, optionals="present"), sources)
    for view in module.regions[0].blocks[0].operations:
        signature = read_signature(view.operation, "", [])
        return signature.params
    return ()


def lower(
    emitted: Emitted,
    request: Request,
    sources: Mapping[str, SourceFile],
    stages: Stages | None = None,
) -> CoreModule:
    """Return CORE for the entries that were asked for.

    ProgramError for a constraint that does not hold on the numbers [LOW-1], UsageError for an
    unknown or missing name, CapabilityError for what cannot be lowered.
    """
    stages = stages or Stages()
    module = stages.run("bind", lambda: bind(emitted, request, sources), str, "mlir")
    storage = request.storage
    passes = [*(_BELOW_BIND_KEPT if request.keep else _BELOW_BIND)]
    # A plan that names nothing stores nothing; to the pass it would be none.
    if storage is not None and storage.plan != {}:
        passes.append(storage.pass_text)
    pipeline = ",".join(passes)
    stages.run(
        "lower", lambda: _run(module, pipeline, "lower", sources), lambda _: str(module), "mlir"
    )
    entries = {
        entry.name: entry
        for entry in declared_entries(emitted.module)
        if entry.root == choose_root(declared_entries(emitted.module), request.root)
    }
    core = read_core(module)
    return CoreModule(
        {name: _own_generics(function, entries) for name, function in core.functions.items()},
        core.unstored,
    )


def _own_generics(function: Function, entries: Mapping[str, Declared]) -> Function:
    """Part the entry's generics from the root's, which `linnet-bind` lists together."""
    signature = function.signature
    own = entries[signature.entry].generics
    generics = {k: v for k, v in signature.bindings.items() if k in own}
    rest = {k: v for k, v in signature.bindings.items() if k not in own}
    return Function(replace(signature, generics=generics, bindings=rest), function.body)
