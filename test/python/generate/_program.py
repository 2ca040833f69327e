"""Whole programs: functions, blocks, entries, inputs, and what each call must give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from generate import _numbers as n
from generate._blocks import (
    Block,
    Member,
    Store,
    Sub,
    block_scope,
    call_sub,
    instantiate,
    make_block,
    optional_weight,
    state_update,
)
from generate._dims import number
from generate._functions import Function, make_function
from generate._generics import Generics, dtype_in, make_generics, numbers_for
from generate._numbers import FLOATS, INTEGERS, STORED, Array, Unwanted, V
from generate._scope import Choices, Env, Scope, Var, is_worth, numbers
from generate._statements import Body, write_body
from generate._values import Values


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an entry: its inputs, and its results after it."""

    entry: str
    inputs: dict[str, Array]
    results: list[V]


@dataclass
class Program:
    """A program with everything that running it takes, and what it must give."""

    text: str
    root: str | None
    generics: dict[str, int | str]
    weights: dict[str, Array]
    calls: list[Call]
    states: dict[str, V]
    features: set[str] = field(default_factory=set[str])

    def compared(self) -> tuple[int, int]:
        """How many numbers of the results are known well enough to compare, and of how many."""
        values = [*(v for call in self.calls for v in call.results), *self.states.values()]
        pairs = [n.known_share(value) for value in values]
        return sum(known for known, _ in pairs), sum(size for _, size in pairs)

    def __repr__(self) -> str:
        lines = [self.text, f"root = {self.root}, generics = {self.generics}"]
        lines += [f"weight {path} = {array.tolist()}" for path, array in self.weights.items()]
        for call in self.calls:
            given = {name: array.tolist() for name, array in call.inputs.items()}
            wanted = [value.data.tolist() for value in call.results]
            lines.append(f"call {call.entry}({given}) -> {wanted}")
        return "\n".join(lines)


@dataclass
class _Entry:
    name: str
    scope: Scope
    generics: Generics
    body: Body

    def run(self, store: dict[str, V], inputs: dict[str, V]) -> list[V]:
        env = Env(
            dict(self.scope.env.dims),
            dtypes=dict(self.scope.env.dtypes),
            vars=dict(inputs),
            store=store,
        )
        for statement in self.body.statements:
            statement.run(env)
        return [result.value(env) for result in self.body.results]

    def text(self) -> str:
        params = ", ".join(
            f"{var.name}: {self.scope.type(var.dtype, var.shape, plain=True)}"
            for var in self.scope.inputs
        )
        return (
            f"entry {self.name}{self.generics.declared()}({params}) -> "
            f"{self.body.type(self.scope)}{self.generics.where()}{{\n{self.body.text(1)}\n}}\n"
        )

    def numbers(self) -> dict[str, int | str]:
        units = self.scope.env.dims
        found: dict[str, int | str] = {
            f"{self.name}.{k}": v for k, v in self.generics.numbers(units).items()
        }
        return found | {f"{self.name}.{k}": self.scope.env.dtypes[k] for k in self.generics.dtypes}


def write_program(below: Callable[[int], int]) -> Program:
    """A program, whose every choice is a number below another."""
    choices = Choices(below)
    functions: list[Function] = []
    for at in range(choices.below(3)):
        functions.append(make_function(choices, f"f{at}", functions))
    special = choices.chance(8)
    if special:
        choices.uses("infinities and NaN")
    if choices.chance(2):
        return _with_block(choices, functions, special)
    return _free(choices, functions, special)


def _free(choices: Choices, functions: list[Function], special: bool) -> Program:
    entries: list[_Entry] = []
    for at in range(1 + choices.chance(4)):
        generics = make_generics(choices, ("N", "M", "D"), 3)
        scope = Scope(choices, Env(numbers_for(choices, generics)), functions=functions)
        scope.special = special
        generics.enter(scope)
        if not scope.dims:
            scope.dims += [number(2), number(3)]
        entries.append(_entry(f"run{at}", scope, generics, choices))
    text = "".join(f"\n{part}" for part in [*(f.text for f in functions), *_texts(entries)])
    return _finished(choices, f"module probe\n{text}", None, {}, Store(choices), entries, special)


def _texts(entries: list[_Entry]) -> list[str]:
    return [entry.text() for entry in entries]


def _main_dtype(choices: Choices) -> str:
    return choices.pick(("f32", "f32", "i32", *FLOATS, *INTEGERS))


def _entry(
    name: str, scope: Scope, generics: Generics, choices: Choices, extra: tuple[Any, ...] = ()
) -> _Entry:
    body = write_body(
        Values(scope), _main_dtype(choices), 1 + choices.below(4), 1 + choices.below(3), extra
    )
    return _Entry(name, scope, generics, body)


