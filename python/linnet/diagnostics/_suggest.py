"""The name that was probably meant: one rule for everything that is looked up by name.

A name is near another one if they differ in case or underscores alone, have the same words in
another order, or are a few typing slips apart: a letter more, less or other, or two swapped.
How few depends on the length, so that short names are not guessed at: one in three letters, four
at most.
"""

import re
from collections.abc import Iterable

_SHORT = 4
_MOST = 4
_LONGEST = 60  # Longer names are not compared: no text of a user may take long.


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return the known name nearest to `name`, or None where none is near.

    Of several equally near ones the first is taken, so list nearer scopes first.
    """
    best: tuple[int, bool, bool] | None = None
    nearest: str | None = None
    words = _words(name)
    for entry in dict.fromkeys(known):
        if not entry or entry == name:
            continue
        if _plain(entry) == _plain(name):
            return entry
        slips = 1 if len(words) > 1 and words == _words(entry) else _slips(name, entry)
        if slips is None:
            continue
        rank = (slips, entry[0].lower() != name[0].lower(), entry[0] != name[0])
        if best is None or rank < best:
            best, nearest = rank, entry
    return nearest


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _words(name: str) -> list[str]:
    """The words of `snake_case` or `CamelCase`, sorted."""
    return sorted(word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name))


def _slips(left: str, right: str) -> int | None:
    """How many slips part two names, or None for too many."""
    left, right = left.lower(), right.lower()
    longer = max(len(left), len(right))
    most = 0 if longer < 3 else min(max(longer // 3, 1), _MOST)
    if longer > _LONGEST or abs(len(left) - len(right)) > most:
        return None
    if len(left) == len(right) <= _SHORT and left[:1] not in (right[0], right[1:2]):
        return None  # `gpu` is no slip of `cpu`.
    # Paths often differ in few letters in the middle.
    head = _shared(left, right)
    left, right = left[head:], right[head:]
    tail = _shared(left[::-1], right[::-1])
    left, right = left[: len(left) - tail], right[: len(right) - tail]
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, char in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == right[j - 2] and left[i - 2] == other:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _shared(left: str, right: str) -> int:
    """How many letters two names begin with in common."""
    shortest = min(len(left), len(right))
    return next((at for at in range(shortest) if left[at] != right[at]), shortest)
