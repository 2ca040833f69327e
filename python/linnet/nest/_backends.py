"""The backends by name: where each lives, what it needs installed, and what it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from linnet.errors import CapabilityError, UsageError, unknown_name
from linnet.nest._protocol import Built


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend of `nest.load`.

    `function` of `module` is its `build`; `extra` is what pip calls its requirements, `needs` are
    the modules that these bring. With `loops` the program has an entry `generate`, a loop on the
    device, for each `decode(token, pos)`. `options` are names of its own that `load` passes on.
    """

    module: str
    extra: str
    needs: tuple[str, ...]
    function: str = "build"
    numerics: tuple[str, ...] = ("exact",)
    compiles: tuple[str, ...] = ()
    loops: bool = False
    options: tuple[str, ...] = field(default=())


_ALL: Final = ("exact", "equivalent", "fast")

BACKENDS: Final = {
    "linnet": Backend(
        "linnet.nest._linnet",
        "iree",
        (),
        loops=True,
        options=("target", "weights_dtype"),
    ),
    "torch": Backend(
        "linnet.backends.torch",
        "torch",
        ("torch",),
        numerics=_ALL,
        compiles=("inductor", "cudagraphs"),
        options=("device",),
    ),
    "jax": Backend("linnet.backends.jax", "jax", ("jax",), numerics=_ALL),
    "jax-source": Backend(
        "linnet.backends.jax", "jax", ("jax",), function="build_source", numerics=_ALL
    ),
    "nnx": Backend(
        "linnet.backends.jax", "nnx", ("jax", "flax"), function="build_nnx", numerics=_ALL
    ),
    "onnx": Backend(
        "linnet.backends.onnx",
        "onnx",
        ("onnx", "onnxruntime"),
        numerics=_ALL,
        options=("providers", "opset"),
    ),
}


def backend(name: str) -> Backend:
    """Return a backend; UsageError for one that there is not."""
    if name not in BACKENDS:
        raise unknown_name("no backend", name, list(BACKENDS), "backends")
    return BACKENDS[name]


def check_options(name: str, numerics: str, compile: str | None, options: Sequence[str]) -> None:
    """Raise UsageError for an option that the backend does not take."""
    one = backend(name)
    for what, value, known, every in (
        ("numerics", numerics, one.numerics, _ALL),
        ("compile", compile, one.compiles, ("inductor", "cudagraphs")),
    ):
        if value is None or value in known:
            continue
        if value not in every:
            raise unknown_name(f"no {what}", value, every, what)
        takes = ", ".join(f"`{each}`" for each in known) or "none"
        raise UsageError(f"backend `{name}` has no {what} `{value}`", f"it takes: {takes}")
    for option in options:
        if option not in one.options:
            raise unknown_name(f"backend `{name}` takes no", option, one.options, "it takes")


def build_of(name: str) -> Callable[..., Built]:
    """Return the `build` of a backend (see `Build`), imported now.

    CapabilityError names the pip install that brings a package that it lacks.
    """
    one = backend(name)
    missing = [module for module in one.needs if find_spec(module) is None]
    if missing:
        raise needs_extra(f"backend `{name}`", one.extra, missing[0])
    if one.module.startswith("linnet.backends.") and find_spec(one.module) is None:
        raise CapabilityError(
            f"backend `{name}` is not part of this version of Linnet", "take another backend"
        )
    return cast(Callable[..., Built], getattr(import_module(one.module), one.function))


def needs_extra(what: str, extra: str, module: str) -> CapabilityError:
    """The error for a package that is not installed."""
    return CapabilityError(
        f"{what} needs `pip install 'linnet-mlir[{extra}]'`",
        f"the module `{module}` is not installed here",
    )
