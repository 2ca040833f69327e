"""Exports: a nest as a checkpoint that other engines load."""

from linnet.export._gguf import GgufExport, export_gguf
from linnet.export._hf import HfExport, export_hf
from linnet.export._llama import llama_python, llama_result

__all__ = [
    "GgufExport",
    "HfExport",
    "export_gguf",
    "export_hf",
    "llama_python",
    "llama_result",
]
