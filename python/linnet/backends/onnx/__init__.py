"""CORE to ONNX, and ONNX Runtime to run it."""

# First, to say what is missing.
import linnet.backends.onnx._extra  # noqa: F401  # pyright: ignore[reportUnusedImport]

# isort: split
from linnet.backends.onnx._build import DEFAULT_OPSET, OPSETS, Model, Options, Place, build_model
from linnet.backends.onnx._dtypes import Kernels
from linnet.backends.onnx._loader import OnnxBuilt, build
from linnet.backends.onnx._read import Read, read_models
from linnet.backends.onnx._scan import scan
from linnet.backends.onnx._session import (
    PROVIDERS,
    OnnxInstance,
    chosen_providers,
    runs_on_gpu,
)
from linnet.backends.onnx._write import Written, check_folder, write_models

__all__ = [
    "DEFAULT_OPSET",
    "OPSETS",
    "PROVIDERS",
    "Kernels",
    "Model",
    "OnnxBuilt",
    "OnnxInstance",
    "Options",
    "Place",
    "Read",
    "Written",
    "build",
    "build_model",
    "check_folder",
    "chosen_providers",
    "read_models",
    "runs_on_gpu",
    "scan",
    "write_models",
]
