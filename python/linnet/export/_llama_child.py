"""Run by a Python that has llama-cpp-python: the logits, or a greedy text, of a GGUF file.

Reads one JSON object from stdin: `model`, a path; `rows`, lists of tokens; `out`, the path of an
array of logits f32 [rows, tokens, vocabulary] to write. With `count` it writes the tokens
i32 [rows, count] that follow each row instead, each the first of the largest logits. With `text`
the tokens of that text are written, i32 [tokens], marks in it read as such.
"""

import json
import sys
from importlib import import_module
from typing import Any

import numpy as np


def main() -> None:
    """Do what stdin asks for."""
    asked: Any = json.load(sys.stdin)
    rows: list[list[int]] = asked.get("rows", [])
    count: int = asked.get("count", 0)
    longest = max(map(len, rows), default=1) + count
    # Caches in f32, as the other side has them.
    library: Any = import_module("llama_cpp")
    model: Any = library.Llama(
        asked["model"],
        n_ctx=max(64, longest),
        n_threads=asked.get("threads", 2),
        type_k=0,
        type_v=0,
        flash_attn=False,
        logits_all=not count,
        verbose=False,
    )
    if "text" in asked:
        tokens = model.tokenize(asked["text"].encode(), add_bos=False, special=True)
        np.save(asked["out"], np.array(tokens, np.int32))
        return
    found: list[Any] = []
    for row in rows:
        model.reset()
        model.eval(row)
        if not count:
            found.append(np.array(model.scores[: len(row)], np.float32))
            continue
        made: list[int] = []
        for _ in range(count):
            logits = np.ctypeslib.as_array(model._ctx.get_logits(), (model.n_vocab(),))
            made.append(int(logits.argmax()))
            model.eval(made[-1:])
        found.append(np.array(made, np.int32))
    np.save(asked["out"], np.stack(found))


if __name__ == "__main__":
    main()
