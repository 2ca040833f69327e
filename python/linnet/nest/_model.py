"""A model of a nest on a backend: entries as methods, their inputs checked, and generation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError, unknown_name
from linnet.nest._card import Card
from linnet.nest._linnet import LinnetBuilt
from linnet.nest._protocol import Built
from linnet.nest._weights import BindingsSource
from linnet.runtime import (
    Choice,
    Chosen,
    Generics,
    by_name,
    check_names,
    checked,
    generate,
    shape_of,
)
from linnet.signature import Signature, Value, at_sizes, dtype_name, show, solve_sizes
from linnet.weights import WeightsSource

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """What replaced the generics, weights, bindings and dtype of a card; None: nothing did."""

    generics: Generics | None = None
    weights: WeightsSource = None
    bindings: BindingsSource = None
    dtype: str | None = None


class Model:
    """The entries of a nest: `model.forward(tokens)`, and `model(tokens)` for the card's entry.

    Inputs are NumPy arrays or the backend's own, results the backend's own. Python's numbers and
    lists take the dtype of the input. Dtypes, shapes and the entry's constraints are checked.
    """

    def __init__(
        self, card: Card, backend: str, built: Built, origin: Origin | None = None
    ) -> None:
        self.card = card
        self.origin = origin or Origin()
        self.backend = backend
        self._built = built

    @property
    def native(self) -> Any:
        """What the backend made: a `linnet.Model`, a `torch.nn.Module`, a function, …"""
        return self._built.native

    @property
    def signatures(self) -> Mapping[str, Signature]:
        """The signature of each entry; sizes that a call decides are its `symbols`."""
        return self._built.signatures

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the entries."""
        return tuple(self._built.signatures)

    def _signature(self, entry: str) -> Signature:
        if entry not in self._built.signatures:
            raise unknown_name("no entry", entry, self.entries, "entries")
        return self._built.signatures[entry]

    def call(self, entry: str, inputs: Mapping[str, object] | None = None) -> Any:
        """Run an entry; several results come as a tuple, none as None.

        UsageError for an unknown name, ArgumentError for an input of the wrong dtype or shape, or
        sizes that the entry's constraints do not allow.
        """
        if isinstance(self._built, LinnetBuilt):
            return self._built.native.call(entry, inputs)
        signature = self._signature(entry)
        given = dict(inputs or {})
        names = [value.name for value in signature.inputs]
        check_names(entry, names, given)
        return self._built.call(entry, _checked(signature, given))

    def __call__(self, *positional: object, **named: object) -> Any:
        """Run the entry that the card names."""
        return self._method(self.card.entry)(*positional, **named)

    def _method(self, name: str) -> Callable[..., Any]:
        def entry(*positional: object, **named: object) -> Any:
            names = [value.name for value in self._signature(name).inputs]
            return self.call(name, by_name(name, names, positional, named))

        entry.__name__ = name
        return entry

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in self._built.signatures:
            raise AttributeError(f"no entry `{name}`; entries: {', '.join(self.entries)}")
        return self._method(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.entries]

    def numpy(self, value: Any) -> Array:
        """Return a result as a NumPy array of the same dtype."""
        return self._built.numpy(value)

    @property
    def states(self) -> Mapping[str, Array]:
        """Copies of the states by path."""
        return self._built.states()

    def reset(self) -> None:
        """Set every state to zeros."""
        self._built.reset()

    def generate(
        self,
        prompt_ids: Sequence[int],
        max_new_tokens: int = 128,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int | None = None,
        stop: Sequence[int] | None = None,
    ) -> Iterator[int]:
        """Yield new tokens after a prompt, from empty states, by `prefill` and `decode`.

        Tokens are chosen as `linnet.Model.generate` chooses them: from equal logits every backend
        draws the same. `stop` None takes the card's. ArgumentError and UsageError as there.
        """
        ends = self.card.stop if stop is None else stop
        built = self._built
        if isinstance(built, LinnetBuilt):
            return built.native.generate(
                prompt_ids, max_new_tokens, temperature, top_k, top_p, seed, ends
            )
        choice = Choice(temperature, top_k, top_p, seed, ends)
        call = _in_numpy(built, self.call)
        return generate(call, self.reset, _Entries(built), prompt_ids, max_new_tokens, choice)


def _in_numpy(built: Built, call: Callable[..., Any]) -> Callable[..., object]:
    def run(entry: str, inputs: Mapping[str, object]) -> object:
        found = call(entry, inputs)
        if isinstance(found, tuple):
            return tuple(built.numpy(each) for each in cast(tuple[Any, ...], found))
        return built.numpy(found)

    return run


class _Entries:
    """A backend's entries as generation asks for them."""

    def __init__(self, built: Built) -> None:
        self._signatures = built.signatures

    def names(self) -> Sequence[str]:
        return list(self._signatures)

    def inputs(self, entry: str) -> Sequence[str]:
        return [value.name for value in self._signatures[entry].inputs]

    def choose(self, entry: str, inputs: Mapping[str, object], generics: object) -> Chosen:
        signature = self._signatures[entry]
        shapes = {name: np.shape(cast(Any, value)) for name, value in inputs.items()}
        return Chosen(entry, at_sizes(signature, solve_sizes(signature, shapes)))

    def compiled(self, entry: str) -> None:
        return None


def _checked(signature: Signature, given: Mapping[str, object]) -> list[object]:
    """Return the inputs in order: NumPy's checked and in C order, the framework's checked."""
    shapes: dict[str, tuple[int, ...]] = {}
    for value in signature.inputs:
        shape = _shape(value.name, given[value.name])
        if shape is not None:
            shapes[value.name] = shape
    fixed = at_sizes(signature, solve_sizes(signature, shapes))
    return [_one(value, given[value.name]) for value in fixed.inputs]


def _shape(name: str, value: object) -> tuple[int, ...] | None:
    """The shape of an array of any framework; None for sizes that are only traced."""
    if isinstance(value, bool | int | float | list | tuple):
        return shape_of(name, value)  # pyright: ignore[reportUnknownArgumentType]
    shape = getattr(value, "shape", None)
    if shape is None or not all(type(size) is int for size in shape):
        return None
    return tuple(shape)


def _one(target: Value, value: object) -> object:
    if isinstance(value, bool | int | float | list | tuple | np.ndarray | np.generic):
        return checked(target.name, cast(object, value), target)
    shape = _shape(target.name, value)
    if shape is None:
        return value
    dtype = str(getattr(value, "dtype", "")).rpartition(".")[2]
    found = {"bool": "bool", "bfloat16": "bf16"}.get(dtype)
    if found is None:
        try:
            found = dtype_name(np.dtype(dtype))
        except TypeError:
            found = None
    if found != target.dtype or shape != target.shape:
        what = "dtype" if found != target.dtype else "shape"
        raise ArgumentError(
            f"input `{target.name}` has the wrong {what}: needs {target}, found "
            f"{show(found or dtype, shape)}",
            "convert it" if what == "dtype" else "check the shapes of the entry",
        )
    return value
