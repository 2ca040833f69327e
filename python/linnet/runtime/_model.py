"""A model: entries to call, and the state that they keep between calls [STA-1]."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from numpy.typing import NDArray

from linnet.errors import UsageError
from linnet.runtime._arguments import by_name, check_names, checked
from linnet.runtime._engine import Engine, Generics, read_generics
from linnet.signature import Member

Array = NDArray[Any]
Result = Array | tuple[Array, ...] | None


class StateView(MutableMapping[str, Array]):
    """The states by path. Reading gives a copy, writing copies in."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def _member(self, path: str) -> Member:
        for member in self._engine.states():
            if member.path == path:
                return member
        raise UsageError(f"no state `{path}`", f"states: {', '.join(self) or 'none'}")

    def __getitem__(self, path: str) -> Array:
        self._member(path)
        return self._engine.instance.get_state(path)

    def __setitem__(self, path: str, value: object) -> None:
        array = checked(path, value, self._member(path), "state")
        self._engine.instance.set_state(path, array)

    def __delitem__(self, path: str) -> None:
        raise UsageError(f"state `{path}` cannot be removed", "`reset` sets all states to zeros")

    def __iter__(self) -> Iterator[str]:
        return (member.path for member in self._engine.states())

    def __len__(self) -> int:
        return len(self._engine.states())


class Model:
    """Entries as methods: `model.forward(tokens)`, or `model.call("forward", {"tokens": …})`.

    Inputs are NumPy arrays, or anything with `__array__` or `__dlpack__`; Python numbers and
    lists take the dtype of the input. The dtype and the shape of each are checked.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.state = StateView(engine)

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the entries."""
        return tuple(self._engine.names())

    def inputs(self, entry: str) -> tuple[str, ...]:
        """The names of an entry's inputs, in order; UsageError for an unknown entry."""
        return tuple(self._engine.inputs(entry))

    def call(
        self,
        entry: str,
        inputs: Mapping[str, object] | None = None,
        generics: Generics | None = None,
    ) -> Result:
        """Run an entry. Several results come as a tuple, none as None.

        `generics` are those of the entry that its inputs' shapes leave open. UsageError for an
        unknown name, ArgumentError for an input of the wrong dtype or shape, ProgramError where
        a constraint does not hold for the sizes.
        """
        results = list(self.call_named(entry, inputs, generics).values())
        if not results:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def call_named(
        self,
        entry: str,
        inputs: Mapping[str, object] | None = None,
        generics: Generics | None = None,
    ) -> dict[str, Array]:
        """Run an entry as `call` does, and return its results by name, in order.

        One result is `result`, several are `result.0`, …; those of a struct have the names of
        its fields: `result.low`, `result.inner.count` [LAT-3].
        """
        given = dict(inputs or {})
        chosen = self._engine.choose(entry, given, read_generics(generics))
        names = [value.name for value in chosen.signature.inputs]
        given = {name: value for name, value in given.items() if value is not None}
        check_names(entry, names, given)
        arrays = [checked(v.name, given[v.name], v) for v in chosen.signature.inputs]
        results = self._engine.instance.call(chosen.function, arrays)
        names = [value.name for value in chosen.signature.results]
        return dict(zip(names, results, strict=True))

    def __getattr__(self, name: str) -> Callable[..., Result]:
        if name.startswith("_") or name not in self._engine.names():
            raise AttributeError(f"no entry `{name}`; entries: {', '.join(self.entries)}")

        def entry(*positional: object, **named: object) -> Result:
            return self.call(name, by_name(name, self._engine.inputs(name), positional, named))

        entry.__name__ = name
        return entry

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.entries]

    def reset(self) -> None:
        """Set every state to zeros."""
        for member in self._engine.states():
            self._engine.instance.clear_state(member.path)

    def session(self) -> "Model":
        """Return a model with the same code and weights and states of its own, at zeros."""
        return Model(self._engine.session())

    def generate(
        self,
        prompt_ids: Sequence[int],
        max_new_tokens: int = 128,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int | None = None,
        stop: Sequence[int] = (),
        chunk: int | None = None,
    ) -> Iterator[int]:
        """Yield new tokens after a prompt, by the entries `prefill`, `decode` and `generate`.

        Starts from empty states. Temperature 0 takes the likeliest token, else it is drawn by
        `std.nn.sampling.sample` with `seed` as the key: the same tokens on every target, in chunks
        of any size and in single steps, as far as the logits are the same. A token of `stop` ends
        the text and is not part of it. With an entry `generate`, which the compiler adds, the
        device makes up to `chunk` tokens in a call: 2, then 4, and so on.

        ArgumentError for a token outside the vocabulary, more tokens than there are positions, or
        a number out of range; UsageError for a model without `decode(token, pos)`.
        """
        from linnet.runtime._generate import Choice, generate

        choice = Choice(temperature, top_k, top_p, seed, stop, chunk)
        return generate(self.call, self.reset, self._engine, prompt_ids, max_new_tokens, choice)
