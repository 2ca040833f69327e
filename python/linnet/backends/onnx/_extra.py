"""Imported first: without the extra, importing the room is one clear error."""

from linnet.errors import CapabilityError

try:
    import onnx
    import onnxruntime  # noqa: F401  # pyright: ignore[reportMissingTypeStubs, reportUnusedImport]
except ImportError as error:
    raise CapabilityError(
        "ONNX needs the packages onnx and onnxruntime", "pip install 'linnet-mlir[onnx]'"
    ) from error

VERSION = onnx.__version__
