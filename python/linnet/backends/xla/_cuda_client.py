"""The client of a live NVIDIA GPU: XLA's CUDA plugin, loaded through jaxlib without jax.

`jax_plugins.xla_cuda13` holds the plugin; its `initialize` needs jax, and does two things that are
not needed here: it finds CUDA's libraries, which the plugin finds by itself where pip put them, and
registers calls of jax's own linear algebra, which Linnet's code does not contain.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportAttributeAccessIssue=false

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from linnet.backends._gpu import NVIDIA_DEVICES, nvidia_gpu
from linnet.backends.xla._client import Client, jaxlib
from linnet.errors import CapabilityError

_PLUGIN = "cuda"
_PACKAGE = "jax_plugins.xla_cuda13"
_LIBRARY = "xla_cuda_plugin.so"
_INSTALL = "pip install 'linnet-mlir[cuda]' 'jax-cuda13-plugin[with-cuda]'"


@cache
def cuda_client() -> Client:
    """Return the client of the first GPU.

    CapabilityError says what is missing: the GPU or its driver, the plugin, or what the plugin says
    itself.
    """
    if not nvidia_gpu():
        raise CapabilityError(
            f"this machine has no NVIDIA GPU: there is no {NVIDIA_DEVICES[0]}",
            "run it where a GPU and its driver are",
        )
    return Client(_live_client(_plugin()))


def check_capability(client: Client, name: str, capability: str) -> None:
    """Raise CapabilityError where a GPU is of another kind than code was compiled for."""
    if client.capability != capability:
        raise CapabilityError(
            f"code for {name}, of compute capability {capability}, does not run on this "
            f"{client.kind}, of {client.capability or 'none'}",
            "compile the program for this GPU: `linnet target add` describes it",
        )


def live_description() -> str:
    """Return the text that XLA has of the first GPU, which `_gpus` reads. CapabilityError."""
    return description_of(cuda_client())


def description_of(client: Client) -> str:
    """Return the text that XLA has of a client's device. CapabilityError where it has none."""
    topology = jaxlib().get_topology_for_devices([client.device])
    try:
        text = topology.target_config
    except AttributeError:
        text = None
    if not isinstance(text, str):
        raise CapabilityError(
            f"the plugin has no description of this device, {client.kind}", _INSTALL
        )
    return text


def _plugin() -> Path:
    """The plugin's library."""
    try:
        found = find_spec(_PACKAGE)
    except ImportError:
        found = None
    path = None if found is None or found.origin is None else Path(found.origin)
    library = None if path is None else path.with_name(_LIBRARY)
    if library is None or not library.is_file():
        raise CapabilityError("running code for a GPU needs XLA's CUDA plugin", _INSTALL)
    return library


def _live_client(library: Path) -> Any:
    """Load the plugin, once in a process, and make its client."""
    client = jaxlib()
    try:
        if not client.pjrt_plugin_loaded(_PLUGIN):
            client.load_pjrt_plugin_dynamically(_PLUGIN, str(library))
        if not client.pjrt_plugin_initialized(_PLUGIN):
            client.initialize_pjrt_plugin(_PLUGIN)
        return client.make_c_api_client(_PLUGIN, client.generate_pjrt_gpu_plugin_options(), None)
    except (RuntimeError, ImportError, ValueError) as error:
        reason = (str(error).strip() or repr(error)).splitlines()[0]
        raise CapabilityError(
            f"XLA's CUDA plugin cannot use the GPU: {reason}",
            f"see `nvidia-smi`; CUDA's libraries are those of {_INSTALL}",
        ) from None
