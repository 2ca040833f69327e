"""The pages of docs/generated/std/ and their index, from the sources of `std`.

An item's page shows its signature as it stands in the source, the `///` comment above it, and the
module's example program (docs/std/), which the tests check and run.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from linnet.source import SourceFile  # noqa: E402
from linnet.syntax import Block, Const, Function, Item, Module, parse  # noqa: E402

STD = ROOT / "python" / "linnet" / "std"
EXAMPLES = ROOT / "docs" / "std"
_DOC = "///"


def std_docs() -> dict[str, str]:
    """Each page by its path below docs/generated/."""
    modules = {name_of(path): path for path in sorted(STD.rglob("*.linnet"))}
    pages = {f"std/{name}.md": "\n".join(_page(name, path)) for name, path in modules.items()}
    return {"std.md": "\n".join(_index(modules)), **pages}


def name_of(path: Path) -> str:
    """`std.nn.linear` for `…/std/nn/linear.linnet`."""
    return ".".join(("std", *path.relative_to(STD).with_suffix("").parts))


def example_of(name: str) -> Path:
    """The example program of a module: docs/std/nn.linear.linnet for `std.nn.linear`."""
    return EXAMPLES / f"{name.removeprefix('std.')}.linnet"


def read(path: Path) -> tuple[str, Module]:
    """A source and its tree."""
    text = path.read_text(encoding="utf-8")
    tree = parse(SourceFile(str(path), text)).tree
    if tree is None:
        sys.exit(f"build_docs: {path} does not parse")
    return text, tree


def public(tree: Module) -> Iterator[Item]:
    """The items that programs may import."""
    yield from (item for item in tree.items if item.public)


def signature(text: str, item: Item) -> str:
    """The declaration as it stands in the source; of functions without their bodies."""
    match item:
        case Function():
            return text[item.span.start : item.body.span.start].rstrip()
        case Block():
            kept, at = "", item.span.start
            for member in item.members:
                if isinstance(member, Function):
                    kept += text[at : member.body.span.start].rstrip()
                    at = member.body.span.end
            return kept + text[at : item.span.end]
        case _:
            return text[item.span.start : item.span.end]


def comment(text: str, item: Item) -> list[str]:
    """The paragraphs of the `///` lines right above an item."""
    above = text[: item.span.start].rstrip("\n").split("\n")
    lines: list[str] = []
    while above and above[-1].startswith(_DOC):
        lines.insert(0, above.pop().removeprefix(_DOC).strip())
    return "\n".join(lines).split("\n\n") if lines else []


def _index(modules: dict[str, Path]) -> Iterator[str]:
    yield "# The standard library\n"
    yield "Every item is written in Linnet itself, under `python/linnet/std/`, and its body is its"
    yield "definition. Its tests compare each with NumPy on the reference, XLA and IREE.\n"
    yield "| Module | Items |\n| --- | --- |"
    for name, path in modules.items():
        names = ", ".join(f"`{item.name.text}`" for item in public(read(path)[1]))
        yield f"| [{name}](std/{name}.md) | {names} |"


def _page(name: str, path: Path) -> Iterator[str]:
    text, tree = read(path)
    yield f"# {name}\n"
    head = text[: text.index("module ")]
    yield "\n".join(line.removeprefix("//").strip() for line in head.splitlines()) + "\n"
    yield f"Source: [`{path.relative_to(ROOT)}`](../../../{path.relative_to(ROOT)})\n"
    for item in public(tree):
        kind = "const" if isinstance(item, Const) else _kind(item)
        yield f"## {kind} `{item.name.text}`\n"
        yield f"```linnet\n{signature(text, item)}\n```\n"
        paragraphs = comment(text, item)
        if not paragraphs:
            sys.exit(f"build_docs: `{item.name.text}` of {path} has no `///` comment")
        yield "\n\n".join(paragraphs) + "\n"
    example = example_of(name)
    lead, _, program = example.read_text(encoding="utf-8").partition("\n")
    yield "## A program\n"
    yield f"{lead.removeprefix('//').strip()} [`{example.name}`](../../std/{example.name}):\n"
    yield f"```linnet\n{program.strip()}\n```"


def _kind(item: Item) -> str:
    return item.kind if isinstance(item, Function) else type(item).__name__.lower()
