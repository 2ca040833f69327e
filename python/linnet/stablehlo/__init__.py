"""CORE to StableHLO, built op by op with the verifying builders of jaxlib's MLIR."""

from linnet.stablehlo._build import StableHlo, build

__all__ = ["StableHlo", "build"]
