"""Functions and ops with generics, and calls of them."""

from collections.abc import Callable
from dataclasses import dataclass

from generate import _numbers as n
from generate._dims import number
from generate._generics import (
    Generics,
    dtype_in,
    in_class,
    make_generics,
    numbers_for,
    unify,
)
from generate._index import over_pack
from generate._numbers import FLOATS, INTEGERS, Unwanted, V
from generate._scope import Choices, E, Env, Pack, Scope, Shape, Stmt, Var, substituted
from generate._statements import Body, write_body
from generate._values import Values


@dataclass
class Function:
    """A function: its text, and its values in an environment of its own."""

    name: str
    generics: Generics
    params: list[Var]
    statements: list[Stmt]
    results: list[E]
    text: str
    pointwise: bool = False

    def run(self, env: Env, arguments: list[V]) -> list[V]:
        env.vars = {var.name: value for var, value in zip(self.params, arguments, strict=True)}
        for statement in self.statements:
            statement.run(env)
        return [result.value(env) for result in self.results]

    def bind(
        self, values: Values, dtype: str | None, shape: Shape | None, depth: int
    ) -> tuple[str, Callable[[Env], list[V]], Callable[[Shape], Shape], dict[str, str]]:
        """A call: its text, its results, and how result types read for the caller."""
        scope, choices = values.s, values.c
        dtypes: dict[str, str] = {}
        packs: dict[str, Shape] = {}
        fixed: dict[str, n.Any] = {}
        if dtype is not None:
            own = self.results[0].dtype
            if own in self.generics.dtypes:
                if not in_class(dtype, self.generics.dtypes[own], scope):
                    raise Unwanted("another class")
                dtypes[own] = dtype
            elif own != dtype:
                raise Unwanted("another dtype")
        if shape is not None:
            unify(self.results[0].shape, shape, packs, fixed)
        for name, kind in self.generics.dtypes.items():
            dtypes.setdefault(name, dtype_in(choices, kind))
        for name in self.generics.packs:
            packs.setdefault(name, values.tensor_shape(2))
        units = self.generics.bound(scope, fixed)
        if shape is not None and substituted(self.results[0].shape, units, packs) != shape:
            raise Unwanted("another shape")
        arguments: list[E] = []
        for var in self.params:
            wanted = substituted(var.shape, units, packs)
            arguments.append(
                values.value(dtypes.get(var.dtype, var.dtype), wanted, min(depth - 1, 1))
            )
        written = ""
        if not self.inferable() or choices.chance(3):
            written = self.generics.written(scope, units, packs, dtypes)
            choices.uses("explicit generics")
        elif self.generics.names:
            choices.uses("inferred generics")
        texts = [argument.text for argument in arguments]
        if len(texts) > 1 and choices.chance(4):
            choices.uses("named arguments")
            named = [f"{var.name} = {text}" for var, text in zip(self.params, texts, strict=True)]
            keep = choices.below(len(texts))
            texts = [*texts[:keep], *choices.shuffled(named[keep:])]

        def run(env: Env) -> list[V]:
            inner = Env(
                {unit: dim.value(env.dims) for unit, dim in units.items()},
                {name: env.sizes(part) for name, part in packs.items()},
                {name: env.dtype(dtype) for name, dtype in dtypes.items()},
                store=env.store,
                path=env.path,
            )
            return self.run(inner, [argument.value(env) for argument in arguments])

        return (
            f"{self.name}{written}({', '.join(texts)})",
            run,
            lambda own: substituted(own, units, packs),
            dtypes,
        )

    def inferable(self) -> bool:
        """Whether the arguments alone tell every generic [TYP-18]."""
        found: set[str] = set()
        for var in self.params:
            if var.dtype in self.generics.dtypes:
                found.add(var.dtype)
            for part in var.shape:
                if isinstance(part, Pack):
                    found.add(part.name)
                for name, dim in self.generics.dims.items():
                    if part == dim:
                        found.add(name)
        return found >= set(self.generics.names)

    def called(self, values: Values, dtype: str, shape: Shape, depth: int) -> E:
        """A call that gives this type, for a function of one result."""
        if len(self.results) != 1:
            raise Unwanted("a tuple")
        text, run, _, _ = self.bind(values, dtype, shape, depth)
        values.c.uses("call")
        return E(text, dtype, shape, lambda env: run(env)[0])


