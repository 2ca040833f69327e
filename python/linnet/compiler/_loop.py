"""The loop that generates tokens, written in Linnet and added to a program.

A block with an entry `decode(token, pos)` gets an entry `generate`, which calls it again and again
without coming back to the host. The compiler proves and lowers it like what the user wrote, so
every backend has it. Its text is a file of its own, and a program that does not take it stays as
it was: no diagnostic is about code that the user did not write.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from linnet.source import SourceFile
from linnet.syntax import (
    Block,
    Function,
    LoadedModule,
    Module,
    NamedType,
    Program,
    TensorType,
    load_beside,
    show,
)

LOOP_ENTRY = "generate"
# The most tokens of one call, and the most tokens that end a row on the device.
CHUNK, STOPS = 32, 8

_FILE = "linnet.generate"
_TEMPLATE = """module linnet.generate

use std.nn.sampling::{{sample as {sample}}}

block Root {{
    entry generate(
        token: Tensor[{rows}, 1; i32],
        pos: i32,
        key: Tensor[2; i64],
        temperature: f32,
        top_k: i32,
        top_p: f32,
        stop: Tensor[{stops}; i32],
        active: Tensor[{rows}; bool],
        count: i32,
    ) -> (Tensor[{rows}, {chunk}; i32], i32) {{
        let last = min(count, {chunk})
        let places = iota<i32>({chunk})
        var made = fill<i32>([{rows}, {chunk}], 0)
        var now = token
        var going = active
        var step: i32 = 0
        var at = pos
        while step < last && (any[b] going[b]) {{
            let chosen = {sample}(decode(now, at), key, at + 1, temperature, top_k, top_p)
            let next[b] = select(going[b], chosen[b], now[b, 0])
            let longer[b, n] = select(places[n] == step, next[b], made[b, n])
            let still[b] = going[b] && !(any[s] next[b] == stop[s])
            made = longer
            now = reshape(next, [{rows}, 1])
            going = still
            step = step + 1
            at = at + 1
        }}
        return (made, step)
    }}
}}
"""
_WORD = re.compile(r"[A-Za-z_]\w*")
# An expression of the user's must mean no name that the template binds.
_BOUND = frozenset(_WORD.findall(_TEMPLATE.format(rows="", sample="", chunk="", stops="")))


@dataclass(frozen=True, slots=True)
class Looped:
    """A program, the blocks that got the entry, and why others with a `decode` got none."""

    program: Program
    added: tuple[str, ...]
    refused: Mapping[str, str]


def with_loops(program: Program) -> Looped:
    """Add the entry to each block of the program's file that can have it."""
    root = program.root
    refused: dict[str, str] = {}
    if root is None or not program.is_complete:
        return Looped(program, (), refused)
    added: list[str] = []
    sample = "sample"
    taken = set(_WORD.findall(root.source.text))
    while sample in taken:
        sample += "_"
    for item in root.tree.items:
        if not isinstance(item, Block) or _entry(item) is None:
            continue
        rows = _rows(item, root.tree)
        if not isinstance(rows, _Rows):
            refused[item.name.text] = rows
            continue
        text = _TEMPLATE.format(rows=rows.text, sample=sample, chunk=CHUNK, stops=STOPS)
        grown = _grafted(program, item.name.text, SourceFile(_FILE, text))
        if grown is None:
            refused[item.name.text] = "`std` has no module `std.nn.sampling`"
            continue
        program = grown
        added.append(item.name.text)
    return Looped(program, tuple(added), refused)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The dimension, as written, that counts the rows of `token`."""

    text: str


def _entry(block: Block) -> Function | None:
    for member in block.members:
        if isinstance(member, Function) and member.kind == "entry" and member.name.text == "decode":
            return member
    return None


def _rows(block: Block, module: Module) -> _Rows | str:
    """Return the rows of a fitting `decode`, or what does not fit."""
    decode = _entry(block)
    assert decode is not None
    names = [param.name.text for param in decode.params]
    if decode.generics or names != ["token", "pos"]:
        return "`decode` is not `decode(token, pos)` without generics"
    token, pos = (param.type for param in decode.params)
    if not (isinstance(token, TensorType) and show(token.dtype) == "i32"):
        return "`token` of `decode` is no `Tensor[…, 1; i32]`"
    if len(token.shape) != 2 or show(token.shape[1]) != "1":
        return "`token` of `decode` is no `Tensor[…, 1; i32]`"
    if not (isinstance(pos, NamedType) and show(pos) == "i32"):
        return "`pos` of `decode` is no `i32`"
    named = {*(m.name.text for m in block.members), *(g.name.text for g in block.generics)}
    if LOOP_ENTRY in named:
        return f"it has a `{LOOP_ENTRY}` of its own"
    if any(not isinstance(item, Block) and item.name.text == LOOP_ENTRY for item in module.items):
        return f"its file has a `{LOOP_ENTRY}` of its own"
    rows = show(token.shape[0])
    if _BOUND & set(_WORD.findall(rows)):
        return f"the rows `{rows}` of `token` have a name that the loop uses"
    return _Rows(rows)


def _grafted(program: Program, name: str, source: SourceFile) -> Program | None:
    """The program with the entry of a template at the end of a block, and what it imports."""
    beside = load_beside(program, source)
    root, added = program.root, beside.root
    assert root is not None
    if added is None or not beside.is_complete:
        return None  # A `std` of the user's own may lack the module.
    (template,) = added.tree.items
    assert isinstance(template, Block)
    items = tuple(
        replace(item, members=(*item.members, *template.members))
        if isinstance(item, Block) and item.name.text == name
        else item
        for item in root.tree.items
    )
    uses = (
        root.tree.uses if _imports(root.tree, added.tree) else (*root.tree.uses, *added.tree.uses)
    )
    tree = replace(root.tree, items=items, uses=uses)
    grown = LoadedModule(root.name, tree, {**root.targets, **added.targets})
    others = tuple(each for each in beside.modules if each is not root and each is not added)
    return replace(program, root=grown, modules=(*others, grown))


def _imports(tree: Module, added: Module) -> bool:
    """Whether an earlier graft brought the imports already."""
    have = {show(use) for use in tree.uses if use.span.file.path == _FILE}
    return all(show(use) in have for use in added.uses)
