"""`import linnet` and everything that checks a program load no backend."""

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "linnet"
HEAVY = ("jax", "jaxlib", "torch", "iree", "transformers", "onnx")
LIGHT = (
    "source",
    "diagnostics",
    "explanations",
    "syntax",
    "formatter",
    "checker",
    "graph",
    "pages",
    "emit",
    "compiler",
    "artifact",
    "runtime",
    "cli",
)

REPORT = f"""
import sys
print(sorted(name for name in {HEAVY!r} if name in sys.modules))
"""


def loaded_after(statement: str) -> str:
    """Which heavy packages a fresh interpreter holds after `statement`."""
    done = subprocess.run(
        [sys.executable, "-c", statement + REPORT],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": ""},
    )
    return done.stdout.strip().splitlines()[-1]


@pytest.mark.parametrize(
    "statement",
    ["import linnet", *(f"import linnet.{r}" for r in LIGHT if (PACKAGE / r).is_dir())],
)
def test_an_import_loads_no_backend(statement: str) -> None:
    assert loaded_after(statement) == "[]"


def test_a_backend_would_be_noticed() -> None:
    statement = "import sys, types; sys.modules['jaxlib'] = types.ModuleType('jaxlib')"
    assert loaded_after(statement) == "['jaxlib']"


@pytest.mark.parametrize("command", ["check", "inspect", "inspect --parameters"])
def test_a_command_that_only_checks_loads_no_numpy(tmp_path: Path, command: str) -> None:
    (tmp_path / "m.linnet").write_text("module m block B { entry f(x: f32) -> f32 { return x } }")
    words = [*command.split(), str(tmp_path / "m.linnet")]
    statement = (
        f"from linnet.cli._main import run; import sys; status = run({words!r}); "
        "print(status, 'numpy' in sys.modules); import numpy"
    )
    done = subprocess.run(
        [sys.executable, "-c", statement],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": ""},
    )
    assert done.stdout.splitlines()[-1] == "0 False"


def test_load_begins_with_the_weights_before_anything_large_is_imported() -> None:
    others = ("numpy", "linnet.runtime", "linnet.weights", "linnet.artifact", "json", "hashlib")
    statement = (
        "import sys, linnet\nfrom linnet import _ahead\n"
        "begin = lambda weights: print([name for name in "
        f"{others!r} if name in sys.modules])\n_ahead.begin = begin\n"
        "import gc\n"
        "try: linnet.load('missing.lna', 'missing.safetensors')\n"
        "except linnet.LinnetError as error: print(error.message, gc.isenabled())\n"
        "gc.disable()\n"
        "try: linnet.load('missing.lna')\n"
        "except linnet.LinnetError: print(gc.isenabled())"
    )
    done = subprocess.run(
        [sys.executable, "-c", statement],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": ""},
    )
    said = done.stdout.splitlines()
    assert said[:2] == ["[]", "missing.lna does not exist True"]
    # Garbage is not looked for meanwhile, and afterwards as before.
    assert said[-1] == "False"


def test_a_runtime_that_only_loads_and_calls_brings_nothing_else() -> None:
    others = (
        *("linnet.diagnostics", "linnet.compiler", "linnet.core", "linnet.cache", "numpy.ma"),
        *("linnet.backends._child", "linnet.backends._states", "linnet.backends.iree._compile"),
        *("linnet.artifact._write", "linnet.weights._quantise", "linnet.runtime._build"),
        *("subprocess", "tempfile", "jsonschema", "safetensors", "importlib.metadata"),
    )
    statement = (
        "import sys, numpy\nimport linnet.runtime, linnet.backends.iree\n"
        "from linnet.runtime._arguments import shape_of\n"
        "assert shape_of('x', numpy.zeros(3)) == (3,)\n"
        f"print([name for name in {others!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", statement],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": ""},
    )
    assert done.stdout.strip() == "[]"
