"""Blocks with weights, states, subs and methods, and instances of them."""

from dataclasses import dataclass, field, replace

from generate import _numbers as n
from generate._dims import Dim, number
from generate._functions import Function
from generate._generics import Generics, dtype_in, make_generics, numbers_for
from generate._numbers import FLOATS, INTEGERS, Unwanted, V
from generate._scope import Choices, E, Env, Scope, Shape, Stmt, Var, numbers, substituted
from generate._statements import Body, write_body
from generate._values import Values


@dataclass(frozen=True, slots=True)
class Member:
    kind: str  # param, buffer or state
    name: str
    dtype: str
    shape: Shape
    optional: bool = False


@dataclass
class Sub:
    """A sub: its block with arguments, over the generics of the block that holds it."""

    name: str
    block: "Block"
    units: dict[str, Dim]
    dtypes: dict[str, str]
    count: int | None = None  # of a structural array
    optional: bool = False


@dataclass
class Block:
    name: str
    generics: Generics
    members: list[Member] = field(default_factory=list[Member])
    subs: list[Sub] = field(default_factory=list[Sub])
    methods: list[Function] = field(default_factory=list[Function])
    lines: list[str] = field(default_factory=list[str])
    dtype: str = "f32"

    def text(self, scope: Scope) -> str:
        lines = [f"block {self.name}{self.generics.declared()}{self.generics.where()}{{"]
        for member in self.members:
            mark = "?" if member.optional else ""
            shown = scope.type(member.dtype, member.shape, plain=True)
            lines.append(f"    {member.kind} {member.name}: {shown}{mark}")
        for sub in self.subs:
            shown = sub.block.name + sub.block.generics.written(scope, sub.units, {}, sub.dtypes)
            if sub.count is not None:
                shown = f"[{shown}; {sub.count}]"
            lines.append(f"    sub {sub.name}: {shown}{'? = none' if sub.optional else ''}")
        lines += [
            f"    {line}".rstrip() for text in self.lines for line in ["", *text.splitlines()]
        ]
        return "\n".join([*lines, "}"]) + "\n"


@dataclass
class Store:
    """Weights and states of a root, by path."""

    choices: Choices
    values: dict[str, V] = field(default_factory=dict[str, V])
    states: list[str] = field(default_factory=list[str])
    absent: set[str] = field(default_factory=set[str])

    def add(self, path: str, member: Member, env: Env) -> None:
        dtype, shape = env.dtype(member.dtype), env.sizes(member.shape)
        if member.kind == "state":
            self.states.append(path)
            self.values[path] = n.exact(dtype, n.np.zeros(shape))
        else:
            self.values[path] = n.exact(dtype, numbers(self.choices, dtype, shape))

    def reset(self) -> None:
        for path in self.states:
            self.values[path] = self.values[path].map(n.np.zeros_like)


def instantiate(block: Block, env: Env, path: str, store: Store) -> None:
    """Give every member of an instance a value."""
    for member in block.members:
        if f"{path}{member.name}" not in store.values:
            store.add(f"{path}{member.name}", member, env)
    for sub in block.subs:
        inner = sub_env(sub, env)
        for where in paths(sub, path):
            instantiate(sub.block, inner, where, store)


def paths(sub: Sub, path: str) -> list[str]:
    if sub.count is None:
        return [f"{path}{sub.name}."]
    return [f"{path}{sub.name}.{at}." for at in range(sub.count)]


def sub_env(sub: Sub, env: Env) -> Env:
    return Env(
        {unit: dim.value(env.dims) for unit, dim in sub.units.items()},
        dtypes={name: env.dtype(dtype) for name, dtype in sub.dtypes.items()},
        store=env.store,
    )


def make_block(choices: Choices, name: str, functions: list[Function], dtypes: bool) -> Block:
    """A block with weights, perhaps a state, and methods; without subs."""
    choices.uses("block")
    generics = make_generics(choices, ("In", "Out", "Mid"), 2)
    if dtypes and choices.chance(2):
        generics.dtypes["T"] = choices.pick(("Float", "Float", "Numeric"))
        choices.uses("dtype generic of a block")
    block = Block(name, generics)
    dtype = "T" if "T" in generics.dtypes else choices.pick(("f32", "f32", *FLOATS, *INTEGERS))
    block.dtype = dtype
    env = Env(numbers_for(choices, generics))
    for each, kind in generics.dtypes.items():
        env.dtypes[each] = dtype_in(choices, kind)
    store = Store(choices)
    env.store = store.values
    for at in range(1 + choices.chance(3)):
        method = _method(choices, block, "forward" if at == 0 else "again", env, store, functions)
        block.methods.append(method)
    return block


