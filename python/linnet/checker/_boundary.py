"""What may cross the boundary of an entry [FUN-5, LAT-3]."""

from linnet.checker._declared import Declared
from linnet.checker._types import (
    EnumType,
    ErrorType,
    InstanceArrayType,
    InstanceType,
    OptionalType,
    StructType,
    TensorType,
    TupleType,
    Type,
)


def crosses(declared: Declared, type_: Type, *, top: bool) -> bool:
    """Whether a type may cross an entry's boundary; `top` for a result, which may be several."""
    match type_:
        case TupleType(elements):
            return top and all(
                _flat(declared, element, ()) or crosses(declared, element, top=False)
                for element in elements
            )
        case OptionalType(inner):
            return not top and crosses(declared, inner, top=False)
        case EnumType() | InstanceType() | InstanceArrayType():
            return False
        case StructType():
            return top and _flat(declared, type_, ())
        case _:
            return True


def _flat(declared: Declared, type_: Type, around: tuple[str, ...]) -> bool:
    """Whether a struct result is tensors and scalars once all in it is flattened [LAT-3]."""
    match type_:
        case StructType(symbol):
            if symbol in around:
                return True  # A circle has its own problem.
            inner = (field.type for field in declared.struct_of(symbol).fields)
            return all(_flat(declared, one, (*around, symbol)) for one in inner)
        case TupleType(elements):
            return bool(around) and all(_flat(declared, one, around) for one in elements)
        case TensorType() | ErrorType():
            return True
        case _:
            return False
