"""`std` has the items of `signatures.txt`, exactly, and each has a numeric case."""

import importlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from linnet.checker import check
from linnet.source import SourceFile
from linnet.syntax import Block, Body, Function, Item, Module, load_program, parse, show
from std._cases import Cases
from std._precision import BF16, F32, emulated, exactly, once, product

HERE = Path(__file__).parent
STD = HERE.parents[2] / "python" / "linnet" / "std"


def parsed(text: str) -> Module:
    result = parse(SourceFile("signatures.linnet", text))
    assert result.tree is not None, result.diagnostics
    return result.tree


def wanted() -> dict[str, Module]:
    """The modules of `signatures.txt` by name."""
    text = (HERE / "signatures.txt").read_text(encoding="utf-8")
    trees = [parsed(part) for part in re.split(r"(?m)^(?=module )", text)[1:]]
    return {show(tree.path): tree for tree in trees}


def file_of(module: str) -> Path:
    return STD.joinpath(*module.split(".")[1:]).with_suffix(".linnet")


def without_body(item: Item) -> str:
    """The declaration in the printer's one form, methods included."""

    def bare(function: Function) -> Function:
        return replace(function, body=Body((), function.body.span))

    match item:
        case Function():
            return show(bare(item))
        case Block():
            members = tuple(bare(m) if isinstance(m, Function) else m for m in item.members)
            return show(replace(item, members=members))
        case _:
            return show(item)


def public(tree: Module) -> dict[str, str]:
    return {item.name.text: without_body(item) for item in tree.items if item.public}


WANTED = wanted()
ITEMS = {f"{module}::{item}" for module, tree in WANTED.items() for item in public(tree)}


def test_std_has_no_other_modules() -> None:
    found = {str(path.relative_to(STD)) for path in STD.rglob("*.linnet")}
    assert found == {str(file_of(module).relative_to(STD)) for module in WANTED}


@pytest.mark.parametrize("module", WANTED)
def test_every_signature_is_as_written_down(module: str) -> None:
    path = file_of(module)
    tree = parse(SourceFile(str(path), path.read_text(encoding="utf-8"))).tree
    assert tree is not None
    assert show(tree.path) == module
    assert public(tree) == public(WANTED[module])


@pytest.mark.parametrize("module", WANTED)
def test_the_checker_sees_the_same_names(module: str) -> None:
    """Names, kinds, order and defaults, as the typed program has them."""
    program = check(load_program(file_of(module))).program
    assert program is not None
    seen: dict[str, list[str]] = {}
    for function in program.bodies:
        if function.module == module and function.public:
            owner = "" if function.block is None else f"{function.block.name}."
            seen[owner + function.name] = [
                function.kind,
                *(f"{generic.name}: {generic.kind}" for generic in function.generics),
                *(param.name + (" = …" if param.has_default else "") for param in function.params),
                *(where.text for where in function.where),
            ]
    expected: dict[str, list[str]] = {}
    for item in WANTED[module].items:
        functions = item.members if isinstance(item, Block) else (item,)
        owner = f"{item.name.text}." if isinstance(item, Block) else ""
        for function in functions:
            if isinstance(function, Function):
                expected[owner + function.name.text] = [
                    function.kind,
                    *(f"{g.name.text}: {g.kind}" for g in function.generics),
                    *(p.name.text + (" = …" if p.default else "") for p in function.params),
                    *(show(constraint) for constraint in function.where),
                ]
    assert seen == expected


def test_every_item_has_a_numeric_case() -> None:
    tested: set[str] = set()
    for path in HERE.glob("test_*.py"):
        module = importlib.import_module(f"std.{path.stem}")
        for value in vars(module).values():
            if isinstance(value, Cases):
                tested |= value.items
    assert tested == ITEMS


def test_a_case_fails_on_what_is_out_of_reach() -> None:
    """The bounds above mean something: an ulp more, a NaN, another dtype or shape is refused."""
    ones = np.ones(3, np.float32)
    bounds = (
        (exactly(ones), np.array([1, 1, 1 + 2**-23], np.float32)),
        (once(F32, ones, steps=2), np.array([1, 1, 1 + 2**-22], np.float32)),
        (once(BF16, ones), BF16.of([1, 1, 1 + 2**-6])),
        (emulated(BF16, BF16.of(ones)), BF16.of([1, 1, 1 + 3 * 2**-7])),
        (product(F32, ones[None], ones[None]), np.array([[3 + 2**-19]], np.float32)),
        (once(F32, ones), np.array([1, 1, np.nan], np.float32)),
        (once(F32, ones * np.nan), ones),
        (once(F32, ones * np.inf), np.array([np.inf, np.inf, -np.inf], np.float32)),
        (exactly(ones), np.ones(3, np.float64)),
        (exactly(ones), np.ones((1, 3), np.float32)),
    )
    for expected, found in bounds:
        with pytest.raises(AssertionError):
            expected.check(found)
