"""Entries as StableHLO that JAX calls: XLA compiles them, at each size that a call brings."""

# JAX's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linnet.backends.jax._arrays import is_traced, require_jax, to_jax, to_numpy, wide
from linnet.backends.jax._framework import Numerics
from linnet.core import CoreModule, Function, fix_sizes
from linnet.errors import CapabilityError, UsageError
from linnet.signature import Signature, numpy_dtype, solve_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from linnet.compiler import Checked, Request

NUMERICS = ("exact", "equivalent", "fast")


def check_options(numerics: str, compile: object) -> None:
    """UsageError for an option that JAX's backends do not know."""
    if numerics not in NUMERICS:
        raise UsageError(f"no numerics `{numerics}`", f"numerics: {', '.join(NUMERICS)}")
    if compile is not None:
        raise UsageError(f"no way to compile `{compile}`", "JAX compiles by itself")


def build(
    program: "Checked",
    request: "Request",
    weights: "Mapping[str, NDArray[Any]]",
    *,
    numerics: Numerics = "exact",
    compile: None = None,
) -> "JaxModel":
    """Build the entries that `request` names as functions of JAX.

    `weights` holds an array for each param and buffer by path. An entry is compiled at the first
    call of each of its sizes; its states are donated, so that they are updated where they lie. All
    numerics are one here: StableHLO says what is computed.

    CapabilityError where JAX is missing; UsageError for an unknown option.
    """
    from linnet.compiler import lower

    check_options(numerics, compile)
    require_jax()
    core = lower(program.accepted(), replace(request, keep=False), program.sources)
    return JaxModel(core, weights)


class JaxModel:
    """The functions and their arrays; the protocol is `linnet.nest.Built`.

    `native` holds, by entry, a function `(params, states, *inputs) -> (result, states)` that has no
    effects: it goes under `jax.jit` with others. `params` and `states` are arrays by path.
    """

    def __init__(self, core: CoreModule, weights: "Mapping[str, NDArray[Any]]") -> None:
        import jax

        self._functions = core.functions
        self.signatures: Mapping[str, Signature] = {
            name: function.signature for name, function in core.functions.items()
        }
        self.native: Mapping[str, Callable[..., Any]] = {
            name: _Pure(function) for name, function in core.functions.items()
        }
        every = [member for s in self.signatures.values() for member in (*s.params, *s.states)]
        with wide():
            self.params = {m.path: to_jax(weights[m.path]) for m in every if m.kind != "state"}
        self._states = {m.path: m for m in every if m.kind == "state"}
        self.reset()
        self._compiled = {
            name: jax.jit(_donating(pure), donate_argnums=2) for name, pure in self.native.items()
        }

    def call(self, entry: str, inputs: Sequence[object]) -> object:
        """Run an entry on all its inputs, in the signature's order."""
        signature = self.signatures[entry]
        changed = changed_states(self._functions[entry])
        params = {member.path: self.params[member.path] for member in signature.params}
        with wide():
            given = [to_jax(value) for value in inputs]
            if is_traced(given):
                if changed:
                    raise CapabilityError(
                        f"`{entry}` changes states, so it cannot be part of a traced function",
                        "call `model.native` with params and states",
                    )
                states = {member.path: self.arrays[member.path] for member in signature.states}
                return self.native[entry](params, states, *given)[0]
            # What an entry leaves as it is must not be given away.
            kept = {m.path: self.arrays[m.path] for m in signature.states if m.path not in changed}
            donated = {path: self.arrays[path] for path in changed}
            result, states = self._compiled[entry](params, kept, donated, *given)
        self.arrays |= states
        return result

    def numpy(self, value: Any) -> "NDArray[Any]":
        """Return an array as NumPy's, of the same dtype."""
        return to_numpy(value)

    def states(self) -> "Mapping[str, NDArray[Any]]":
        """Return copies of the states by path."""
        return {path: to_numpy(array).copy() for path, array in self.arrays.items()}

    def set_states(self, states: "Mapping[str, NDArray[Any]]") -> None:
        """Give states these values, by path."""
        with wide():
            self.arrays |= {path: to_jax(value.copy()) for path, value in states.items()}

    def reset(self) -> None:
        """Set every state to zeros."""
        import jax.numpy as jnp

        with wide():
            self.arrays: dict[str, Any] = {
                path: jnp.zeros(member.shape, numpy_dtype(member.dtype))
                for path, member in self._states.items()
            }


def changed_states(function: Function) -> tuple[str, ...]:
    """The paths of the states that an entry gives another value."""
    states = function.signature.states
    if not states:
        return ()
    given = function.body.arguments[-len(states) :]
    returned = function.body.ops[-1].operands[-len(states) :]
    pairs = zip(states, given, returned, strict=True)
    return tuple(member.path for member, before, after in pairs if after is not before)


def _donating(pure: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose changed states are an argument of their own."""

    def call(params: Any, kept: Any, changed: Any, *inputs: Any) -> Any:
        result, states = pure(params, {**kept, **changed}, *inputs)
        return result, {path: states[path] for path in changed}

    return call


class _Pure:
    """An entry as a function without effects, its sizes taken from its inputs."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._signature = function.signature
        self._at: dict[tuple[tuple[str, int], ...], Any] = {}
        self.__name__ = function.signature.entry

    def __call__(self, params: Mapping[str, Any], states: Mapping[str, Any], *inputs: Any) -> Any:
        """Return the result, and the states by path."""
        signature = self._signature
        shapes = {
            value.name: tuple(given.shape)
            for value, given in zip(signature.inputs, inputs, strict=True)
        }
        exported = self._exported(solve_sizes(signature, shapes))
        held = [states[member.path] for member in signature.states]
        found = exported.call(*inputs, *(params[m.path] for m in signature.params), *held)
        count = len(signature.results)
        results, after = found[:count], found[count:]
        paths = [member.path for member in signature.states]
        new = dict(zip(paths, after, strict=True))
        return (None if not results else results[0] if count == 1 else tuple(results)), new

    def _exported(self, sizes: Mapping[str, int]) -> Any:
        key = tuple(sorted(sizes.items()))
        if key not in self._at:
            function = fix_sizes(self._function, dict(sizes)) if sizes else self._function
            self._at[key] = exported_of(function)
        return self._at[key]


def exported_of(function: Function) -> Any:
    """An entry of fixed sizes as `jax.export` has it: JAX then calls it under any transformation
    that needs no derivative.

    JAX writes all but the program: a stand-in of the same types is exported, and its StableHLO
    replaced by ours.
    """
    from dataclasses import replace as replaced

    import jax
    import jax.export
    import jax.numpy as jnp

    from linnet.stablehlo import build as build_stablehlo

    name = function.signature.entry
    portable = build_stablehlo(CoreModule({name: function})).portable()

    def shape_of(value: Any) -> Any:
        return jax.ShapeDtypeStruct(value.type.fixed, numpy_dtype(value.type.dtype))

    returned = [shape_of(value) for value in function.body.ops[-1].operands]

    def stand_in(*arguments: Any) -> tuple[Any, ...]:
        return tuple(jnp.zeros(each.shape, each.dtype) for each in returned)

    stand_in.__name__ = name
    with wide():
        made = jax.export.export(jax.jit(stand_in, keep_unused=True))(
            *(shape_of(value) for value in function.body.arguments)
        )
    return replaced(made, mlir_module_serialized=portable)
