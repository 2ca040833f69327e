"""Conversion: published model directories to nest directories."""

from linnet.nest._convert._facts import Architecture, Constant, Facts, Family, Variant
from linnet.nest._convert._folder import whole_folder
from linnet.nest._convert._gguf import llama3_factors
from linnet.nest._convert._gguf_layout import GGUF_ARCHITECTURES, gguf_form, to_gguf
from linnet.nest._convert._gguf_tokenizer import GGUF_PRES
from linnet.nest._convert._published import Published, published
from linnet.nest._convert._run import FAMILIES, PASSED_ON, Converted, convert
from linnet.nest._convert._source import packaged_source, read_constants, with_constants

__all__ = [
    "FAMILIES",
    "GGUF_ARCHITECTURES",
    "GGUF_PRES",
    "PASSED_ON",
    "Architecture",
    "Constant",
    "Converted",
    "Facts",
    "Family",
    "Published",
    "Variant",
    "convert",
    "gguf_form",
    "llama3_factors",
    "packaged_source",
    "published",
    "read_constants",
    "to_gguf",
    "whole_folder",
    "with_constants",
]
