"""CORE to StableHLO, built op by op with the verifying builders of jaxlib's MLIR."""

# First, before jaxlib is loaded.
import linnet.stablehlo._quiet  # noqa: F401  # pyright: ignore[reportUnusedImport]

# isort: split
from linnet.stablehlo._build import StableHlo, build

__all__ = ["StableHlo", "build"]
