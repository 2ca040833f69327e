"""PyTorch: programs as its source, and its modules as programs.

`linnet.torch.export_linnet(module, examples)` needs `pip install 'linnet-mlir[torch]'`.
"""

from linnet.backends.torch import (
    Exported,
    TorchModel,
    TorchSource,
    build,
    export_linnet,
    torch_source,
)

__all__ = ["Exported", "TorchModel", "TorchSource", "build", "export_linnet", "torch_source"]
