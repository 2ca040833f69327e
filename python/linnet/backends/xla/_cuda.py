"""XLA for a CUDA device that need not be there: `cuda:NAME`, which `_gpus` describes.

Compiling needs the packages of the extra
`cuda`, no GPU and no driver. It runs in a child: the plugin is found through jax, which nothing
else here imports.
"""

import sys

from linnet.backends._child import run_child
from linnet.backends._installed import installed
from linnet.backends._instance import Module
from linnet.backends._states import Checked, states_to_json, unpack_checked
from linnet.backends.xla._compile import entry_numbers, worker_identity
from linnet.backends.xla._gpus import cuda_device
from linnet.errors import CapabilityError

_PACKAGES = ("jaxlib", "jax-cuda13-plugin", "jax-cuda13-pjrt")


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
