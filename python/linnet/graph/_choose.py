"""Which block and which entry of a program a graph is of."""

from linnet.checker import Block, Function, TypedProgram
from linnet.errors import UsageError, unknown_name


def _entries(program: TypedProgram) -> list[Function]:
    """The entries of the program's own module, as they are written."""
    found = [
        function
        for function in program.bodies
        if function.module == program.root
        and function.role == "function"
        and function.kind == "entry"
    ]
    return sorted(found, key=lambda function: function.syntax.span.start)


def entry_names(program: TypedProgram, root: str | None = None) -> tuple[str, ...]:
    """The entries of the root block, in order of declaration; UsageError as for `graph_of`."""
    block = _root(program, root)
    return tuple(each.name for each in _entries(program) if each.block is block)


def root_name(program: TypedProgram, root: str | None = None) -> str:
    """The full name of the root block, "" for a program whose entries are in no block."""
    block = _root(program, root)
    return block.symbol if block is not None else ""


def choose_entry(program: TypedProgram, root: str | None, entry: str | None) -> Function:
    """The entry of a root block, by default `forward` or the first one.

    UsageError for an unknown name, and where no block or more than one could be the root.
    """
    block = _root(program, root)
    found = {each.name: each for each in _entries(program) if each.block is block}
    if entry is None:
        entry = "forward" if "forward" in found else next(iter(found))
    if entry not in found:
        raise unknown_name("no entry", entry, list(found), "entries")
    return found[entry]


def _root(program: TypedProgram, asked: str | None) -> Block | None:
    """The block, or None for a program whose entries are in no block."""
    blocks = list(dict.fromkeys(each.block for each in _entries(program)))
    named = [block for block in blocks if block is not None]
    if asked is not None:
        fits = [block for block in named if asked in (block.name, block.symbol)]
        if len(fits) != 1:
            names = [block.name for block in named]
            raise unknown_name("no root block", asked, names, "blocks with entries")
        return fits[0]
    if not blocks:
        raise UsageError("the program has no entry", "declare an `entry` to draw")
    if len(blocks) > 1:
        known = ", ".join(f"`{block.name}`" for block in named)
        raise UsageError(f"several blocks have entries: {known}", "name one with --root")
    return blocks[0]
