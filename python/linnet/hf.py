"""Checkpoints of the Hugging Face form: `linnet.hf.export(model, folder)`."""

from linnet.export import HfExport
from linnet.export import export_hf as export

__all__ = ["HfExport", "export"]
