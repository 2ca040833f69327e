"""Exports: a nest as a checkpoint that other engines load."""

from linnet.export._hf import HfExport, export_hf

__all__ = ["HfExport", "export_hf"]
