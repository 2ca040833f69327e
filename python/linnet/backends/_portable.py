"""Reads portable StableHLO artifacts with jaxlib's MLIR."""

# pyright: reportMissingTypeStubs=false

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import stablehlo


def read_portable(portable: bytes) -> tuple[ir.Context, ir.Module, ir.OpView]:
    """Return the context, the module and its one function, `@main`."""
    context = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    module = stablehlo.deserialize_portable_artifact(context, portable)
    (main,) = module.body.operations
    return context, module, main
