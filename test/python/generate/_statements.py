"""Statements of a body, and what it returns."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from generate import _numbers as n
from generate._dims import number
from generate._index import comprehension, product
from generate._numbers import FLOATS, INTEGERS, Unwanted
from generate._scope import E, Env, Scope, Stmt, Var, is_worth
from generate._values import Values


@dataclass
class Body:
    """The statements of a function, and its result or the elements of its tuple."""

    statements: list[Stmt]
    results: list[E]

    def text(self, level: int) -> str:
        lines = [line for statement in self.statements for line in statement.lines]
        values = ", ".join(result.text for result in self.results)
        lines.append(f"return ({values})" if len(self.results) > 1 else f"return {values}")
        return "\n".join(f"{'    ' * level}{line}" for line in lines)

    def type(self, scope: Scope) -> str:
        types = [scope.type(result.dtype, result.shape) for result in self.results]
        return f"({', '.join(types)})" if len(types) > 1 else types[0]


Maker = Callable[[Values, str], tuple[list[Stmt], list[Var]]]


def write_body(
    values: Values,
    dtype: str,
    count: int,
    results: int,
    extra: tuple[Maker, ...] = (),
    many: bool = True,
) -> Body:
    """`count` statements, mostly of `dtype`, and what the last of them made as results.

    `results` at least; with `many`, more where there is more.
    """
    scope, choices = values.s, values.c
    statements: list[Stmt] = []
    for _ in range(count):
        of = dtype
        if choices.chance(3):
            of = choices.pick((*FLOATS, *INTEGERS, "bool"))
        makers: list[Maker] = [_let, _notation, _notation, _product, _while, _static, _tuple]
        makers += [_for, _scan]
        if any(not f.pointwise for f in scope.functions):
            makers += [_call, _call]
        makers += [each for each in extra for _ in range(2)]
        statements += attempted(values, choices.pick(makers), of)
    # What nothing uses is dropped before a target sees it.
    shown = 1 if results == 1 and not many else max(results, 4)
    made = [var for var in scope.vars if var.name.startswith("y")][-shown:]
    outputs = [scope.named(var) for var in made]
    while len(outputs) < results:
        outputs.append(values.value(dtype, values.tensor_shape(), 2))
    if choices.chance(2):
        last = outputs[-1]
        outputs[-1] = values.value(last.dtype, last.shape, 2)
    return Body(statements, outputs)


def attempted(values: Values, make: Maker, dtype: str) -> list[Stmt]:
    """The statements of a maker, run once; nothing where they have no value to compare."""
    scope = values.s
    before, known = dict(scope.env.vars), list(scope.vars)
    held = dict(scope.env.store)
    try:
        statements, made = make(values, dtype)
        for statement in statements:
            statement.run(scope.env)
        for var in made:
            if not is_worth(scope.named(var).value(scope.env)):
                raise Unwanted("nothing to compare")
    except Unwanted:
        inputs = {var.name for var in scope.inputs}
        scope.env.vars.update(dict(before.items()))
        scope.env.store.update(held)
        scope.vars[:] = [v for v in scope.vars if v in known or v.name in inputs or v.member]
        return []
    scope.vars.extend(made)
    return statements


def _set(name: str, value: Callable[[Env], n.V]) -> Callable[[Env], None]:
    def run(env: Env) -> None:
        env.vars[name] = value(env)

    return run


def _let(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    scope = values.s
    shape = values.tensor_shape()
    expression = values.value(dtype, shape, 3)
    name = scope.fresh("y")
    annotation = ""
    if values.c.chance(2):
        values.c.uses("annotated let")
        annotation = f": {scope.type(dtype, shape)}"
    text = f"let {name}{annotation} = {expression.text}"
    return [Stmt((text,), _set(name, expression.value))], [Var(name, dtype, shape)]


def _notation(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    statement, var = comprehension(values, values.s.fresh("y"), dtype, 2 + values.c.chance(2))
    return [statement], [var]


def _product(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    if dtype == "bool":
        dtype = "f32"
    statement, var = product(values, values.s.fresh("y"), dtype)
    return [statement], [var]


def _tuple(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    """A tuple, perhaps from a branch, taken apart."""
    scope, choices = values.s, values.c
    choices.uses("tuple")
    shapes = [values.tensor_shape(2) for _ in range(2)]
    dtypes = [dtype, choices.pick(("i32", "f32", "bool"))]
    first = [values.value(d, s, 2) for d, s in zip(dtypes, shapes, strict=True)]
    names = [scope.fresh("y") for _ in first]
    made = [Var(*each) for each in zip(names, dtypes, shapes, strict=True)]
    text = f"({', '.join(e.text for e in first)})"
    runs = [e.value for e in first]
    if choices.chance(2):
        choices.uses("tuple from a branch")
        second = [values.value(d, s, 1) for d, s in zip(dtypes, shapes, strict=True)]
        c = values.condition(1)
        text = f"if {c.text} {{ {text} }} else {{ ({', '.join(e.text for e in second)}) }}"
        runs = [
            lambda env, a=a, b=b: n.choose(c.value(env), a.value(env), b.value(env))
            for a, b in zip(first, second, strict=True)
        ]

    def run(env: Env) -> None:
        env.vars.update({name: one(env) for name, one in zip(names, runs, strict=True)})

    return [Stmt((f"let ({', '.join(names)}) = {text}",), run)], made


def _carried(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    """One or two `var`s with their first values."""
    scope = values.s
    statements: list[Stmt] = []
    made: list[Var] = []
    for of in (dtype, "i32")[: 1 + values.c.chance(2)]:
        shape = values.tensor_shape(2)
        first = values.value(of, shape, 1)
        name = scope.fresh("y")
        # A `var` keeps its type: written, now and then.
        written = f": {scope.type(of, shape)}" if values.c.chance(3) else ""
        run = _set(name, first.value)
        run(scope.env)
        statements.append(Stmt((f"var {name}{written} = {first.text}",), run))
        made.append(Var(name, of, shape))
    return statements, made


def _assignments(values: Values, carried: list[Var], depth: int) -> list[Stmt]:
    """New values for the `var`s, in order, with a local between now and then."""
    scope = values.s
    statements: list[Stmt] = []
    if values.c.chance(3):
        name = scope.fresh("t")
        var = Var(name, carried[0].dtype, carried[0].shape)
        local = values.value(var.dtype, var.shape, depth)
        run = _set(name, local.value)
        run(scope.env)
        statements.append(Stmt((f"let {name} = {local.text}",), run))
        scope.vars.append(var)
    for var in carried:
        value = values.value(var.dtype, var.shape, depth)
        statements.append(Stmt((f"{var.name} = {value.text}",), _set(var.name, value.value)))
    return statements


def _nested(values: Values, carried: list[Var]) -> Values:
    """The scope of a loop body: its locals end with it, its inputs are the function's."""
    scope = replace(values.s, vars=[*values.s.vars, *carried, *carried])
    return Values(scope)


