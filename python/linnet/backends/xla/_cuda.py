"""XLA for a CUDA device that need not be there: `cuda:NAME`, with a description in `gpus/`.

The descriptions are texts of XLA's GpuTargetConfigProto. Compiling needs the packages of the extra
`cuda`, no GPU and no driver. It runs in a child: the plugin is found through jax, which nothing
else here imports.
"""

import hashlib
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from linnet.backends._child import run_child
from linnet.backends._installed import installed
from linnet.backends._instance import Module
from linnet.backends._states import Checked, states_to_json, unpack_checked
from linnet.backends.xla._compile import entry_numbers, worker_identity
from linnet.errors import CapabilityError, unknown_name

PREFIX = "cuda:"
_FOLDER = Path(__file__).with_name("gpus")
_PACKAGES = ("jaxlib", "jax-cuda13-plugin", "jax-cuda13-pjrt")


@dataclass(frozen=True, slots=True)
class Device:
    """A described device: its own name, compute capability, and the text that XLA is given."""

    name: str
    capability: str
    config: str

    @property
    def memory(self) -> int:
        """The memory of the device in bytes."""
        size = re.search(r"device_memory_size: (\d+)", self.config)
        assert size is not None
        return int(size[1])

    @property
    def sha256(self) -> str:
        """The hash of the description."""
        return hashlib.sha256(self.config.encode()).hexdigest()


@cache
def cuda_targets() -> tuple[str, ...]:
    """Return the targets that are described."""
    return tuple(sorted(f"{PREFIX}{path.stem}" for path in _FOLDER.glob("*.txtpb")))


def cuda_device(target: str) -> Device:
    """Return the device of a target; UsageError for one that is not described."""
    if target not in cuda_targets():
        raise unknown_name("no target", target, cuda_targets(), "GPUs")
    text = (_FOLDER / f"{target.removeprefix(PREFIX)}.txtpb").read_text("utf-8")
    name = re.search(r'device_description_str: "([^"]*)"', text)
    version = re.search(r"cuda_compute_capability \{ major: (\d+) minor: (\d+) \}", text)
    assert name is not None
    assert version is not None
    return Device(name[1], f"{version[1]}.{version[2]}", text)


def cuda_versions() -> dict[str, str]:
    """Return the packages whose versions must be equal where the code is loaded."""
    found = {package: installed(package) for package in _PACKAGES}
    missing = [package for package, version in found.items() if version is None]
    if missing or installed("jax") is None:
        raise CapabilityError(
            f"a CUDA target needs {missing[0] if missing else 'jax'}",
            "pip install 'linnet-mlir[cuda]'",
        )
    return {package: version or "" for package, version in found.items()}


def compile_cuda(module: Module, target: str) -> Checked:
    """Return code for a described device, and what it does with the states and the memory."""
    versions, device = cuda_versions(), cuda_device(target)
    made = run_child(
        "XLA",
        [sys.executable, "-m", "linnet.backends.xla._cuda_worker", *entry_numbers(module)],
        {
            "module.mlirbc": module.portable,
            "states.json": states_to_json([module.function], module.signature.states),
            "device.txtpb": device.config.encode(),
        },
        "checked.bin",
        {
            "PYTHONPATH": ":".join(path for path in sys.path if path),
            # The plugin would look for a device and its driver.
            "JAX_SKIP_CUDA_CONSTRAINTS_CHECK": "1",
            "JAX_PLATFORMS": "cuda,cpu",
        },
        identity={**worker_identity(), **versions},
        label=f"{module.function} for {target}",
    )
    return unpack_checked(made)
