"""`samples.json`: what a model answered, and what its reference did."""

from dataclasses import dataclass
from typing import Final

from linnet.pages._json import Reader, member_number, member_text

_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """A prompt and its answers; of `tokens` tokens the first `agreeing` are the reference's."""

    prompt: str
    output: str
    reference: str
    reference_stack: str
    tokens: int | None
    agreeing: int | None


def read_samples(value: object, name: str = "samples.json") -> tuple[Sample, ...]:
    """The samples of a parsed file, one object or a list; ArgumentError for any other form."""
    top = Reader(name, value)
    parts = top.list() if isinstance(value, list) else [top]
    return tuple(_sample(part) for part in parts[:_MOST])


def _sample(part: Reader) -> Sample:
    members = part.object()
    tokens, agreeing = (member_number(members, key) for key in ("tokens", "agreeing_prefix"))
    return Sample(
        member_text(members, "prompt"),
        member_text(members, "output"),
        member_text(members, "reference"),
        member_text(members, "reference_stack"),
        None if tokens is None else int(tokens),
        None if agreeing is None else int(agreeing),
    )
