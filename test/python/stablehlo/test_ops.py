"""Every CORE op in every dtype on StableHLO's own interpreter: our lowering means what it should.

XLA and IREE compile the same text, in files of their own since their compilers take the time. All
agree with the reference, to the last bit where the language leaves no choice.
"""

import pytest

from linnet.core import Region
from linnet.stablehlo._elementwise import ELEMENTWISE
from linnet.stablehlo._structured import STRUCTURED
from stablehlo._case import ALL
from stablehlo._evaluators import disagreements, table


@pytest.mark.parametrize("dtype", ALL)
def test_the_interpreter_agrees_with_the_reference(dtype: str) -> None:
    assert disagreements("interpreter", dtype) == ""


def test_the_table_holds_every_op() -> None:
    """Those that StableHLO is built from, and each of its reductions and predicates."""
    ops: set[str] = set()

    def walk(region: Region) -> None:
        for op in region.ops:
            ops.add(op.name)
            for key in ("kind", "predicate"):
                if key in op.attributes:
                    ops.add(str(op.attributes[key]))
            for inner in op.regions:
                walk(inner)

    for dtype in ALL:
        for function in table(dtype).core.functions.values():
            walk(function.body)
    control = {"if", "while", "return", "yield", "condition"}
    reductions = {"sum", "prod", "max", "min", "any", "all"}
    predicates = {"eq", "ne", "lt", "le", "gt", "ge"}
    # Only functions with open sizes hold it: `runtime/test_open_sizes.py`.
    structured = set(STRUCTURED) - {"dim_constant"}
    assert ops == set(ELEMENTWISE) | structured | control | reductions | predicates