def _with_block(choices: Choices, functions: list[Function], special: bool) -> Program:
    parts = [
        make_block(choices, f"Part{at}", functions, dtypes=True) for at in range(choices.below(3))
    ]
    generics = make_generics(choices, ("W", "V", "U"), 2)
    root = Block("Model", generics)
    env = Env(numbers_for(choices, generics))
    if choices.chance(4):
        generics.dtypes["R"] = "Float"
        env.dtypes["R"] = dtype_in(choices, "Float")
        choices.uses("dtype generic of the root")
    store = Store(choices)
    env.store = store.values
    outer = Scope(choices, env)
    generics.enter(outer)
    if not outer.dims:
        outer.dims += [number(2), number(3)]
    for at, part in enumerate(parts):
        _add_sub(choices, root, outer, f"b{at}", part)
    instantiate(root, env, "", store)
    _leave_out(choices, root, store)
    entries: list[_Entry] = []
    for at in range(1 + choices.below(3)):
        own = make_generics(choices, ("N", "M"), 1)
        dims = {**env.dims, **numbers_for(choices, own)}
        inner = Env(dims, {}, dict(env.dtypes), store=store.values)
        scope = block_scope(choices, root, inner, store, functions, own)
        scope.special = special
        if not scope.dims:
            scope.dims += [number(2), number(3)]
        makers: tuple[Any, ...] = (optional_weight(root, store),)
        if root.subs:
            makers = (*makers, call_sub(root), call_sub(root))
        dtype = "R" if generics.dtypes and choices.below(2) else _main_dtype(choices)
        values = Values(scope)
        body = write_body(values, dtype, 1 + choices.below(4), 1 + choices.below(2), makers)
        body.statements += state_update(values, root, store, body)
        entries.append(_Entry(f"run{at}", scope, own, body))
    root.lines += _texts(entries)
    blocks = "".join(f"\n{block.text(outer)}" for block in [*parts, root])
    text = f"module probe\n{''.join(f'{chr(10)}{f.text}' for f in functions)}{blocks}"
    bound: dict[str, int | str] = {**generics.numbers(env.dims), **env.dtypes}
    return _finished(choices, text, "Model", bound, store, entries, special)


def _add_sub(choices: Choices, root: Block, scope: Scope, name: str, block: Block) -> None:
    units = block.generics.bound(scope, {})
    dtypes = {}
    for each, kind in block.generics.dtypes.items():
        dtypes[each] = "R" if scope.classes and choices.below(2) else dtype_in(choices, kind)
    count = None
    optional = False
    match choices.below(4):
        case 0:
            count = choices.pick((2, 1, 3, 0))
            choices.uses("structural array")
        case 1:
            optional = True
        case _:
            pass
    root.subs.append(Sub(name, block, units, dtypes, count, optional))
    if choices.chance(3):
        # A second instance of the block has weights and states of its own.
        choices.uses("two instances of a block")
        root.subs.append(Sub(f"{name}x", block, block.generics.bound(scope, {}), dtypes))


def _leave_out(choices: Choices, root: Block, store: Store) -> None:
    """Take optional subs and weights out, some of them."""

    def optional(block: Block, path: str) -> list[str]:
        found = [f"{path}{m.name}" for m in block.members if m.optional]
        for sub in block.subs:
            for at in [""] if sub.count is None else [f"{i}." for i in range(sub.count)]:
                where = f"{path}{sub.name}.{at}"
                found += [where] if sub.optional else []
                found += optional(sub.block, where)
        return found

    def required(block: Block, path: str) -> bool:
        return any(m.kind != "state" and not m.optional for m in block.members)

    for path in optional(root, ""):
        if path.endswith("."):
            # A sub without a required weight is present whatever the weights hold [WGT-4].
            sub = next(s for s in root.subs if path == f"{s.name}.")
            if not required(sub.block, path) or not choices.chance(2):
                continue
            choices.uses("absent sub")
            for key in [k for k in store.values if k.startswith(path)]:
                del store.values[key]
                if key in store.states:
                    store.states.remove(key)
        elif path in store.values and choices.chance(2):
            choices.uses("absent param")
            store.absent.add(path)
            del store.values[path]


def _finished(
    choices: Choices,
    text: str,
    root: str | None,
    generics: dict[str, int | str],
    store: Store,
    entries: list[_Entry],
    special: bool,
) -> Program:
    for entry in entries:
        generics |= entry.numbers()
    store.reset()
    calls: list[Call] = []
    for entry in entries:
        given = {var.name: entry.scope.env.vars[var.name] for var in entry.scope.inputs}
        _call(entry, store, given, calls)
    for _ in range(choices.below(3)):
        entry = choices.pick(entries)
        given = {var.name: _again(choices, entry.scope, var, special) for var in entry.scope.inputs}
        choices.uses("several calls")
        _call(entry, store, given, calls)
    if not calls:
        raise Unwanted("no call")
    weights = {
        path: value.data.astype(STORED[value.dtype])
        for path, value in store.values.items()
        if path not in store.states
    }
    states = {path: store.values[path] for path in store.states}
    return Program(text, root, generics, weights, calls, states, choices.features)


def _again(choices: Choices, scope: Scope, var: Var, special: bool) -> V:
    """Another value for an input; a position or a count keeps its own."""
    old = scope.env.vars[var.name]
    if not var.shape and var.dtype in INTEGERS:
        return old
    return n.exact(old.dtype, numbers(choices, old.dtype, old.shape, special))


def _call(entry: _Entry, store: Store, given: dict[str, V], calls: list[Call]) -> None:
    held = dict(store.values)
    try:
        results = entry.run(store.values, given)
        if not all(is_worth(value) for value in (*results, *store.values.values())):
            raise Unwanted("nothing to compare")
    except Unwanted:
        store.values.clear()
        store.values.update(held)
        return
    inputs = {name: value.data.astype(STORED[value.dtype]) for name, value in given.items()}
    calls.append(Call(entry.name, inputs, results))


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Program | None:
    """A program as a hypothesis strategy; None where the choices lead to none."""
    try:
        return write_program(lambda bound: draw(st.integers(0, bound - 1)) if bound > 1 else 0)
    except Unwanted:
        return None


__all__ = ["Call", "Member", "Program", "programs", "write_program"]
