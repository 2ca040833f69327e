"""The generated source as a model: a pytree of arrays, or a Flax NNX module."""

# JAX's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linnet.backends.jax._arrays import is_traced, require_jax, to_jax, to_numpy, wide
from linnet.backends.jax._compiled import changed_states, check_options
from linnet.backends.jax._framework import Form, Numerics
from linnet.backends.jax._source import jax_source
from linnet.core import CoreModule
from linnet.errors import CapabilityError
from linnet.outline import load_text
from linnet.signature import Signature

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from linnet.compiler import Checked, Request


def build_source(
    program: "Checked",
    request: "Request",
    weights: "Mapping[str, NDArray[Any]]",
    *,
    numerics: Numerics = "exact",
    compile: None = None,
) -> "SourceModel":
    """Build the entries that `request` names as a pytree whose methods are `jax.numpy` code.

    `weights` holds an array for each param and buffer by path. Entries are compiled by `jax.jit`,
    but for those whose control flow asks for values of arrays.

    CapabilityError where JAX is missing; UsageError for an unknown option.
    """
    return _build(program, request, weights, numerics, compile, "jax")


def build_nnx(
    program: "Checked",
    request: "Request",
    weights: "Mapping[str, NDArray[Any]]",
    *,
    numerics: Numerics = "exact",
    compile: None = None,
) -> "SourceModel":
    """Build the entries that `request` names as an `nnx.Module`; as `build_source` otherwise."""
    return _build(program, request, weights, numerics, compile, "nnx")


def _build(
    program: "Checked",
    request: "Request",
    weights: "Mapping[str, NDArray[Any]]",
    numerics: Numerics,
    compile: object,
    form: Form,
) -> "SourceModel":
    from linnet.compiler import lower

    check_options(numerics, compile)
    require_jax(flax=form == "nnx")
    core = lower(program.accepted(), replace(request, keep=True), program.sources)
    return SourceModel(core, weights, numerics, form)


class SourceModel:
    """The module and its entries; the protocol is `linnet.nest.Built`.

    `native` is the instance, with the entries as methods. A call through `call` compiles and keeps
    the states in `native`; a method of `native` runs op by op, and can be transformed.
    """

    def __init__(
        self,
        core: CoreModule,
        weights: "Mapping[str, NDArray[Any]]",
        numerics: Numerics = "exact",
        form: Form = "jax",
    ) -> None:
        self.source = jax_source(core, numerics, form)
        self.form: Form = form
        self.signatures: Mapping[str, Signature] = {
            name: function.signature for name, function in core.functions.items()
        }
        self._changed = {name: changed_states(f) for name, f in core.functions.items()}
        self._fast = numerics == "fast"
        every = [member for s in self.signatures.values() for member in (*s.params, *s.states)]
        self._members = {member.path: member for member in every}
        with wide():
            self.native: Any = getattr(load_text(self.source.text, "jax"), self.source.root)()
            for path, member in self._members.items():
                if member.kind != "state":
                    self._set(path, to_jax(weights[path]))
        self._entries: dict[str, Any] = {}

    def _owner(self, path: str) -> tuple[Any, str]:
        from linnet.backends.jax._framework import Jax

        *parents, last = path.split(".")
        owner = self.native
        name_of = Jax("exact", self.form).member_name
        for part in parents:
            owner = owner[int(part)] if part.isdigit() else getattr(owner, name_of(part))
        return owner, name_of(last)

    def _get(self, path: str) -> Any:
        owner, name = self._owner(path)
        value = getattr(owner, name)
        return value[...] if self.form == "nnx" else value

    def _set(self, path: str, value: Any) -> None:
        owner, name = self._owner(path)
        if self.form == "nnx":
            getattr(owner, name).set_value(value)
        else:
            setattr(owner, name, value)

    def call(self, entry: str, inputs: Sequence[object]) -> object:
        """Run an entry on all its inputs, in the signature's order."""
        with wide(), _precision(self._fast):
            given = [to_jax(value) for value in inputs]
            method = getattr(self.native, self.source.entries[entry])
            if is_traced(given):
                if self._changed[entry]:
                    raise CapabilityError(
                        f"`{entry}` changes states, so it cannot be part of a traced function",
                        "call the method of a copy of `model.native`, and return that copy",
                    )
                return method(*given)
            if entry in self.source.controlled:
                return method(*given)
            if entry not in self._entries:
                self._entries[entry] = self._compiled(entry)
            return self._entries[entry](*given)

    def _compiled(self, entry: str) -> Any:
        """The entry under `jax.jit`: all arrays of the model go in, the changed states come out,
        into the storage of those that went in."""
        import jax

        changed = self._changed[entry]
        method = self.source.entries[entry]
        leaves, tree = self._flat()
        places = {id(leaf): index for index, leaf in enumerate(leaves)}
        at = {path: places[id(self._get(path))] for path in changed}

        def pure(kept: list[Any], states: dict[str, Any], *inputs: Any) -> Any:
            filled = list(kept)
            for path, index in at.items():
                filled[index] = states[path]
            model = self._whole(tree, filled)
            result = getattr(model, method)(*inputs)
            after, _ = self._flat(model)
            return result, {path: after[index] for path, index in at.items()}

        compiled = jax.jit(pure, donate_argnums=1)

        def run(*inputs: Any) -> Any:
            kept, _ = self._flat()
            states = {path: kept[index] for path, index in at.items()}
            for index in at.values():
                kept[index] = None
            result, new = compiled(kept, states, *inputs)
            for path, value in new.items():
                self._set(path, value)
            return result

        return run

    def _flat(self, model: Any = None) -> tuple[list[Any], Any]:
        """The arrays of the model, in one order, and what makes a model of such."""
        import jax

        whole: Any = self.native if model is None else model
        if self.form == "jax":
            leaves, tree = jax.tree_util.tree_flatten(whole)
            return leaves, tree
        from flax import nnx

        graph, state = nnx.split(whole)
        leaves, tree = jax.tree_util.tree_flatten(state)
        return leaves, (graph, tree)

    def _whole(self, tree: Any, leaves: list[Any]) -> Any:
        import jax

        if self.form == "jax":
            return jax.tree_util.tree_unflatten(tree, leaves)
        from flax import nnx

        graph, inner = tree
        return nnx.merge(graph, jax.tree_util.tree_unflatten(inner, leaves))

    def numpy(self, value: Any) -> "NDArray[Any]":
        """Return an array as NumPy's, of the same dtype."""
        return to_numpy(value)

    def states(self) -> "Mapping[str, NDArray[Any]]":
        """Return copies of the states by path."""
        return {path: to_numpy(self._get(path)).copy() for path in self._paths()}

    def set_states(self, states: "Mapping[str, NDArray[Any]]") -> None:
        """Give states these values, by path."""
        with wide():
            for path, value in states.items():
                self._set(path, to_jax(value.copy()))

    def reset(self) -> None:
        """Set every state to zeros."""
        import jax.numpy as jnp

        with wide():
            for path in self._paths():
                self._set(path, jnp.zeros_like(self._get(path)))

    def _paths(self) -> list[str]:
        return [path for path, member in self._members.items() if member.kind == "state"]


def _precision(fast: bool) -> Any:
    """Products in full precision, or in what the device does fastest."""
    import jax

    return jax.default_matmul_precision("default" if fast else "highest")
