"""llama.cpp, where LINNET_LLAMA_PYTHON or this Python has it; without it a test skips."""

from pathlib import Path
from typing import Any

import pytest

from linnet.export import llama_python, llama_result


def need_llama_cpp() -> None:
    pytest.importorskip("gguf")
    if llama_python() is None:
        pytest.skip("no llama-cpp-python: LINNET_LLAMA_PYTHON can name a Python that has it")


def llama_greedy(path: Path, prompt: list[int], count: int) -> list[int]:
    """The tokens that llama.cpp chooses after a prompt."""
    found: Any = llama_result(path, rows=[prompt], count=count)
    return found[0].tolist()


def llama_tokens(path: Path, text: str) -> list[int]:
    """What llama.cpp makes of a text, by the tokenizer of a file."""
    found: Any = llama_result(path, text=text)
    return found.tolist()
