"""CORE in NumPy: the oracle that every backend is measured against."""

from linnet.reference._run import run

__all__ = ["run"]
