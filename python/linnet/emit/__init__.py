"""Emit: typed program to the dialect at its generic level, and the wording of what it claims."""

from linnet.emit._emit import Emitted, emit
from linnet.emit._verify import diagnose, verify

__all__ = ["Emitted", "diagnose", "emit", "verify"]