def _kept_inputs(values: Values, inner: Values) -> None:
    """Inputs and members that a loop body asked for are known after it."""
    inputs = {var.name for var in values.s.inputs}
    known = set(values.s.vars)
    values.s.vars += [v for v in inner.s.vars if v not in known and (v.name in inputs or v.member)]


def _lines(statements: list[Stmt]) -> list[str]:
    return [f"    {line}" for statement in statements for line in statement.lines]


def _while(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    values.c.uses("while")
    scope = values.s
    first, carried = _carried(values, dtype)
    of = values.c.pick(("i32", "i64", "u8", "i8"))
    count = scope.fresh("n")
    times = 1 + values.c.below(4)
    if values.c.below(2):
        start = scope.named(scope.new_input(of, (), times))
    else:
        start = E(str(times), of, (), lambda env: n.exact(of, times))
    scope.env.vars[count] = n.exact(of, times)
    inner = _nested(values, carried)
    inner.s.vars.append(Var(count, of, ()))
    body = _assignments(inner, carried, 2)
    _kept_inputs(values, inner)
    one = n.exact(of, 1)

    def run(env: Env) -> None:
        env.vars[count] = start.value(env)
        for _ in range(20):
            left = env.vars[count]
            if not left.sure:
                raise Unwanted("a loop of unknown length")
            if not int(left.data) > 0:
                return
            for statement in body:
                statement.run(env)
            env.vars[count] = n.sub(env.vars[count], one)
        raise Unwanted("a long loop")

    head = f"var {count}: {of} = {start.text}"
    lines = [head, f"while {count} > 0 {{", *_lines(body), f"    {count} = {count} - 1", "}"]
    return [*first, Stmt(tuple(lines), run)], carried


def _static(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    values.c.uses("static for a range")
    scope = values.s
    first, carried = _carried(values, dtype)
    index = scope.fresh("t")
    low = number(values.c.below(2))
    high = values.dimension()
    scope.env.vars[index] = n.exact("i64", 0)
    inner = _nested(values, carried)
    inner.s.vars.append(Var(index, "i64", ()))
    body = _assignments(inner, carried, 2)
    _kept_inputs(values, inner)

    def run(env: Env) -> None:
        for step in range(low.value(env.dims), high.value(env.dims)):
            env.vars[index] = n.exact("i64", step)
            for statement in body:
                statement.run(env)

    lines = [
        f"static for {index} in {scope.spell(low)}..{scope.spell(high)} {{",
        *_lines(body),
        "}",
    ]
    return [*first, Stmt(tuple(lines), run)], carried


def _for(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    """A counted loop that runs when the program does [LAT-4]."""
    values.c.uses("for")
    return _counted(values, dtype, None)


def _scan(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    """A loop whose yielded values are stacked [LAT-5]."""
    values.c.uses("scan")
    return _counted(values, dtype, values.s.fresh("y"))


def _counted(values: Values, dtype: str, name: str | None) -> tuple[list[Stmt], list[Var]]:
    scope = values.s
    first, carried = _carried(values, dtype)
    index = scope.fresh("t")
    high = values.dimension()
    low = number(values.c.below(2) if scope.lowest(high) > 0 else 0)
    scope.env.vars[index] = n.exact("i64", 0)
    inner = _nested(values, carried)
    inner.s.vars.append(Var(index, "i64", ()))
    body = _assignments(inner, carried, 2)
    lines = _lines(body)
    given: E | None = None
    if name is not None:
        given = inner.value(dtype, inner.tensor_shape(2), 2)
        lines.append(f"    yield {given.text}")
    _kept_inputs(values, inner)

    def run(env: Env) -> None:
        parts: list[n.V] = []
        for step in range(low.value(env.dims), high.value(env.dims)):
            env.vars[index] = n.exact("i64", step)
            for statement in body:
                statement.run(env)
            if given is not None:
                parts.append(given.value(env))
        if name is not None and given is not None:
            sizes = env.sizes(given.shape)
            env.vars[name] = n.stacked(env.dtype(given.dtype), sizes, parts)

    head = f"for {index} in {scope.spell(low)}..{scope.spell(high)} {{"
    if name is None or given is None:
        return [*first, Stmt((head, *lines, "}"), run)], carried
    stack = Var(name, given.dtype, (high - low, *given.shape))
    return [*first, Stmt((f"let {name} = {head}", *lines, "}"), run)], [*carried, stack]


def _call(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
    """A call whose results get names."""
    scope = values.s
    function = values.c.pick([f for f in scope.functions if not f.pointwise])
    text, run, shape, dtypes = function.bind(values, None, None, 2)
    values.c.uses("call")
    made = [
        Var(scope.fresh("y"), dtypes.get(result.dtype, result.dtype), shape(result.shape))
        for result in function.results
    ]
    names = [var.name for var in made]
    left = names[0]
    if len(names) > 1:
        values.c.uses("tuple result")
        left = f"({', '.join(names)})"

    def assign(env: Env) -> None:
        env.vars.update(zip(names, run(env), strict=True))

    return [Stmt((f"let {left} = {text}",), assign)], made
