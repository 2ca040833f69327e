"""From CORE with its calls kept to functions, classes and methods, in a framework's words.

Nothing here knows a framework: `Framework` is what one says of itself.
"""

from linnet.outline._body import Body
from linnet.outline._classes import Class, Instance, Part
from linnet.outline._fold import folded, literal_text
from linnet.outline._framework import Framework
from linnet.outline._layout import broken, joined
from linnet.outline._load import load_text
from linnet.outline._names import python_name, snake
from linnet.outline._outline import Outline, outline
from linnet.outline._products import equation, ints, matmul
from linnet.outline._records import Occurrence, Param, Variant
from linnet.outline._text import (
    AND,
    ATOM,
    COMPARE,
    DEVICE,
    LOOSE,
    OR,
    PRODUCT,
    SHIFT,
    SUM,
    UNARY,
    XOR,
    Expr,
    hole,
    shown,
)
from linnet.outline._views import (
    bounded,
    index_text,
    inserted,
    list_text,
    literal_of,
    placed,
    range_text,
    selected,
    shape_text,
    size_less,
    size_text,
    together,
)

__all__ = [
    "AND",
    "ATOM",
    "COMPARE",
    "DEVICE",
    "LOOSE",
    "OR",
    "PRODUCT",
    "SHIFT",
    "SUM",
    "UNARY",
    "XOR",
    "Body",
    "Class",
    "Expr",
    "Framework",
    "Instance",
    "Occurrence",
    "Outline",
    "Param",
    "Part",
    "Variant",
    "bounded",
    "broken",
    "equation",
    "folded",
    "hole",
    "index_text",
    "inserted",
    "ints",
    "joined",
    "list_text",
    "literal_of",
    "literal_text",
    "load_text",
    "matmul",
    "outline",
    "placed",
    "python_name",
    "range_text",
    "selected",
    "shape_text",
    "shown",
    "size_less",
    "size_text",
    "snake",
    "together",
]
