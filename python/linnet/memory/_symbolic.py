"""How many bytes weights and states take, in the symbols of the program.

Pure: reads the typed program. Exact, since a declared shape is all that decides them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from linnet.checker import Block, Dim, Dtype, ParameterPath, TypedProgram, parameter_paths
from linnet.errors import UsageError
from linnet.signature import numpy_dtype


@dataclass(frozen=True, slots=True)
class Declared:
    """Bytes of a root block's weights (params and buffers) and states; `optional` where some of
    the weights are, which are then counted or not as was asked."""

    weights: Dim
    states: Dim
    optional: bool


def declared_bytes(
    program: TypedProgram, root: Block, bound: Mapping[str, object], with_optional: bool
) -> Declared:
    """Return the sizes of a root's members.

    A dtype variable is what `bound` or its default says; UsageError where neither does.
    """
    dtypes = _dtypes(root, bound)
    paths = parameter_paths(program, root)
    counted = [path for path in paths if with_optional or not path.optional]
    weights, states = Dim.constant(0), Dim.constant(0)
    for path in counted:
        size = _bytes(path, dtypes)
        if path.kind == "state":
            states = states + size
        else:
            weights = weights + size
    return Declared(weights, states, any(path.optional for path in paths))


def _bytes(path: ParameterPath, dtypes: Mapping[str, str]) -> Dim:
    size = Dim.constant(1)
    for length in (*(length for _, length in path.positions), *path.shape):
        size = size * (Dim.pack(length[1:]) if length.startswith("*") else Dim.parse(length))
    return size * width(dtypes.get(path.dtype, path.dtype))


def width(dtype: str) -> int:
    """Return the bytes of one element. UsageError for what is no dtype."""
    try:
        return numpy_dtype(dtype).itemsize
    except KeyError:
        raise UsageError(f"`{dtype}` is no dtype", "write --bind T=f32, or another dtype") from None


def _dtypes(root: Block, bound: Mapping[str, object]) -> dict[str, str]:
    """What the dtype variables of a block stand for."""
    found: dict[str, str] = {}
    for generic in root.generics:
        if generic.kind in ("Dim", "Shape"):
            continue
        value = bound.get(generic.name, generic.default)
        if value is None:
            raise UsageError(
                f"`{generic.name}` decides the sizes", f"add --bind {generic.name}=f32"
            )
        name = value.name if isinstance(value, Dtype) else str(value)
        found[generic.name] = found[generic.symbol] = name
    return found
