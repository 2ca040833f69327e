"""`bench.json`: what was measured of a model, beside the engines it was compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from linnet.pages._json import Reader, member_number, member_text

_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Method:
    """A way to run the model. `metrics` are times in ms and s, rates in tokens/s, sizes in MiB."""

    name: str
    kind: str
    metrics: Mapping[str, float]
    max_abs_diff: float | None
    notes: str
    error: str


@dataclass(frozen=True, slots=True)
class Bench:
    """One run of the benchmark; `environment` and `workload` say where and with what."""

    date: str
    environment: Mapping[str, str]
    workload: Mapping[str, str]
    methods: tuple[Method, ...] = field(default=())


def read_bench(value: object, name: str = "bench.json") -> Bench:
    """A run from a parsed file; ArgumentError with the place of what has another form."""
    members = Reader(name, value).object()
    methods = members.get("methods")
    return Bench(
        member_text(members, "date"),
        _plain(members.get("environment")),
        _plain(members.get("workload")),
        () if methods is None else tuple(map(_method, methods.list()[:_MOST])),
    )


def _plain(part: Reader | None) -> dict[str, str]:
    if part is None or part.value is None:
        return {}
    return {key: str(inner.value) for key, inner in part.object().items()}


def _method(part: Reader) -> Method:
    members = part.object()
    metrics = members.get("metrics")
    empty: Mapping[str, Reader] = {}
    found = empty if metrics is None or metrics.value is None else metrics.object()
    numbers = {key: inner.number() for key, inner in found.items() if inner.value is not None}
    return Method(
        member_text(members, "method"),
        member_text(members, "kind"),
        numbers,
        member_number(members, "max_abs_diff"),
        member_text(members, "notes"),
        member_text(members, "error"),
    )
