"""GGUF files for llama.cpp: `linnet.gguf.export(model, "model.gguf", dtype="q8_0")`."""

from linnet.export import GgufExport
from linnet.export import export_gguf as export

__all__ = ["GgufExport", "export"]
