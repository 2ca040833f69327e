"""Makes the choices of a failing program fewer and smaller."""

import random
from collections.abc import Callable, Sequence

from generate._numbers import Unwanted
from generate._program import Program, write_program


class Taken:
    """Choices from a list, or beyond its end from a generator; keeps what was taken."""

    def __init__(self, given: Sequence[int] = (), rng: random.Random | None = None) -> None:
        self._given = given
        self._rng = rng
        self.taken: list[int] = []

    def below(self, bound: int) -> int:
        if bound <= 1:
            return 0
        at = len(self.taken)
        if at < len(self._given):
            choice = min(self._given[at], bound - 1)
        else:
            choice = self._rng.randrange(bound) if self._rng else 0
        self.taken.append(choice)
        return choice


def program_of(choices: Sequence[int]) -> Program | None:
    try:
        return write_program(Taken(choices).below)
    except (Unwanted, RecursionError):
        return None


def shrunk(
    choices: Sequence[int], fails: Callable[[Program], bool], tries: int
) -> tuple[list[int], Program]:
    """The shortest choices found within `tries` programs for which `fails` holds."""
    best = list(choices)
    smallest = program_of(best)
    assert smallest is not None
    left = tries

    def attempt(candidate: list[int]) -> bool:
        nonlocal best, smallest, left
        if left <= 0 or candidate == best:
            return False
        program = program_of(candidate)
        if program is None or (
            len(program.text) + len(candidate) // 8 >= len(smallest.text) + len(best) // 8  # pyright: ignore
        ):
            return False
        left -= 1
        if not fails(program):
            return False
        best, smallest = candidate, program
        return True

    size = max(len(best) // 2, 1)
    while size and left > 0:
        at = 0
        while at < len(best) and left > 0:
            without = best[:at] + best[at + size :]
            zeros = best[:at] + [0] * min(size, len(best) - at) + best[at + size :]
            if not attempt(without) and not attempt(zeros):
                at += size
        size //= 2
    return best, smallest
