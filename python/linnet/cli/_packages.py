"""The packages that Linnet is made for, and whether those that are installed are among them."""

import re
import sys
from dataclasses import dataclass
from typing import Final

from linnet.backends import installed

# As in pyproject.toml, which a test compares.
REQUIRED: Final = {
    "numpy": ">=1.26",
    "click": ">=8.2",
    "rich": ">=13",
    "ml_dtypes": ">=0.4",
    "safetensors": ">=0.4",
    "jsonschema": ">=4.20",
    "tokenizers": ">=0.19",
    "platformdirs": ">=4.2",
    "filelock": ">=3.13",
    "markdown-it-py": ">=3",
    "pygments": ">=2.15",
}
_JAXLIB: Final = "==0.10.2" if sys.version_info < (3, 12) else ">=0.12,<0.13"
EXTRAS: Final = {
    "xla": {"jaxlib": _JAXLIB},
    # IREE compiles StableHLO, which jaxlib's MLIR writes.
    "iree": {
        "iree-base-compiler": "==3.13.0",
        "iree-base-runtime": "==3.13.0",
        "jaxlib": _JAXLIB,
    },
    # What XLA needs beside `xla` to build code for GPUs; there is none of the kind for 3.12.
    "cuda": {"jax": "==0.10.2", "jax-cuda13-plugin": "==0.10.2"}
    if sys.version_info < (3, 12)
    else {},
}


@dataclass(frozen=True, slots=True)
class Package:
    """A package: what is supported, what is installed, and the extra that brings it."""

    name: str
    supported: str
    found: str | None
    extra: str | None = None

    @property
    def problem(self) -> str | None:
        """What is wrong with it, None when nothing is."""
        if self.found is None:
            return "not installed"
        return None if supports(self.supported, self.found) else f"needs {self.supported}"

    @property
    def command(self) -> str:
        """What installs it."""
        bracket = "" if self.extra is None else f"[{self.extra}]"
        return f"pip install 'linnet-mlir{bracket}'"


def packages() -> list[Package]:
    """Return all packages that matter, those of extras last."""
    found = {name: Package(name, spec, installed(name)) for name, spec in REQUIRED.items()}
    for extra, needed in EXTRAS.items():
        for name, spec in needed.items():
            found.setdefault(name, Package(name, spec, installed(name), extra))
    return list(found.values())


def supports(spec: str, found: str) -> bool:
    """Return whether a version fulfils `>=1,<2` or `==1.2.3`."""
    for part in spec.split(","):
        match = re.fullmatch(r"(>=|<|==)([0-9.]+)", part)
        if match is None:
            raise ValueError(spec)
        wanted, given = _numbers(match[2]), _numbers(found)
        width = max(len(wanted), len(given))
        wanted += (0,) * (width - len(wanted))
        given += (0,) * (width - len(given))
        holds = {">=": given >= wanted, "<": given < wanted, "==": given == wanted}
        if not holds[match[1]]:
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
