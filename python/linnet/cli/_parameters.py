"""`linnet inspect --parameters`: the paths that weights are matched by."""

import json

import click

from linnet.checker import (
    Block,
    ParameterPath,
    TypedProgram,
    check,
    parameter_paths,
)
from linnet.diagnostics import JsonValue
from linnet.errors import ProgramError, UsageError, unknown_name
from linnet.syntax import Program, show_generics


def list_parameters(program: Program, root: str | None, as_json: bool) -> None:
    """Print the manifest of a root block, in its own generics.

    ProgramError for a program with errors; UsageError where no block, or more than one, could
    be the root.
    """
    checked = check(program)
    if checked.program is None:
        raise ProgramError(checked.diagnostics)
    block = _root(checked.program, root)
    paths = parameter_paths(checked.program, block)
    if as_json:
        found = {
            "version": 1,
            "root": block.symbol,
            "generics": {generic.name: str(generic.kind) for generic in block.generics},
            "parameters": [_as_json(path) for path in paths],
        }
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        head = f"{block.symbol}{show_generics(block.syntax.generics)}"
        click.echo("\n".join([head, *(f"  {_line(path)}" for path in paths)]))


def _root(program: TypedProgram, asked: str | None) -> Block:
    blocks = list(program.blocks.values())
    if asked is not None:
        named = [block for block in blocks if asked in (block.name, block.symbol)]
        if len(named) == 1:
            return named[0]
        if named:
            symbols = ", ".join(f"`{block.symbol}`" for block in named)
            raise UsageError(f"several blocks are called `{asked}`", f"they are {symbols}")
        names = [block.name for block in blocks]
        raise unknown_name("no block", asked, names, "blocks of the program")
    roots = [block for block in blocks if block.module == program.root and _has_entry(block)]
    if len(roots) == 1:
        return roots[0]
    if roots:
        known = ", ".join(f"`{block.name}`" for block in roots)
        raise UsageError(f"several blocks have entries: {known}", "name one with --root")
    raise UsageError("no block of the program has an entry", "name a block with --root")


def _has_entry(block: Block) -> bool:
    return any(method.kind == "entry" for method in block.methods.values())


def _line(path: ParameterPath) -> str:
    type_ = f"Tensor[{', '.join(path.shape)}; {path.dtype}]" if path.shape else path.dtype
    where = "".join(f" for {name} in 0..{length}" for name, length in path.positions)
    return f"{path.kind} {path.path}: {type_}{'?' if path.optional else ''}{where}"


def _as_json(path: ParameterPath) -> dict[str, JsonValue]:
    return {
        "path": path.path,
        "kind": path.kind,
        "shape": list(path.shape),
        "dtype": path.dtype,
        "optional": path.optional,
        "positions": dict(path.positions),
    }
