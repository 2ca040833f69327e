"""Figures of this machine, of this process, and of a model that runs in one."""

from linnet.measure._bench import Measured, Workload, run_model
from linnet.measure._limits import Spread, matmul_rate, median_of, read_bandwidth
from linnet.measure._machine import machine, peak_bytes
from linnet.measure._random import random_weights

__all__ = [
    "Measured",
    "Spread",
    "Workload",
    "machine",
    "matmul_rate",
    "median_of",
    "peak_bytes",
    "random_weights",
    "read_bandwidth",
    "run_model",
]
