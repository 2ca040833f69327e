"""JAX: compiled StableHLO, readable source, or a Flax NNX module. Importing this needs no JAX."""

from linnet.backends.jax._compiled import JaxModel, build
from linnet.backends.jax._modules import SourceModel, build_nnx, build_source
from linnet.backends.jax._source import JaxSource, jax_source

__all__ = [
    "JaxModel",
    "JaxSource",
    "SourceModel",
    "build",
    "build_nnx",
    "build_source",
    "jax_source",
]
