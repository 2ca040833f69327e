"""Reads what JSON holds under the names it must have; a wrong one is told by its place."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from linnet.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Reader:
    """A part of a JSON file: `place` is the file's name and the way to the part."""

    place: str
    value: object

    def refuse(self, needed: str) -> ArgumentError:
        """The error for a part that is not what is needed."""
        return ArgumentError(f"{self.place} is no {needed}", "write it as the format says")

    def object(self) -> "Mapping[str, Reader]":
        """The members of an object."""
        value: object = self.value
        if not isinstance(value, dict):
            raise self.refuse("object")
        members = cast(dict[str, object], value)
        return {key: Reader(f"{self.place}: {key}", inner) for key, inner in members.items()}

    def list(self) -> "Sequence[Reader]":
        """The elements of a list."""
        value: object = self.value
        if not isinstance(value, list):
            raise self.refuse("list")
        elements = cast(list[object], value)
        return [Reader(f"{self.place}[{at}]", inner) for at, inner in enumerate(elements)]

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.refuse("text")
        return self.value

    def number(self) -> float:
        """A finite number that is not negative."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse("number")
        try:
            read = float(value)
        except OverflowError:
            raise self.refuse("number of a usual size") from None
        if not math.isfinite(read) or not 0 <= read < 1e18:
            raise self.refuse("number of a usual size")
        return read


def member_text(members: Mapping[str, Reader], name: str) -> str:
    """A text member, "" where it is missing or null."""
    found = members.get(name)
    return "" if found is None or found.value is None else found.text()


def member_number(members: Mapping[str, Reader], name: str) -> float | None:
    """A number member, None where it is missing or null."""
    found = members.get(name)
    return None if found is None or found.value is None else found.number()
