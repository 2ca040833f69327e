"""The dialect's attributes in Python: what is built reads back, and mistakes are `ValueError`s."""

from collections.abc import Iterator

import pytest

from linnet.mlir import ir
from linnet.mlir.dialects import linnet


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    with ir.Context(), ir.Location.unknown():
        yield


def test_a_dim_reads_back() -> None:
    dim = linnet.DimAttr.get(3 * linnet.Dim.symbol("H"))
    assert str(dim) == "#linnet.dim<3 * H>"
    assert dim.value == 3 * linnet.Dim.symbol("H")


def test_a_constraint_reads_back() -> None:
    constraint = linnet.ConstraintAttr.get(linnet.Constraint.parse("H % Heads == 0"))
    assert str(constraint) == '#linnet.constraint<"H % Heads == 0">'
    assert constraint.value == linnet.Constraint.parse("H % Heads == 0")


def test_a_shape_reads_back() -> None:
    shape = linnet.ShapeAttr.get([linnet.Dim.symbol("A"), linnet.Pack("S"), 3])
    assert str(shape) == "#linnet.shape<[A, *S, 3]>"
    assert [str(element) for element in shape.elements] == ["A", "*S", "3"]


def test_a_generic_reads_back() -> None:
    generic = linnet.GenericAttr.get("T", "Float", ir.TypeAttr.get(ir.F32Type.get()))
    assert str(generic) == "#linnet.generic<T: Float = f32>"
    assert (generic.name, generic.kind) == ("T", "Float")
    assert generic.default == ir.TypeAttr.get(ir.F32Type.get())
    assert linnet.GenericAttr.get("S", "Shape").default is None


def test_generic_c1_a_default_is_of_its_kind() -> None:
    with pytest.raises(ValueError, match="the default of `N` is no Dim"):
        linnet.GenericAttr.get("N", "Dim", ir.TypeAttr.get(ir.F32Type.get()))


def test_generic_c2_a_default_is_in_its_class() -> None:
    with pytest.raises(ValueError, match="which is not in Float"):
        linnet.GenericAttr.get("T", "Float", ir.TypeAttr.get(ir.IntegerType.get_signless(8)))


def test_an_enumeration_builds_and_reads_an_op() -> None:
    module = ir.Module.parse("linnet.func op @f(%x: !linnet.tensor<[2], f32>) { linnet.return }")
    (func,) = module.body.operations
    assert isinstance(func, linnet.FuncOp)
    assert linnet.FuncKind(ir.IntegerAttr(func.kind).value) is linnet.FuncKind.Op
    block = func.body.blocks[0]
    with ir.InsertionPoint.at_block_begin(block):
        compared = linnet.compare(linnet.Predicate.Le, block.arguments[0], block.arguments[0])
    module.operation.verify()
    assert str(compared.type) == "!linnet.tensor<[2], i1>"
