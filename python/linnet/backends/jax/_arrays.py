"""Between NumPy's arrays and JAX's, and the 64-bit dtypes that JAX leaves out by default."""

# JAX's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

import importlib.util
from typing import TYPE_CHECKING, Any

from linnet.errors import CapabilityError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def require_jax(flax: bool = False) -> None:
    """Raise a CapabilityError that names the extra where JAX, or Flax, is not installed."""
    for module, extra in (("jax", "jax"), *((("flax", "nnx"),) if flax else ())):
        if importlib.util.find_spec(module) is None:
            raise CapabilityError(
                f"`{module}` is not installed", f"pip install 'linnet-mlir[{extra}]'"
            )


def wide() -> Any:
    """A context in which JAX keeps dtypes of 64 bits, as Linnet's programs mean them."""
    import jax

    return jax.enable_x64(True)


def to_jax(value: object) -> Any:
    """An array of JAX with the same dtype."""
    import jax
    import jax.numpy as jnp

    return value if isinstance(value, jax.Array) else jnp.asarray(value)


def to_numpy(value: Any) -> "NDArray[Any]":
    """An array of JAX as NumPy's, of the same dtype."""
    import numpy as np

    return np.asarray(value)


def is_traced(values: Any) -> bool:
    """Whether one of these is not an array yet but traced, as within `jax.jit`."""
    from jax.core import Tracer

    return any(isinstance(value, Tracer) for value in values)
