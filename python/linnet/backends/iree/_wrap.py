"""One MLIR module out of several entries: weights and states become globals that all share.

Parameters are `flow.parameter` globals of the scope `model`, keyed by path, so that IREE packs
them once, when the module is loaded. A state is a mutable global without an initial value: equal
initial values make IREE 3.13 keep several states in one buffer, so each gets its own by a first
`clear`. The public functions are `call.N` (inputs -> results of function N), `get.N`, `set.N` and
`clear.N` (state N; zeros that are made here are copied nowhere, unlike a caller's). Booleans cross
these borders, and lie in globals, as i8: an `i1` of a caller next to a packed operand makes IREE
3.13 refuse its own code. Unsigned integers lie in globals, and cross the borders, as signless ones:
IREE loads no global of an unsigned type.

The text form is enough here; StableHLO's printer and IREE's parser are both ours to pin, and
IREE's compiler parses nothing else portable that can hold its own dialects.
"""

# pyright: reportUnknownMemberType=false

import json
from collections.abc import Sequence

from jaxlib.mlir import ir

from linnet.backends._instance import Module
from linnet.backends._portable import read_portable
from linnet.backends.iree._attention import call_attention
from linnet.backends.iree._blocks import DEEP, loop_depth, loops_to_blocks
from linnet.backends.iree._carried import keep_states_in_globals
from linnet.backends.iree._dynamic import lower_dynamic
from linnet.backends.iree._gathers import part_slices_from_gathers
from linnet.backends.iree._kernels import Kernels
from linnet.backends.iree._linear import call_linear
from linnet.backends.iree._merged import unmerge_products
from linnet.backends.iree._round import round_each_bf16
from linnet.backends.iree._unsigned import part_casts_from_products
from linnet.signature import Member, Signature, Value, bounds_of

_MLIR = {"bool": "i1", "u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64"}
_UNSIGNED = ("u8", "u16", "u32", "u64")
_Typed = Value | Member


def _tensor(value: _Typed) -> str:
    """Return the MLIR type within an entry, as in `tensor<2x3xui8>`."""
    dtype = _MLIR.get(value.dtype, value.dtype)
    sizes = (str(size) if isinstance(size, int) else "?" for size in value.shape)
    return f"tensor<{'x'.join([*sizes, dtype])}>"


def _outer(value: _Typed) -> str:
    """Return the type at the border and in globals."""
    if value.dtype == "bool":
        return _tensor(value).replace("i1>", "i8>")
    return _tensor(value).replace("ui", "i")


def _enter(name: str, value: _Typed) -> tuple[list[str], str]:
    """Return the ops that turn `%name` of the outer type into the inner one, and its name."""
    outer = _outer(value)
    if value.dtype in _UNSIGNED:
        types = f"({outer}) -> {_tensor(value)}"
        return [f"  %{name}_is = stablehlo.bitcast_convert %{name} : {types}"], f"%{name}_is"
    if value.dtype != "bool":
        return [], f"%{name}"
    if "?" in outer:
        types = f"({outer}) -> {_tensor(value)}"
        return [f"  %{name}_is = stablehlo.convert %{name} : {types}"], f"%{name}_is"
    return [
        f"  %{name}_zero = stablehlo.constant dense<0> : {outer}",
        f"  %{name}_is = stablehlo.compare NE, %{name}, %{name}_zero : "
        f"({outer}, {outer}) -> {_tensor(value)}",
    ], f"%{name}_is"


def _leave(name: str, value: _Typed, number: int) -> tuple[list[str], str]:
    """Return the ops that turn an inner value into the outer type, and its name."""
    types = f"({_tensor(value)}) -> {_outer(value)}"
    if value.dtype in _UNSIGNED:
        return [f"  %left{number} = stablehlo.bitcast_convert {name} : {types}"], f"%left{number}"
    if value.dtype != "bool":
        return [], name
    return [f"  %left{number} = stablehlo.convert {name} : {types}"], f"%left{number}"