def block_scope(
    choices: Choices,
    block: Block,
    env: Env,
    store: Store,
    functions: list[Function],
    extra: Generics,
) -> Scope:
    """The scope of a method: members in scope, weights on demand."""
    scope = Scope(choices, env, prefix="x", functions=list(functions))
    block.generics.enter(scope)
    extra.enter(scope)
    scope.dims = list(dict.fromkeys(scope.dims))
    own = {atom for dim in block.generics.dims.values() for atom in dim.atoms()}
    own |= {atom for dim in scope.dims for atom in dim.atoms() if atom.name in block.generics.units}

    def new_member(dtype: str, shape: Shape) -> Var | None:
        if any(not isinstance(part, Dim) or part.atoms() - own for part in shape):
            return None
        if dtype in extra.dtypes:
            return None
        kind = choices.pick(("param", "param", "buffer"))
        choices.uses(kind)
        member = Member(kind, f"w{len(block.members)}", dtype, shape)
        block.members.append(member)
        store.add(f"{env.path}{member.name}", member, env)
        return Var(member.name, dtype, shape, member=True)

    scope.new_member = new_member
    scope.vars += [
        Var(member.name, member.dtype, member.shape, member=True)
        for member in block.members
        if not member.optional
    ]
    return scope


def _method(
    choices: Choices,
    block: Block,
    name: str,
    env: Env,
    store: Store,
    functions: list[Function],
) -> Function:
    inner = Env(dict(env.dims), {}, dict(env.dtypes), store=env.store)
    scope = block_scope(choices, block, inner, store, functions, Generics())
    if not scope.dims:
        scope.dims.append(number(2 + choices.below(2)))
    values = Values(scope)
    body = write_body(
        values, block.dtype, 1 + choices.below(2), 1, (optional_weight(block, store),), many=False
    )
    body.statements += state_update(values, block, store, body)
    block.lines.append(method_text(choices, name, scope, body))
    return Function(name, Generics(), scope.inputs, body.statements, body.results, "")


def method_text(choices: Choices, name: str, scope: Scope, body: Body) -> str:
    params = ", ".join(
        f"{var.name}: {scope.type(var.dtype, var.shape, plain=True)}" for var in scope.inputs
    )
    return f"fn {name}({params}) -> {body.type(scope)} {{\n{body.text(1)}\n}}"


def state_update(values: Values, block: Block, store: Store, body: Body) -> list[Stmt]:
    """A state that the result goes into, and is read from."""
    choices, scope = values.c, values.s
    result = body.results[-1]
    if not result.shape or not choices.chance(2) or scope.new_member is None:
        return []
    if any(not isinstance(part, Dim) or part.atoms() - _own(block) for part in result.shape) or (
        result.dtype in scope.classes and result.dtype not in block.generics.dtypes
    ):
        return []
    choices.uses("state")
    member = Member("state", f"s{len(block.members)}", result.dtype, result.shape)
    block.members.append(member)
    path = scope.env.path
    store.add(f"{path}{member.name}", member, scope.env)
    old = scope.named(Var(member.name, member.dtype, member.shape, member=True))
    if member.dtype == "bool":
        updated = values.binary(
            "({} ^ {})", "bool", member.shape, old, result, lambda a, b: n.bits("^", a, b)
        )
    elif choices.below(2):
        updated = values.binary("({} + {})", member.dtype, member.shape, old, result, n.add)
    else:
        updated = values.binary("max({}, {})", member.dtype, member.shape, old, result, n.greatest)
    name = scope.fresh("y")

    def run(env: Env) -> None:
        env.vars[name] = old.value(env)
        env.store[env.path + member.name] = updated.value(env)

    statement = Stmt((f"let {name} = {member.name}", f"{member.name} = {updated.text}"), run)
    statement.run(scope.env)
    # The result is the snapshot from before, or the state as it is now.
    taken = scope.named(Var(name, member.dtype, member.shape)) if choices.below(2) else old
    body.results[-1] = taken
    return [statement]


def _own(block: Block) -> set[n.Any]:
    return {atom for dim in block.generics.dims.values() for atom in dim.atoms()}


