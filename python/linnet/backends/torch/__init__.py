"""PyTorch: CORE as one readable file, that file as a model, and modules as programs.

Importing this needs no torch.
"""

from linnet.backends.torch._build import TorchModel, build, require_torch
from linnet.backends.torch._import import Exported, export_linnet
from linnet.backends.torch._source import TorchSource, torch_source

__all__ = [
    "Exported",
    "TorchModel",
    "TorchSource",
    "build",
    "export_linnet",
    "require_torch",
    "torch_source",
]
