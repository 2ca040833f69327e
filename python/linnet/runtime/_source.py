"""An engine over a program's source: entries are compiled when they are first called."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from linnet.backends import Instance, Module, this_cpu
from linnet.cache import bypassed
from linnet.compiler import (
    Checked,
    Declared,
    Request,
    Storage,
    choose_root,
    declared_entries,
    lower,
    members,
)
from linnet.core import CoreModule
from linnet.errors import CapabilityError, ProgramError, unknown_name
from linnet.runtime._arguments import check_names
from linnet.runtime._engine import Chosen, Engine, Generics
from linnet.runtime._host import HostInstance
from linnet.runtime._infer import infer_generics
from linnet.runtime._instances import is_iree
from linnet.runtime._storage import made_up
from linnet.signature import Member, Signature
from linnet.weights import Bindings, Tensors, bind_weights, presence, resident

_Key = tuple[str, tuple[tuple[str, object], ...], tuple[str, ...]]


class SourceEngine:
    """The entries of one root with weights, compiled at whatever sizes the calls have."""

    def __init__(
        self,
        checked: Checked,
        root: str | None,
        generics: Generics,
        tensors: Tensors,
        bindings: Bindings,
        target: str,
        strict: bool = False,
        cache: bool = True,
        storage: Storage | None = None,
    ) -> None:
        self._checked = checked
        self._cache = cache
        self._emitted = checked.accepted()
        entries = declared_entries(self._emitted.module)
        self._root = choose_root(entries, root)
        self._entries = {e.name: e for e in entries if e.root == self._root}
        self._target = target
        self._given = dict(generics)
        self._refuse_unknown()
        self._tensors, self._bindings, self._strict = tensors, bindings, strict
        self._chosen: dict[_Key, Chosen] = {}
        self._signature: Signature | None = None
        self._present: list[str] = []
        self.surplus: tuple[str, ...] = ()
        self.unused: tuple[str, ...] = ()
        self._instance: Instance | None = None
        self._storage = storage
        self._prepare()

    def _refuse_unknown(self) -> None:
        first = next(iter(self._entries.values()))
        known = set(first.root_generics)
        for entry in self._entries.values():
            known |= set(entry.generics)
            known |= {f"{entry.name}.{name}" for name in entry.generics}
        for name in self._given:
            if name not in known:
                listed = sorted(each for each in known if ("." in each) == ("." in name))
                raise unknown_name("no generic", name, listed, "generics")

    @property
    def instance(self) -> Instance:
        """The functions, weights and states."""
        assert self._instance is not None
        return self._instance

    def names(self) -> Sequence[str]:
        """Return the entries' names."""
        return list(self._entries)

    def _entry(self, name: str) -> Declared:
        if name not in self._entries:
            raise unknown_name("no entry", name, list(self._entries), "entries")
        return self._entries[name]

    def inputs(self, entry: str) -> Sequence[str]:
        """Return the names of an entry's inputs."""
        return [each.name for each in self._entry(entry).inputs]

    def compiled(self, entry: str) -> Sequence[Signature] | None:
        """Return None: an entry is compiled at any size."""
        return None

    def states(self) -> Sequence[Member]:
        """Return the states in manifest order."""
        return () if self._signature is None else self._signature.states

    def _generics(self, entry: Declared, own: Generics) -> dict[str, int | str | Sequence[int]]:
        """Return the root's generics as given, and the entry's: of the call, else as given."""
        bound: dict[str, int | str | Sequence[int]] = {
            name: self._given[name] for name in entry.root_generics if name in self._given
        }
        for name in entry.generics:
            for called in (name, f"{entry.name}.{name}"):
                if called in self._given:
                    bound[name] = self._given[called]
            if name in own:
                bound[name] = own[name]
        return bound

    def _request(self, entry: Declared, generics: Generics, present: Sequence[str]) -> Request:
        return Request(self._root, [entry.name], generics, present, self._storage)

    def _plan_storage(self, entry: Declared, generics: Generics) -> None:
        """Settle which params are stored narrow, once for all entries that may be compiled.

        Looks at every entry, at made-up sizes where the calls are to give them; where the program
        does not hold at those, at this one entry alone.
        """
        storage = self._storage
        if storage is None or storage.plan is not None:
            return
        bound = {name: generics[name] for name in entry.root_generics if name in generics}
        for each in self._entries.values():
            own = generics if each is entry else self._generics(each, {})
            own = {**made_up(each, [n for n in each.generics if n not in own]), **own}
            bound |= {f"{each.name}.{name}": own[name] for name in each.generics}
        every = Request(self._root, list(self._entries), bound, self._present, storage)
        try:
            core = lower(self._emitted, every, self._checked.sources)
        except (ProgramError, CapabilityError):
            request = self._request(entry, generics, self._present)
            core = lower(self._emitted, request, self._checked.sources)
        params = next(iter(core.functions.values())).signature.params
        plan = {
            param.path: param.stored.axis
            for param in params
            if param.stored is not None and param.stored.role == "values"
        }
        self._storage = replace(storage, plan=plan)

    def _prepare(self) -> None:
        """Find the members, check the weights against them [WGT-3], and make the instance.

        Needs one entry at some size. An entry whose generics are all known tells of every
        mistake; sizes made up for another tell nothing about the program, so what they break
        is left to the first call.
        """

        def unknown(entry: Declared) -> list[str]:
            bound = self._generics(entry, {})
            return [name for name in entry.generics if name not in bound]

        entry = min(self._entries.values(), key=lambda each: len(unknown(each)))
        guessed = made_up(entry, unknown(entry))
        generics = self._generics(entry, guessed)
        try:
            self._bind(entry, generics)
        except ProgramError:
            if not guessed:
                raise

    def _bind(self, entry: Declared, generics: Generics) -> None:
        """Match the weights to the members that the program has with these generics."""
        emitted, sources = self._emitted, self._checked.sources
        absent: list[str] = []
        if "!linnet.optional" in str(emitted.module):
            everything = members(emitted, self._request(entry, generics, ()), sources)
            absent = [member.path for member in everything]
            self._present = presence(everything, self._bindings, self._tensors)
        self._plan_storage(entry, generics)
        core = lower(emitted, self._request(entry, generics, self._present), sources)
        signature = core.functions[entry.name].signature
        bound = bind_weights(signature.params, self._tensors, self._bindings, self._strict, absent)
        self.surplus, self.unused = bound.surplus, bound.unused
        self._signature = signature
        match self._target:
            case "reference":
                instance: Instance = HostInstance(bound.arrays)
            case target if is_iree(target):
                from linnet.backends.iree import IreeInstance, processor

                if missing := this_cpu().lacks(processor(target)):
                    raise CapabilityError(f"target {target} needs a processor with {missing[0]}")
                instance = IreeInstance(resident(bound.arrays))
            case "onnx":
                from linnet.backends.onnx import OnnxInstance

                instance = OnnxInstance(bound.arrays)
            case _:
                from linnet.backends.xla import XlaInstance

                instance = XlaInstance(bound.arrays)
        instance.declare(signature.states)
        self._instance = instance

    def choose(self, entry: str, inputs: Mapping[str, object], generics: Generics) -> Chosen:
        """Return the function for a call; the first call at new sizes compiles it."""
        declared = self._entry(entry)
        for name in generics:
            if name not in declared.generics:
                problem = f"entry `{entry}` has no generic"
                raise unknown_name(problem, name, list(declared.generics), "it has")
        given = {name: value for name, value in inputs.items() if value is not None}
        optional = {each.name for each in declared.inputs if each.optional}
        names = [each.name for each in declared.inputs]
        check_names(entry, [name for name in names if name in given or name not in optional], given)
        own = infer_generics(declared, inputs, generics)
        bound = self._generics(declared, own)
        chosen = tuple(name for name in names if name in optional and name in given)
        key: _Key = (entry, tuple((name, _frozen(value)) for name, value in bound.items()), chosen)
        if key not in self._chosen:
            self._chosen[key] = self._compile(declared, bound, chosen)
        return self._chosen[key]

    def _compile(self, entry: Declared, generics: Generics, given: Sequence[str]) -> Chosen:
        if self._instance is None:
            self._bind(entry, generics)
        present = [*self._present, *(f"{entry.name}.{name}" for name in given)]
        core = lower(self._emitted, self._request(entry, generics, present), self._checked.sources)
        signature = core.functions[entry.name].signature
        function = f"{entry.name}.{len(self._chosen)}"
        with bypassed(not self._cache):
            self._add(function, signature, core)
        return Chosen(function, signature)

    def _add(self, function: str, signature: Signature, core: CoreModule) -> None:
        instance = self.instance
        if isinstance(instance, HostInstance):
            instance.add(function, core, signature.entry)
            return
        if self._target == "onnx":
            from linnet.backends.onnx import OnnxInstance, Options, build_model

            assert isinstance(instance, OnnxInstance)
            instance.add(
                function, build_model(core.functions[signature.entry], Options(), "weights")
            )
            return
        from linnet.stablehlo import build  # Here, since interpreting needs no jaxlib.

        module = Module(function, signature, build(core, {"main": signature.entry}).portable())
        if is_iree(self._target):
            from linnet.backends.iree import IreeInstance, compile_entries

            assert isinstance(instance, IreeInstance)
            instance.add({function: signature}, compile_entries([module], self._target))
        else:
            from linnet.backends.xla import XlaInstance, compile_entry

            assert isinstance(instance, XlaInstance)
            instance.add(function, signature, compile_entry(module, isolated=False))

    def session(self) -> Engine:
        """Return an engine over the same code and weights with states of its own."""
        other = object.__new__(SourceEngine)
        other.__dict__.update(self.__dict__)
        other._chosen = dict(self._chosen)
        other._instance = self.instance.session()
        return other


def _frozen(value: int | str | Sequence[int]) -> object:
    return value if isinstance(value, int | str) else tuple(value)
