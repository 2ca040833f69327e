"""What entries declare, in the program's own symbols: roots, generics, inputs.

Read from the GENERIC module; used to choose a root, and to find the sizes of a call's generics
from the shapes of its inputs.
"""

import re
from dataclasses import dataclass

from linnet.compiler._types import parse_shape
from linnet.errors import UsageError, unknown_name
from linnet.mlir import ir

_GENERIC = re.compile(r"#linnet\.generic<(\*?)(\w+): (\w+)(?: = .*)?>")
_ENTRY = 2


@dataclass(frozen=True, slots=True)
class DeclaredInput:
    """An input: its dims as written (`S`, `*S`, `3 * H`), its element (`f32` or `T: Float`)."""

    name: str
    dims: tuple[str, ...]
    dtype: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """An entry. `root` is the full name of its block, or None for one of a module.

    `generics` are its own, `root_generics` its root's: name to kind (`Dim`, `Shape` or a dtype
    class).
    """

    name: str
    root: str | None
    generics: dict[str, str]
    root_generics: dict[str, str]
    inputs: tuple[DeclaredInput, ...]


def declared_entries(module: ir.Module) -> list[Declared]:
    """Return every entry of a GENERIC module, those of blocks with their root."""
    found: list[Declared] = []
    for view in module.body.operations:
        op = view.operation
        if op.name == "linnet.block":
            root = ir.StringAttr(op.attributes["sym_name"]).value
            for inner in op.regions[0].blocks[0].operations:
                found += _entry(inner.operation, root, _generics(op))
        else:
            found += _entry(op, None, {})
    return found


def _generics(op: ir.Operation) -> dict[str, str]:
    generics: dict[str, str] = {}
    if "generics" in op.attributes:
        for item in ir.ArrayAttr(op.attributes["generics"]):
            parsed = _GENERIC.fullmatch(str(item))
            if parsed is None:
                raise ValueError(f"no generic: {item}")
            generics[parsed[2]] = parsed[3]
    return generics


def _entry(op: ir.Operation, root: str | None, root_generics: dict[str, str]) -> list[Declared]:
    if op.name != "linnet.func" or ir.IntegerAttr(op.attributes["kind"]).value != _ENTRY:
        return []
    name = ir.StringAttr(op.attributes["sym_name"]).value
    inputs: list[DeclaredInput] = []
    attributes = ir.ArrayAttr(op.attributes["arg_attrs"]) if "arg_attrs" in op.attributes else ()
    for argument, item in zip(op.regions[0].blocks[0].arguments, attributes, strict=True):
        fields = {named.name: named.attr for named in ir.DictAttr(item)}
        called = ir.StringAttr(fields["linnet.name"]).value
        shape = parse_shape(str(argument.type))
        if shape is not None:
            dims, dtype, optional = shape
            inputs.append(DeclaredInput(called, tuple(dims), dtype, optional))
    short = name.rpartition("::")[2]
    return [Declared(short, root, _generics(op), root_generics, tuple(inputs))]


def choose_root(entries: list[Declared], asked: str | None) -> str | None:
    """Return the root block's full name, or None for a module's own entries.

    UsageError for an unknown root, for none that is the only one, and for a program without
    entries.
    """
    roots = list(dict.fromkeys(entry.root for entry in entries if entry.root is not None))
    known = ", ".join(f"`{root.rpartition('::')[2]}`" for root in roots)
    if asked is not None:
        fits = [root for root in roots if asked in (root, root.rpartition("::")[2])]
        if len(fits) != 1:
            short = [root.rpartition("::")[2] for root in roots]
            raise unknown_name("no root block", asked, short, "blocks with entries")
        return fits[0]
    if len(roots) == 1 and all(entry.root for entry in entries):
        return roots[0]
    if not entries:
        raise UsageError("the program has no entries", "declare an `entry` to compile")
    if roots and not any(entry.root is None for entry in entries):
        raise UsageError(f"several blocks have entries: {known}", "name one with --root")
    return roots[0] if len(roots) == 1 and not any(e.root is None for e in entries) else None