def make_function(choices: Choices, name: str, others: list[Function]) -> Function:
    """A function; its parameters are what its body asked for."""
    kind = choices.pick(("fn", "op"))
    choices.uses(kind)
    match choices.below(4):
        case 0:
            return _pointwise(choices, kind, name, others)
        case 1:
            return _over_pack(choices, kind, name, others)
        case _:
            return _general(choices, kind, name, others)


def _scope(choices: Choices, generics: Generics, others: list[Function]) -> Scope:
    units = numbers_for(choices, generics)
    env = Env(units)
    for pack in generics.packs:
        env.packs[pack] = tuple(1 + choices.below(3) for _ in range(choices.below(3)))
    for dtype, kind in generics.dtypes.items():
        env.dtypes[dtype] = dtype_in(choices, kind)
    scope = Scope(choices, env, prefix="a", functions=list(others))
    generics.enter(scope)
    return scope


def _dtype_generics(choices: Choices, generics: Generics) -> str:
    """The main dtype of a body: a generic or a concrete one."""
    if choices.chance(2):
        return choices.pick((*FLOATS, *INTEGERS))
    kind = choices.pick(("Float", "Numeric", "Float", "Integer"))
    choices.uses(f"dtype generic: {kind}")
    generics.dtypes["T"] = kind
    return "T"


def _pointwise(choices: Choices, kind: str, name: str, others: list[Function]) -> Function:
    generics = Generics()
    dtype = _dtype_generics(choices, generics)
    scope = _scope(choices, generics, [f for f in others if f.pointwise])
    scope.in_element = True
    values = Values(scope)
    scope.new_input(dtype, ())
    result = values.value(dtype, (), 3)
    return _finished(kind, name, generics, scope, Body([], [result]), pointwise=True)


def _over_pack(choices: Choices, kind: str, name: str, others: list[Function]) -> Function:
    choices.uses("pack")
    generics = make_generics(choices, ("N", "M"), 1)
    generics.packs.append("S")
    dtype = _dtype_generics(choices, generics)
    scope = _scope(choices, generics, others)
    values = Values(scope)
    pack = Pack("S")
    if choices.chance(2):
        tail: Shape = tuple(scope.dims[:1])
        if tail:
            statement, var = over_pack(values, "y", pack, tail, dtype)
            statement.run(scope.env)
            scope.vars.append(var)
            return _finished(kind, name, generics, scope, Body([statement], [scope.named(var)]))
    shape: Shape = (pack, *scope.dims[:1]) if choices.chance(2) else (pack,)
    scope.new_input(dtype, shape)
    result = values.value(dtype, shape, 3)
    return _finished(kind, name, generics, scope, Body([], [result]))


def _general(choices: Choices, kind: str, name: str, others: list[Function]) -> Function:
    generics = make_generics(choices, ("N", "M", "H"), 3)
    dtype = _dtype_generics(choices, generics)
    scope = _scope(choices, generics, others)
    if not scope.dims:
        scope.dims.append(number(2 + choices.below(2)))
    values = Values(scope)
    body = write_body(values, dtype, 1 + choices.below(3), 1 + choices.chance(4), many=False)
    return _finished(kind, name, generics, scope, body)


def _finished(
    kind: str, name: str, generics: Generics, scope: Scope, body: Body, pointwise: bool = False
) -> Function:
    params = ", ".join(
        f"{var.name}: {scope.type(var.dtype, var.shape, plain=True)}" for var in scope.inputs
    )
    text = (
        f"{kind} {name}{generics.declared()}({params}) -> {body.type(scope)}"
        f"{generics.where()}{{\n{body.text(1)}\n}}\n"
    )
    return Function(name, generics, scope.inputs, body.statements, body.results, text, pointwise)
