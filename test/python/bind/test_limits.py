"""`linnet-bind` on programs too large to write by hand: an error, never a crash."""

import pytest

from linnet.mlir import ir
from linnet.mlir.passmanager import PassManager


def bind(text: str) -> None:
    with ir.Context():
        module = ir.Module.parse(text)
        PassManager.parse("builtin.module(linnet-bind)").run(module.operation)


def chain(depth: int, calls: int) -> str:
    """`depth` functions, each of which calls the next one `calls` times."""
    functions = ['linnet.func fn @"m::f0"() { linnet.return }']
    for i in range(1, depth + 1):
        kind = "entry" if i == depth else "fn"
        body = f'linnet.call @"m::f{i - 1}"() : () -> ()\n' * calls
        functions.append(f'linnet.func {kind} @"m::f{i}"() {{\n{body}linnet.return\n}}')
    return "\n".join(functions)


def test_calls_may_nest_hundreds_deep() -> None:
    bind(chain(depth=400, calls=1))


def test_calls_that_nest_deeper_are_refused() -> None:
    with pytest.raises(ir.MLIRError, match=r"\[capability\] calls nest deeper than 400"):
        bind(chain(depth=401, calls=1))


def test_an_entry_that_explodes_is_refused() -> None:
    with pytest.raises(ir.MLIRError, match=r"\[capability\] the entry expands to more than"):
        bind(chain(depth=64, calls=2))
