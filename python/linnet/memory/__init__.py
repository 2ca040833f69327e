"""How much memory a program takes, known before it runs, and what fits into a given amount."""

from linnet.memory._artifact import artifact_memory
from linnet.memory._fit import largest
from linnet.memory._model import Amount, EntryMemory, How, Memory, bytes_of
from linnet.memory._program import Asked, ProgramMemory

__all__ = [
    "Amount",
    "Asked",
    "EntryMemory",
    "How",
    "Memory",
    "ProgramMemory",
    "artifact_memory",
    "bytes_of",
    "largest",
]
