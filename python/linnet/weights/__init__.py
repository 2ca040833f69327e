"""Weights: safetensors files and mappings of arrays, matched to a program's members by path."""

from typing import TYPE_CHECKING

from linnet._late import late
from linnet.weights._bind import Bound, bind_weights, listed
from linnet.weights._bindings import Bindings, read_bindings
from linnet.weights._open import Tensors, WeightsSource, open_weights, presence
from linnet.weights._resident import Reading, resident
from linnet.weights._safetensors import Tensor, header_size, read_header, read_safetensors
from linnet.weights._settle import Settling

if TYPE_CHECKING:
    from linnet.weights._gguf import Gguf, GgufTensor, GgufValue, read_gguf
    from linnet.weights._gguf_blocks import (
        GGUF_BLOCKS,
        BlockForm,
        Groups,
        block_groups,
        dequantise_blocks,
    )
    from linnet.weights._int4 import DEFAULT_GROUP, GROUPS, group_of
    from linnet.weights._narrow import Narrowed, narrow, widen
    from linnet.weights._quantise import Form, TensorReport, quantise
    from linnet.weights._write import Pending, write_safetensors
else:
    __getattr__ = late(
        __name__,
        {
            "_gguf": ("Gguf", "GgufTensor", "GgufValue", "read_gguf"),
            "_gguf_blocks": (
                "GGUF_BLOCKS",
                "BlockForm",
                "Groups",
                "block_groups",
                "dequantise_blocks",
            ),
            "_int4": ("DEFAULT_GROUP", "GROUPS", "group_of"),
            "_narrow": ("Narrowed", "narrow", "widen"),
            "_quantise": ("Form", "TensorReport", "quantise"),
            "_write": ("Pending", "write_safetensors"),
        },
    )

__all__ = [
    "DEFAULT_GROUP",
    "GGUF_BLOCKS",
    "GROUPS",
    "Bindings",
    "BlockForm",
    "Bound",
    "Form",
    "Gguf",
    "GgufTensor",
    "GgufValue",
    "Groups",
    "Narrowed",
    "Pending",
    "Reading",
    "Settling",
    "Tensor",
    "TensorReport",
    "Tensors",
    "WeightsSource",
    "bind_weights",
    "block_groups",
    "dequantise_blocks",
    "group_of",
    "header_size",
    "listed",
    "narrow",
    "open_weights",
    "presence",
    "quantise",
    "read_bindings",
    "read_gguf",
    "read_header",
    "read_safetensors",
    "resident",
    "widen",
    "write_safetensors",
]
