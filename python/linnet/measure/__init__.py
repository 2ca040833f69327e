"""Figures of this machine and of this process: memory, bandwidth, arithmetic."""

from linnet.measure._limits import Spread, matmul_rate, median_of, read_bandwidth
from linnet.measure._machine import machine, peak_bytes

__all__ = ["Spread", "machine", "matmul_rate", "median_of", "peak_bytes", "read_bandwidth"]
