"""Conversion: published model directories to nest directories."""

from linnet.nest._convert._facts import Architecture, Constant, Facts, Family, Variant
from linnet.nest._convert._run import FAMILIES, Converted, convert
from linnet.nest._convert._source import packaged_source, read_constants, with_constants

__all__ = [
    "FAMILIES",
    "Architecture",
    "Constant",
    "Converted",
    "Facts",
    "Family",
    "Variant",
    "convert",
    "packaged_source",
    "read_constants",
    "with_constants",
]
