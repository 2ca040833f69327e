"""Rotary positions in a configuration, in the form of either generation of `transformers`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from linnet.errors import ConversionError
from linnet.nest._convert._config import Config

_LLAMA3 = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")
_FIELDS = {"default": (), "linear": ("factor",), "llama3": _LLAMA3}


@dataclass(frozen=True, slots=True)
class Rope:
    """The base of the turns, and how they are slowed for long texts; `values` by published name."""

    theta: float
    kind: str
    values: Mapping[str, float]

    def written(self) -> dict[str, object]:
        """The fields of a configuration that say this, which all versions read."""
        if self.kind == "default":
            return {"rope_theta": self.theta, "rope_scaling": None}
        fields: dict[str, object] = {"rope_type": self.kind, **self.values}
        if "original_max_position_embeddings" in fields:
            fields["original_max_position_embeddings"] = int(
                self.values["original_max_position_embeddings"]
            )
        return {"rope_theta": self.theta, "rope_scaling": fields}


def read_rope(config: Config, family: str, *known: str) -> Rope:
    """Return the rotary positions; ConversionError for a type that is not among `known`."""
    newer, older = config.get("rope_parameters"), config.get("rope_scaling")
    key = "rope_parameters" if newer is not None else "rope_scaling"
    given = newer if newer is not None else older
    if given is not None and not isinstance(given, dict):
        raise config.wrong(key, "an object or null")
    fields = dict(cast(dict[str, object], given or {}))
    theta = fields.pop("rope_theta", None)
    top = config.number("rope_theta", 10000.0)
    theta = top if theta is None else config.positive("rope_theta", theta)
    kind = fields.pop("rope_type", None)
    older_kind = fields.pop("type", None)
    kind = kind or older_kind or "default"
    if kind not in known:
        raise ConversionError(
            f"{config.name} asks for rope type `{kind}`, which is not known for {family}",
            f"known: {', '.join(known)}",
        )
    share = fields.pop("partial_rotary_factor", config.get("partial_rotary_factor"))
    if share not in (None, 1, 1.0):
        raise ConversionError(
            f"{config.name} turns only a part of each head (`partial_rotary_factor` {share}), "
            f"which is not known for {family}"
        )
    values = {name: config.positive(name, fields.pop(name, None)) for name in _FIELDS[str(kind)]}
    rest = [name for name, value in fields.items() if value is not None]
    if rest:
        raise ConversionError(
            f"{config.name} sets `{rest[0]}` in `{key}`, which is not known for rope type `{kind}`"
        )
    if kind == "llama3" and values["low_freq_factor"] >= values["high_freq_factor"]:
        raise ConversionError(f"{config.name}: `low_freq_factor` is not below `high_freq_factor`")
    return Rope(theta, str(kind), values)