def _zero(value: _Typed) -> str:
    """Return the zero of an element at the border, with its type."""
    element = _outer(value).removeprefix("tensor<").removesuffix(">").rpartition("x")[2]
    return f"0 : {element}" if element.startswith("i") else f"0.0 : {element}"


def members(modules: Sequence[Module]) -> tuple[list[Member], list[Member]]:
    """Return all params and all states of the modules, each path once, in manifest order."""
    params = {p.path: p for module in modules for p in module.signature.params}
    states = {s.path: s for module in modules for s in module.signature.states}
    return list(params.values()), list(states.values())


def wrap(modules: Sequence[Module], *, other_loops: bool = False, objects: str = "") -> str:
    """Return the text of the module `@linnet`.

    `other_loops` writes each loop in the form that it would not have. `objects` is a file with
    kernels of our own to link; without, all code is IREE's.
    """
    kernels = Kernels() if objects else None
    params, states = members(modules)
    param_at = {member.path: index for index, member in enumerate(params)}
    state_at = {member.path: index for index, member in enumerate(states)}
    lines = ["module @linnet {"]
    for index, member in enumerate(params):
        key = f'#flow.parameter.named<"model"::{json.dumps(member.path)}>'
        lines.append(f"util.global private @param.{index} = {key} : {_outer(member)}")
    for index, member in enumerate(states):
        lines.append(f"util.global private mutable @state.{index} : {_outer(member)}")
    for index, module in enumerate(modules):
        text, moved = _imported(module, f"entry.{index}", state_at, other_loops, kernels)
        lines += [text, *_caller(module, index, param_at, state_at, moved)]
    for index, member in enumerate(states):
        type_ = _outer(member)
        lines += [
            f"func.func public @get.{index}() -> {type_} {{",
            f"  %0 = util.global.load @state.{index} : {type_}",
            f"  return %0 : {type_}",
            "}",
            f"func.func public @clear.{index}() {{",
            f"  %zero = arith.constant {_zero(member)}",
            f"  %0 = flow.tensor.splat %zero : {type_}",
            f"  util.global.store %0, @state.{index} : {type_}",
            "  return",
            "}",
            f"func.func public @set.{index}(%0: {type_}) {{",
            f"  util.global.store %0, @state.{index} : {type_}",
            "  return",
            "}",
        ]
    if kernels is not None:
        lines += kernels.lines(objects)
    return "\n".join([*lines, "}", ""])


def _caller(
    module: Module,
    index: int,
    param_at: dict[str, int],
    state_at: dict[str, int],
    moved: Sequence[str],
) -> list[str]:
    """Return the public function that passes the globals to an entry and stores its states.

    The entry has no arguments and results for the states that were `moved` into its loops.
    """
    signature = module.signature
    passed_states = [state for state in signature.states if state.path not in moved]
    body: list[str] = []
    passed: list[str] = []
    values: list[tuple[str, _Typed]] = [(f"in{i}", v) for i, v in enumerate(signature.inputs)]
    for kind, at, group in (
        ("param", param_at, signature.params),
        ("state", state_at, passed_states),
    ):
        for member in group:
            name = f"{kind}{at[member.path]}"
            symbol = f"@{kind}.{at[member.path]}"
            body.append(f"  %{name} = util.global.load {symbol} : {_outer(member)}")
            values.append((name, member))
    known = _sizes(signature)
    body += known
    for name, value in values:
        name, tied = _tie(name, value, signature)
        body += tied
        ops, inner = _enter(name, value)
        body += ops
        passed.append(inner)
    given: list[_Typed] = [*signature.results, *passed_states]
    names = [f"%out#{i}" for i in range(len(given))] if len(given) > 1 else ["%out"]
    bound = f"%out:{len(given)} = " if len(given) > 1 else "%out = " if given else ""
    takes = ", ".join(_tensor(value) for _, value in values)
    gives = ", ".join(_tensor(value) for value in given)
    body.append(f"  {bound}func.call @entry.{index}({', '.join(passed)}) : ({takes}) -> ({gives})")
    outer: list[str] = []
    for number, (name, value) in enumerate(zip(names, given, strict=False)):
        ops, left = _leave(name, value, number)
        body += ops
        outer.append(left)
    count = len(signature.results)
    for name, state in zip(outer[count:], passed_states, strict=True):
        body.append(f"  util.global.store {name}, @state.{state_at[state.path]} : {_outer(state)}")
    types = ", ".join(_outer(value) for value in signature.results)
    body.append(f"  return {', '.join(outer[:count])} : {types}" if count else "  return")
    arguments = ", ".join(f"%in{i}: {_outer(value)}" for i, value in enumerate(signature.inputs))
    return [f"func.func public @call.{index}({arguments}) -> ({types}) {{", *body, "}"]


