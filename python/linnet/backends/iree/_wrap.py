"""One MLIR module out of several entries: weights and states become globals that all share.

Parameters are `flow.parameter` globals of the scope `model`, keyed by path, so that IREE packs
them once, when the module is loaded. A state is a mutable global without an initial value: equal
initial values make IREE 3.13 keep several states in one buffer, so each gets its own by a first
`set`. The public functions are `call.N` (inputs -> results of function N), `get.N` and `set.N`
(state N). The text form is enough here; StableHLO's printer and IREE's parser are both ours to
pin, and IREE's compiler parses nothing else portable that can hold its own dialects.
"""

# pyright: reportUnknownMemberType=false

import json
from collections.abc import Sequence

from jaxlib.mlir import ir

from linnet.backends._instance import Module
from linnet.backends._portable import read_portable
from linnet.signature import Member, Value

_MLIR = {"bool": "i1", "u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64"}


def tensor(value: Value | Member) -> str:
    """Return the MLIR type, as in `tensor<2x3xui8>`."""
    dtype = _MLIR.get(value.dtype, value.dtype)
    return f"tensor<{'x'.join([*map(str, value.shape), dtype])}>"


def members(modules: Sequence[Module]) -> tuple[list[Member], list[Member]]:
    """Return all params and all states of the modules, each path once, in manifest order."""
    params = {p.path: p for module in modules for p in module.signature.params}
    states = {s.path: s for module in modules for s in module.signature.states}
    return list(params.values()), list(states.values())


def wrap(modules: Sequence[Module]) -> str:
    """Return the text of the module `@linnet`."""
    params, states = members(modules)
    param_at = {member.path: index for index, member in enumerate(params)}
    state_at = {member.path: index for index, member in enumerate(states)}
    lines = ["module @linnet {"]
    for index, member in enumerate(params):
        key = f'#flow.parameter.named<"model"::{json.dumps(member.path)}>'
        lines.append(f"util.global private @param.{index} = {key} : {tensor(member)}")
    for index, member in enumerate(states):
        lines.append(f"util.global private mutable @state.{index} : {tensor(member)}")
    for index, module in enumerate(modules):
        lines += _imported(module.portable, f"entry.{index}")
        lines += _caller(module, index, param_at, state_at)
    for index, member in enumerate(states):
        type_ = tensor(member)
        lines += [
            f"func.func public @get.{index}() -> {type_} {{",
            f"  %0 = util.global.load @state.{index} : {type_}",
            f"  return %0 : {type_}",
            "}",
            f"func.func public @set.{index}(%0: {type_}) {{",
            f"  util.global.store %0, @state.{index} : {type_}",
            "  return",
            "}",
        ]
    return "\n".join([*lines, "}", ""])


def _caller(
    module: Module, index: int, param_at: dict[str, int], state_at: dict[str, int]
) -> list[str]:
    """Return the public function that passes the globals to an entry and stores its states."""
    signature = module.signature
    arguments = [f"%in{i}: {tensor(value)}" for i, value in enumerate(signature.inputs)]
    passed = [f"%in{i}" for i in range(len(arguments))]
    loads: list[str] = []
    loaded = [("param", param_at[m.path], m) for m in signature.params]
    loaded += [("state", state_at[m.path], m) for m in signature.states]
    for kind, number, member in loaded:
        loads.append(f"  %{kind}{number} = util.global.load @{kind}.{number} : {tensor(member)}")
        passed.append(f"%{kind}{number}")
    takes = [tensor(m) for m in (*signature.inputs, *signature.params, *signature.states)]
    gives = [tensor(m) for m in (*signature.results, *signature.states)]
    results = [tensor(value) for value in signature.results]
    names = [f"%out#{i}" if len(gives) > 1 else "%out" for i in range(len(gives))]
    bound = f"%out:{len(gives)} = " if gives else ""
    if len(gives) == 1:
        bound = "%out = "
    call = f"  {bound}func.call @entry.{index}({', '.join(passed)}) : "
    call += f"({', '.join(takes)}) -> ({', '.join(gives)})"
    stores = [
        f"  util.global.store {name}, @state.{state_at[m.path]} : {tensor(m)}"
        for name, m in zip(names[len(results) :], signature.states, strict=True)
    ]
    back = f"  return {', '.join(names[: len(results)])} : {', '.join(results)}"
    head = f"func.func public @call.{index}({', '.join(arguments)}) -> ({', '.join(results)}) {{"
    return [head, *loads, call, *stores, back if results else "  return", "}"]


def _imported(portable: bytes, name: str) -> list[str]:
    """Return the function of a portable artifact as text, renamed, private, without attributes."""
    context, _, main = read_portable(portable)
    with context, ir.Location.unknown():
        main.attributes["sym_name"] = ir.StringAttr.get(name)
        main.attributes["sym_visibility"] = ir.StringAttr.get("private")
        for noise in ("arg_attrs", "res_attrs"):
            if noise in main.attributes:
                del main.attributes[noise]
        return [str(main)]
