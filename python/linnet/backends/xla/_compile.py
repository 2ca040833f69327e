"""From portable StableHLO to serialized XLA code."""

import os
import sys
from pathlib import Path

from linnet.backends._child import run_child
from linnet.backends._cpu import cpu_identity
from linnet.backends._installed import installed
from linnet.backends._instance import Module
from linnet.backends._states import Checked, states_to_json, unpack_checked
from linnet.cache import cached, key_of
from linnet.errors import BackendError, CapabilityError


def versions() -> dict[str, str]:
    """Return the packages whose versions must be equal where the code is loaded."""
    found = installed("jaxlib")
    if found is None:
        raise CapabilityError("target xla-cpu needs jaxlib", "pip install 'linnet-mlir[xla]'")
    return {"jaxlib": found}


def _numbers(module: Module) -> tuple[int, int, int]:
    signature = module.signature
    first_state = len(signature.inputs) + len(signature.params)
    return first_state, len(signature.states), len(signature.results)


def entry_numbers(module: Module) -> list[str]:
    """Return the arguments of the worker: see there."""
    from linnet.backends.xla._widen import widened

    wide = widened(module.signature).items()
    return [*map(str, _numbers(module)), *(f"{number}:{dtype}" for number, dtype in wide)]


def worker_identity() -> dict[str, str]:
    """What code depends on beside the module: jaxlib, the processor, flags, and the worker."""
    here = Path(__file__).parent
    shared = [here.parent / "_portable.py", here.parent / "_states.py"]
    files = [*sorted(here.glob("*.py")), *shared]
    return {
        **versions(),
        "cpu": cpu_identity(),
        "XLA_FLAGS": os.environ.get("XLA_FLAGS", ""),
        "worker": key_of({file.name: file.read_bytes() for file in files}),
    }


def compile_checked(module: Module) -> Checked:
    """Return code for this machine's CPU with the states donated, and what it does with them.

    It compiles in a child process, so that XLA's abort becomes BackendError.
    """
    versions()
    made = run_child(
        "XLA",
        [sys.executable, "-m", "linnet.backends.xla._worker", *entry_numbers(module)],
        {
            "module.mlirbc": module.portable,
            "states.json": states_to_json([module.function], module.signature.states),
        },
        "checked.bin",
        {"PYTHONPATH": ":".join(path for path in sys.path if path)},
        identity=worker_identity(),
        label=module.function,
    )
    return unpack_checked(made)


def compile_entry(module: Module, isolated: bool = True) -> bytes:
    """Return code for this machine's CPU with the states donated.

    `isolated` compiles in a child process, so that XLA's abort becomes BackendError.
    """
    if isolated:
        return compile_checked(module).code
    versions()
    from linnet.backends.xla._widen import widened

    numbers, wide = _numbers(module), widened(module.signature)

    def make() -> bytes:
        from linnet.backends.xla._client import compile_module, serialize
        from linnet.backends.xla._donate import donate_states

        try:
            return serialize(compile_module(donate_states(module.portable, *numbers, wide)))
        except RuntimeError as error:
            reason = str(error).splitlines()[0]
            raise BackendError(f"XLA refused `{module.function}`: {reason}") from error

    parts = {
        **worker_identity(),
        "numbers": str(numbers),
        "wide": str(wide),
        "module": module.portable,
    }
    return cached(key_of(parts), f"XLA: {module.function}", make)
