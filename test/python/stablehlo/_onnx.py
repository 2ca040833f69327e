"""The table's functions as ONNX models, checked by `onnx`'s checker and run by ONNX Runtime."""

import onnx

from linnet.backends.onnx import OnnxInstance, Options, build_model
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
