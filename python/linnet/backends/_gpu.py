"""Whether there is a GPU, as far as that can be told without any of its software."""

from pathlib import Path

# What NVIDIA's driver makes, and the subsystem for Linux on Windows in its place.
NVIDIA_DEVICES = (Path("/dev/nvidiactl"), Path("/dev/dxg"))


def nvidia_gpu() -> bool:
    """Whether the machine has the device of NVIDIA's driver."""
    return any(path.exists() for path in NVIDIA_DEVICES)
