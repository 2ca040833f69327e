"""The table's functions as ONNX models, checked by `onnx`'s checker and run by ONNX Runtime."""

import onnx

from linnet.backends.onnx import OnnxInstance, Options, build_model
from stablehlo._case import ALL
from stablehlo._evaluators import differences, table


def disagreements(dtype: str) -> str:
    """Run the table in a dtype; say what differs from the reference."""
    made = table(dtype)
    instance = OnnxInstance({})
    for name, family in made.families.items():
        model = build_model(family.function, Options())
        onnx.checker.check_model(model.proto, full_check=True)
        instance.add(name, model)
    return "\n".join(differences(made, instance.call, list(made.families)))


def refused(opset: int, kernels: str) -> str:
    """Say which ops `onnx`'s checker refuses, written at an opset for these kernels."""
    found: list[str] = []
    options = Options(opset, "gpu" if kernels == "gpu" else "cpu")
    for dtype in ALL if kernels == "cpu" else ("f16", "bf16"):
        for name, family in table(dtype).families.items():
            model = build_model(family.function, options)
            try:
                onnx.checker.check_model(model.proto, full_check=True)
            except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
                found.append(f"{name} {dtype}: {error}")
    return "\n".join(found)
