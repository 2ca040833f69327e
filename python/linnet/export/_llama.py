"""llama.cpp as the other side: run in a process of its own, by whichever Python has it."""

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from linnet.errors import BackendError, CapabilityError

VARIABLE: Final = "LINNET_LLAMA_PYTHON"
_CHILD: Final = Path(__file__).with_name("_llama_child.py")
_SECONDS: Final = 900


def llama_python() -> str | None:
    """The Python that has llama-cpp-python: the one that LINNET_LLAMA_PYTHON names, or this."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    return sys.executable if find_spec("llama_cpp") is not None else None


def need_llama() -> None:
    """CapabilityError where there is no llama-cpp-python."""
    if llama_python() is None:
        raise CapabilityError(
            "the certificate of an export needs `pip install llama-cpp-python`",
            f"{VARIABLE} can name a Python that has it; --no-certificate does without",
        )


def llama_version() -> str:
    """The version of llama-cpp-python."""
    code = "from importlib.metadata import version; print(version('llama_cpp_python'))"
    return _run(["-c", code], "").strip()


def llama_result(model: Path, **asked: Any) -> NDArray[Any]:
    """What `_llama_child` computes of a file; BackendError says what llama.cpp said."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.npy"
        _run([str(_CHILD)], json.dumps({**asked, "model": str(model), "out": str(out)}))
        return np.load(out, allow_pickle=False)


def _run(arguments: list[str], given: str) -> str:
    need_llama()
    # `-P`: what lies beside the script is no module for it.
    command = [str(llama_python()), "-P", *arguments]
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BackendError(
            f"cannot run llama.cpp: {error}".splitlines()[0], f"check {VARIABLE}"
        ) from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise BackendError(
            f"llama.cpp failed: {lines[-1] if lines else f'exit status {done.returncode}'}",
            "the export's file is not what it reads",
        )
    return done.stdout
