"""The groups of codes, as lists and the documentation show them."""

from collections.abc import Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Final

from linnet.diagnostics import CODES

_TITLES: Final = {
    "E10": "Characters, words and numbers",
    "E11": "Syntax",
    "E12": "Modules and names",
    "E21": "Types, values and statements",
    "E22": "Shapes and dimensions",
    "E31": "Index notation",
    "E41": "Members of blocks",
    "E50": "Packages",
    "W10": "Lints",
}


def groups() -> Mapping[str, tuple[str, ...]]:
    """The codes of each group by its title, in the order of the table."""
    found = groupby(CODES, key=lambda code: _TITLES[code[:3]])
    return MappingProxyType({title: tuple(codes) for title, codes in found})
