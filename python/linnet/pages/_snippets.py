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

    def python(title: str, options: str, note: str) -> Snippet:
        arguments = f"{quoted}, {options}" if options else quoted
        return Snippet(title, "python", load.format(arguments, call) + more, note)

    binds = " ".join(f"--bind {key}={value}" for key, value in bound.items())
    command = (
        f"linnet nest pull {name}\n"
        f"linnet nest check {name}\n"
        f"linnet stablehlo --root {root} --entry {entry} {binds} {source}"
    )
    return (
        python("Linnet", "", "Compiled ahead of time by IREE or XLA, without PyTorch and JAX."),
        python(
            "PyTorch", 'backend="torch", numerics="equivalent"',
            'A torch.nn.Module; numerics="exact" keeps the operations as written, '
            'compile="inductor" compiles them.',
        ),
        python("JAX", 'backend="jax"', "StableHLO as a function that jax.jit takes."),
        python("JAX source", 'backend="jax-source"', "jax.numpy code for jax.grad."),
        python("Flax NNX", 'backend="nnx"', "A tree of nnx modules with the model's own paths."),
        python("ONNX", 'backend="onnx"', "Runs in ONNX Runtime."),
        Snippet("Command line", "sh", command, "Downloads, checks and compiles."),
    )  # fmt: skip
