"""How a model is loaded in each framework, and from the command line."""

import json
from collections.abc import Mapping

from linnet.pages._contents import Snippet


def snippets_of(
    name: str,
    root: str,
    entry: str,
    source: str,
    bound: Mapping[str, str],
    inputs: tuple[str, ...] = ("tokens",),
    generates: bool = False,
) -> tuple[Snippet, ...]:
    """The code that loads a model with each backend; `bound` are all generics with values.

    `inputs` are the names of the entry's inputs; `source` is the name of the source file.
    """
    call = f"model({', '.join(inputs)})"
    load = "from linnet import nest\n\nmodel = nest.load({})\nresult = {}"
    quoted = json.dumps(name)
    more = (
        "\nfor token in model.generate(prompt_ids, max_new_tokens=64):\n    print(token)"
        if generates
        else ""
    )

    def python(title: str, options: str, extra: str, note: str) -> Snippet:
        arguments = f"{quoted}, {options}" if options else quoted
        installed = f"{note} pip install 'linnet-mlir[{extra}]'"
        return Snippet(title, "python", load.format(arguments, call) + more, installed)

    binds = " ".join(f"--bind {key}={value}" for key, value in bound.items())
    command = (
        f"linnet nest pull {name}\n"
        f"linnet nest check {name}\n"
        f"linnet stablehlo --root {root} --entry {entry} {binds} {source}"
    )
    return (
        python("Linnet", "", "iree", "Compiled ahead of time by IREE or XLA."),
        python(
            "PyTorch", 'backend="torch", numerics="equivalent"', "torch",
            'A torch.nn.Module; numerics="exact" keeps the operations as written, '
            'compile="inductor" compiles them.',
        ),
        python("JAX", 'backend="jax"', "jax", "StableHLO as a function that jax.jit takes."),
        python("JAX source", 'backend="jax-source"', "jax", "jax.numpy code for jax.grad."),
        python("Flax NNX", 'backend="nnx"', "nnx", "A tree of modules with the model's paths."),
        python("ONNX", 'backend="onnx"', "onnx", "Runs in ONNX Runtime."),
        Snippet("Command line", "sh", command, "Downloads, checks and compiles."),
    )  # fmt: skip
