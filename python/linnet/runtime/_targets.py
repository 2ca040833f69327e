"""The targets that there are, to list them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A target of `linnet compile`: for a GPU its compute capability, and its memory in bytes.

    `source` says whose description it is: `linnet` for a file that ships, `yours` for one that
    `linnet target add` wrote, else the compiler's.
    """

    name: str
    device: str
    source: str
    capability: str | None = None
    memory: int | None = None


def known_targets() -> list[Target]:
    """Return all targets; `cpu:NAME` stands for each processor that LLVM knows."""
    from linnet.backends import iree, xla

    def source(name: str) -> str:
        return "linnet" if xla.ships(name) else "yours"

    described = [(name, xla.cuda_device(name)) for name in xla.cuda_targets()]
    return [
        Target("cpu", "this machine's processor", "IREE"),
        Target("cpu:NAME", "a processor that LLVM knows, as in cpu:x86-64-v3", "IREE"),
        Target("xla-cpu", "this machine's processor", "XLA"),
        *(
            Target(name, device.name, source(name), device.capability, device.memory)
            for name, device in described
        ),
        *(
            Target(name, "GPUs of this compute capability", "IREE", iree.capability(name))
            for name in iree.CUDA_TARGETS
        ),
    ]