def optional_weight(block: Block, store: Store):
    """A statement that matches on an optional `param`."""

    def make(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
        choices, scope = values.c, values.s
        shape = tuple(d for d in values.tensor_shape(2) if isinstance(d, Dim))
        if not shape or any(part.atoms() - _own(block) for part in shape):
            raise Unwanted("not over the block's generics")
        if dtype in scope.classes and dtype not in block.generics.dtypes:
            raise Unwanted("not the block's dtype")
        choices.uses("optional param")
        member = Member("param", f"w{len(block.members)}", dtype, shape, optional=True)
        block.members.append(member)
        store.add(f"{scope.env.path}{member.name}", member, scope.env)
        weight = f"v{member.name}"
        scope.env.vars[weight] = store.values[f"{scope.env.path}{member.name}"]
        inner = Values(replace(scope, vars=[*scope.vars, Var(weight, dtype, shape)]))
        some, none = inner.value(dtype, shape, 2), values.value(dtype, shape, 1)
        known = set(scope.vars)
        names = {var.name for var in scope.inputs}
        scope.vars += [v for v in inner.s.vars if v not in known and (v.member or v.name in names)]
        name = scope.fresh("y")

        def run(env: Env) -> None:
            path = env.path + member.name
            if path in store.absent or path not in env.store:
                env.vars[name] = none.value(env)
            else:
                env.vars[weight] = env.store[path]
                env.vars[name] = some.value(env)

        text = (
            f"let {name} = match {member.name} {{",
            f"    some({weight}) => {some.text}",
            f"    none => {none.text}",
            "}",
        )
        return [Stmt(text, run)], [Var(name, dtype, shape)]

    return make


def call_sub(holder: Block) -> n.Any:
    """Statements that call a method of a sub."""

    def make(values: Values, dtype: str) -> tuple[list[Stmt], list[Var]]:
        choices, scope = values.c, values.s
        sub = choices.pick(holder.subs)
        method = choices.pick(sub.block.methods)
        result = method.results[0]
        shape = substituted(result.shape, sub.units, {})
        of = sub.dtypes.get(result.dtype, result.dtype)
        arguments = [
            values.value(
                sub.dtypes.get(var.dtype, var.dtype), substituted(var.shape, sub.units, {}), 1
            )
            for var in method.params
        ]
        name = scope.fresh("y")
        made = Var(name, of, shape)

        def called(env: Env, path: str, given: list[V]) -> V:
            inner = sub_env(sub, env)
            inner.path = path
            return method.run(inner, given)[0]

        texts = [argument.text for argument in arguments]
        if sub.count is not None:
            return _over_array(values, sub, method, arguments, made, called)
        if sub.optional:
            return _optional_sub(values, sub, method, arguments, made, called)
        choices.uses("method of a sub")

        def run(env: Env) -> None:
            given = [argument.value(env) for argument in arguments]
            env.vars[name] = called(env, f"{env.path}{sub.name}.", given)

        text = f"let {name} = {sub.name}.{method.name}({', '.join(texts)})"
        return [Stmt((text,), run)], [made]

    return make


def _over_array(
    values: Values, sub: Sub, method: Function, arguments: list[E], made: Var, called: n.Any
) -> tuple[list[Stmt], list[Var]]:
    choices, scope = values.c, values.s
    count = sub.count or 0
    same = [
        at
        for at, argument in enumerate(arguments)
        if argument.dtype == made.dtype and argument.shape == made.shape
    ]
    texts = [argument.text for argument in arguments]
    if not same or (count and choices.chance(3)):
        if not count:
            raise Unwanted("no element")
        choices.uses("element of a structural array")
        at = choices.below(count)

        def one(env: Env) -> None:
            given = [argument.value(env) for argument in arguments]
            env.vars[made.name] = called(env, f"{env.path}{sub.name}.{at}.", given)

        text = f"let {made.name} = {sub.name}[{at}].{method.name}({', '.join(texts)})"
        return [Stmt((text,), one)], [made]
    choices.uses("static for over subs")
    place = choices.pick(same)
    element = scope.fresh("e")

    def run(env: Env) -> None:
        env.vars[made.name] = arguments[place].value(env)
        for path in paths(sub, env.path):
            given = [argument.value(env) for argument in arguments]
            given[place] = env.vars[made.name]
            env.vars[made.name] = called(env, path, given)

    first = texts[place]
    texts[place] = made.name
    lines = (
        f"var {made.name} = {first}",
        f"static for {element} in {sub.name} {{",
        f"    {made.name} = {element}.{method.name}({', '.join(texts)})",
        "}",
    )
    return [Stmt(lines, run)], [made]


def _optional_sub(
    values: Values, sub: Sub, method: Function, arguments: list[E], made: Var, called: n.Any
) -> tuple[list[Stmt], list[Var]]:
    values.c.uses("optional sub")
    other = values.value(made.dtype, made.shape, 1)
    texts = [argument.text for argument in arguments]
    element = values.s.fresh("e")

    def run(env: Env) -> None:
        path = f"{env.path}{sub.name}."
        required = [m for m in sub.block.members if m.kind != "state" and not m.optional]
        if any(f"{path}{member.name}" not in env.store for member in required):
            env.vars[made.name] = other.value(env)
            return
        given = [argument.value(env) for argument in arguments]
        env.vars[made.name] = called(env, path, given)

    lines = (
        f"let {made.name} = match {sub.name} {{",
        f"    some({element}) => {element}.{method.name}({', '.join(texts)})",
        f"    none => {other.text}",
        "}",
    )
    return [Stmt(lines, run)], [made]
