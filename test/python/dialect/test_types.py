"""The dialect's types in Python: what is built reads back, and mistakes are `ValueError`s."""

from collections.abc import Iterator

import pytest

from linnet.mlir import ir
from linnet.mlir.dialects import linnet


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    with ir.Context(), ir.Location.unknown():
        yield


def test_a_tensor_takes_dims_packs_and_integers() -> None:
    shape = [linnet.Dim.symbol("B"), linnet.Pack("S"), 3]
    tensor = linnet.TensorType.get(shape, ir.F32Type.get())
    assert str(tensor) == "!linnet.tensor<[B, *S, 3], f32>"
    assert tensor.shape == [linnet.Dim.symbol("B"), linnet.Pack("S"), linnet.Dim.constant(3)]
    assert (tensor.rank, tensor.is_static, tensor.has_packs) == (3, False, True)
    assert tensor.static_shape is None
    assert tensor.element_type == ir.F32Type.get()


def test_a_static_tensor_tells_its_sizes() -> None:
    tensor = linnet.TensorType.get([2, 3], ir.BF16Type.get())
    assert tensor.static_shape == [2, 3]
    assert linnet.TensorType.get([], ir.F64Type.get()).is_scalar


def test_equal_dims_make_equal_types() -> None:
    n = linnet.Dim.symbol("N")
    left = linnet.TensorType.get([n + n], ir.F32Type.get())
    assert left == linnet.TensorType.get([2 * n], ir.F32Type.get())


def test_a_dtype_variable_stands_for_the_element() -> None:
    variable = linnet.DtypeType.get("T", "Float")
    tensor = linnet.TensorType.get([4], variable)
    assert str(tensor) == "!linnet.tensor<[4], T: Float>"
    element = tensor.element_type
    assert isinstance(element, linnet.DtypeType)
    assert (element.name, element.dtype_class) == ("T", "Float")


def test_an_instance_lists_its_arguments() -> None:
    arguments = [
        linnet.DimAttr.get(3),
        linnet.ShapeAttr.get([linnet.Pack("S"), 2]),
        ir.TypeAttr.get(ir.F32Type.get()),
    ]
    instance = linnet.InstanceType.get("m::Block", arguments)
    assert str(instance) == '!linnet.instance<@"m::Block"<3, [*S, 2], f32>>'
    assert (instance.block, instance.arguments) == ("m::Block", arguments)
    array = linnet.ArrayType.get(instance, linnet.Dim.symbol("Layers"))
    assert array.instance == instance
    assert array.size == linnet.Dim.symbol("Layers")


def test_the_other_types_tell_what_they_hold() -> None:
    tensor = linnet.TensorType.get([4], ir.F32Type.get())
    assert linnet.OptionalType.get(tensor).value_type == tensor
    assert linnet.RefType.get(tensor).tensor == tensor
    assert linnet.EnumType.get("m::Mode").symbol == "m::Mode"
    assert linnet.IndexType.get([linnet.Pack("S"), 2]).extents == [
        linnet.Pack("S"),
        linnet.Dim.constant(2),
    ]


def test_a_value_has_a_type_of_our_class() -> None:
    module = ir.Module.parse("linnet.func fn @f(%x: !linnet.tensor<[2], f32>) {linnet.return}")
    (func,) = module.body.operations
    assert isinstance(func, linnet.FuncOp)
    (argument,) = func.body.blocks[0].arguments
    assert isinstance(argument.type, linnet.TensorType)


def test_tensor_c1_a_shape_holds_no_other_attribute() -> None:
    with pytest.raises(TypeError):
        linnet.TensorType.get(["N"], ir.F32Type.get())  # pyright: ignore[reportArgumentType]


def test_index_c1_an_extent_is_no_other_attribute() -> None:
    with pytest.raises(TypeError):
        linnet.IndexType.get(["N"])  # pyright: ignore[reportArgumentType]


def test_tensor_c2_an_element_is_a_dtype() -> None:
    with pytest.raises(ValueError, match="a tensor has no elements of type 'index'"):
        linnet.TensorType.get([2], ir.IndexType.get())


def test_tensor_c3_a_dimension_is_not_negative() -> None:
    with pytest.raises(ValueError, match="dimension -1 is negative"):
        linnet.TensorType.get([-1], ir.F32Type.get())


def test_optional_c1_holds_no_optional() -> None:
    inner = linnet.OptionalType.get(linnet.TensorType.get([], ir.F32Type.get()))
    with pytest.raises(ValueError, match="an optional holds no optional"):
        linnet.OptionalType.get(inner)


def test_instance_c1_an_argument_is_a_dim_a_shape_or_a_dtype() -> None:
    with pytest.raises(ValueError, match="a generic argument is a dim, a shape or a dtype"):
        linnet.InstanceType.get("b", [ir.StringAttr.get("N")])


def test_a_class_has_a_known_name() -> None:
    with pytest.raises(ValueError, match="DType, Numeric, Integer or Float"):
        linnet.DtypeType.get("T", "Complex")
