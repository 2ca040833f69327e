"""Comparing syntax trees by structure, whatever their spans."""

import dataclasses

from linnet.source import Span


def same_tree(one: object, other: object) -> bool:
    """Whether two trees differ at most in their spans."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Span):
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_tree, one, other))
    if dataclasses.is_dataclass(one):
        fields = dataclasses.fields(one)
        return all(same_tree(getattr(one, f.name), getattr(other, f.name)) for f in fields)
    return one == other
