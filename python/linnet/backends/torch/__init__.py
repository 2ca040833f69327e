"""PyTorch: CORE as one readable file, and that file as a model. Importing this needs no torch."""

from linnet.backends.torch._build import TorchModel, build, require_torch
from linnet.backends.torch._source import TorchSource, torch_source

__all__ = ["TorchModel", "TorchSource", "build", "require_torch", "torch_source"]