def _sizes(signature: Signature) -> list[str]:
    """Return the ops that read each open size, and say what is known of it."""
    ops: list[str] = []
    for number, symbol in enumerate(signature.symbols):
        at, value = next(
            (at, value) for at, value in enumerate(signature.inputs) if symbol in value.shape
        )
        axis = value.shape.index(symbol)
        least, most = bounds_of(signature, symbol)
        ops += [
            f"  %axis{number} = arith.constant {axis} : index",
            f"  %dim{number} = tensor.dim %in{at}, %axis{number} : {_outer(value)}",
            f"  %size{number} = util.assume.int %dim{number}"
            f"<umin = {least}, umax = {most}> : index",
        ]
    return ops


def _tie(name: str, value: _Typed, signature: Signature) -> tuple[str, list[str]]:
    """Return the name and the ops of an input whose open axes are those sizes."""
    open_sizes = [size for size in value.shape if isinstance(size, str)]
    if not open_sizes or any(size not in signature.symbols for size in open_sizes):
        return name, []
    sizes = ", ".join(f"%size{signature.symbols.index(size)}" for size in open_sizes)
    type_ = _outer(value)
    return f"{name}_tied", [f"  %{name}_tied = flow.tensor.tie_shape %{name} : {type_}{{{sizes}}}"]


def _imported(
    module: Module,
    name: str,
    state_at: dict[str, int],
    other_loops: bool,
    kernels: Kernels | None,
) -> tuple[str, list[str]]:
    """Return the function of an entry as text, renamed, private and without attributes.

    With it the paths of the states that it keeps in their globals instead of taking and giving
    them.
    """
    context, _, main = read_portable(module.portable)
    with context, ir.Location.unknown():
        main.attributes["sym_name"] = ir.StringAttr.get(name)
        main.attributes["sym_visibility"] = ir.StringAttr.get("private")
        for noise in ("arg_attrs", "res_attrs"):
            if noise in main.attributes:
                del main.attributes[noise]
        if kernels is not None:
            first = len(module.signature.inputs)
            weights = range(first, first + len(module.signature.params))
            unmerge_products(main.operation)
            call_linear(main.operation, weights.__contains__, kernels)
            call_attention(main.operation, kernels)
        part_casts_from_products(main.operation)
        round_each_bf16(main.operation)
        context.allow_unregistered_dialects = True
        part_slices_from_gathers(main.operation)
        states = module.signature.states
        first = len(module.signature.inputs) + len(module.signature.params)
        gone = keep_states_in_globals(
            main.operation,
            {
                first + number: f"state.{state_at[state.path]}"
                for number, state in enumerate(states)
                if _outer(state) == _tensor(state)
            },
        )
        lower_dynamic(main.operation)
        depth = loop_depth(main.operation)
        if gone or (depth >= DEEP) != other_loops:
            loops_to_blocks(main.operation)
        return str(main), [states[number - first].path for number in gone]
