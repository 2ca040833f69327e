"""A backend of `linnet.nest.load` as a peer: the packaged GPT-2 in another framework.

    python worker.py nest_peer.py MODEL_DIR --dtype f32 --variant onnx

The first word of a variant is the backend (`onnx`, `torch`, `jax`, …); others are `exact`,
`equivalent` (without one of them) or `fast`, or how the framework compiles (`inductor`,
`cudagraphs`). Every backend is asked the same: `prefill`, then `decode` once a token, from Python.
dtypes: f32; f16 and bf16 where the weights are rounded as they are loaded.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from linnet_peer import bindings  # noqa: E402

NUMERICS = ("exact", "equivalent", "fast")


def options_of(variant: str) -> dict[str, Any]:
    """Return what the words of a variant ask of `nest.load`."""
    backend, *words = variant.split(",")
    found: dict[str, Any] = {"backend": backend, "numerics": "equivalent"}
    for word in words:
        found["numerics" if word in NUMERICS else "compile"] = word
    return found


class Nest:
    """The entries `prefill` and `decode` of the packaged GPT-2 on a backend."""

    def __init__(self, model_dir: str, dtype: str, threads: int) -> None:
        from common import MAX_POS  # pyright: ignore

        # Before any backend is loaded: each makes its threads when it starts.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
        from linnet import nest

        options = options_of(os.environ["PEER_VARIANT"])
        backend = options.pop("backend")
        self._model: Any = nest.load(
            "gpt2",
            backend,
            generics={"MaxSeq": int(MAX_POS)},  # pyright: ignore
            weights=Path(model_dir) / "model.safetensors",
            bindings=bindings(),
            dtype=None if dtype == "f32" else dtype,
            entries=["prefill", "decode"],
            **options,
        )
        said = ", ".join(str(value) for value in options.values())
        self.notes = f"linnet.nest on {backend} ({said}), a call from Python for each token"
        self._position = 0

    def prefill(self, ids: Sequence[int]) -> int:
        """Run the prompt at position 0; what lies behind it in the caches is masked."""
        found = self._model.prefill(np.array([ids], np.int32), np.int32(0))
        self._position = len(ids)
        return self._token(found)

    def decode(self, token: int, n: int) -> list[int]:
        """Take `n` single steps."""
        found: list[int] = []
        for _ in range(n):
            given = np.array([[token]], np.int32)
            token = self._token(self._model.decode(given, np.int32(self._position)))
            self._position += 1
            found.append(token)
        return found

    def _token(self, logits: Any) -> int:
        return int(self._model.numpy(logits)[0].argmax())


if __name__ == "__main__":
    from common import main  # pyright: ignore

    main("linnet", Nest)  # pyright: ignore
