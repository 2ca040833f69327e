"""The package that `linnet init` makes: its files, by path."""

import json
import struct
from typing import Final

_MANIFEST = """\
[package]
name = "NAME"
version = "0.1.0"
language = "0.1"
"""

_SOURCE = """\
// The start of a model of your own: a residual block, as it stands in every transformer.
//
// A block holds weights and functions. Its generics in `<>` are the sizes and the dtype that it is
// built for; those of a function are found anew at each call.
module NAME

use std.nn.activations::{silu}
use std.nn.linear::{Linear}
use std.nn.norm::{RmsNorm}

// Normalises rows of `H` numbers, widens them, narrows them again and adds what came in.
pub block Model<H: Dim, T: Float = f32> {
    // Each `sub` is a block inside this one. Its weights are found by path: `up.weight`.
    sub norm: RmsNorm<H, T>
    sub up: Linear<H, 4 * H, T>
    sub down: Linear<4 * H, H, T>

    // An `entry` is what a runtime calls. Change a shape and `linnet check` says what breaks.
    pub entry forward<B: Dim>(x: Tensor[B, H; T]) -> Tensor[B, H; T] {
        return x + down.forward(silu(up.forward(norm.forward(x))))
    }
}
"""

_README = """\
# NAME

A package in Linnet, a tensor language whose shapes are proven before anything runs.

- `linnet.toml`: name and version, and the packages that this one uses
- `src/lib.linnet`: the model; `src/a/b.linnet` would be the module `crate.a.b`
- `weights.safetensors`: made-up weights for `H = 4`, named as a PyTorch module would name them
- `bindings.json`: from the paths of the model's weights to those names

Prove every shape, and lay the source out in the one style:

```sh
linnet check .
linnet fmt .
```

Call it, on sizes that the source leaves open:

```sh
RUN
```

Compile it ahead of time, with the biases that a `Linear` may have, and call what that made:

```sh
COMPILE
linnet run NAME.lna --weights weights.safetensors --bindings bindings.json INPUT
```
"""

_INPUT = "--input 'x=[[1, 2, 3, 4]]'"
_RUN = (
    "linnet run src/lib.linnet --bind H=4 --weights weights.safetensors "
    f"--bindings bindings.json {_INPUT}"
)
_COMPILE = "linnet compile src/lib.linnet --bind H=4 --bind B=1 --optionals present -o NAME.lna"

_H: Final = 4
# Path in the model, name in the file, shape.
_WEIGHTS: Final = (
    ("norm.weight", "ln.weight", (_H,)),
    ("up.weight", "fc1.weight", (4 * _H, _H)),
    ("up.bias", "fc1.bias", (4 * _H,)),
    ("down.weight", "fc2.weight", (_H, 4 * _H)),
    ("down.bias", "fc2.bias", (_H,)),
)


def package_files(name: str) -> dict[str, bytes]:
    """The files of a new package by path; each call gives the same bytes."""
    readme = _README.replace("RUN", _RUN).replace("COMPILE", _COMPILE).replace("INPUT", _INPUT)
    texts = {
        "linnet.toml": _MANIFEST,
        "src/lib.linnet": _SOURCE,
        "README.md": readme,
        ".gitignore": "*.lna/\n",
        "bindings.json": json.dumps({path: key for path, key, _ in _WEIGHTS}, indent=2) + "\n",
    }
    files = {path: text.replace("NAME", name).encode() for path, text in texts.items()}
    files["weights.safetensors"] = _safetensors()
    return files


def next_steps(name: str) -> list[str]:
    """The commands to go on with, in order."""
    return ["linnet check .", _RUN, _COMPILE.replace("NAME", name)]


def _safetensors() -> bytes:
    """The weights as SafeTensors, written here so that making a package needs no NumPy."""
    header: dict[str, object] = {}
    data = b""
    number = 0
    for _, key, shape in _WEIGHTS:
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        # Spread over -0.25..0.25 by the golden ratio; a norm's gain is 1.
        values = [((number + i) * 0.6180339887 % 1 - 0.5) / 2 for i in range(count)]
        number += count
        packed = struct.pack(f"<{count}f", *([1.0] * count if key == "ln.weight" else values))
        header[key] = {
            "dtype": "F32",
            "shape": list(shape),
            "data_offsets": [len(data), len(data) + len(packed)],
        }
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data
