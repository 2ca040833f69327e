"""The way back: what a nest is called in `transformers`, and the configuration that says it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from linnet.errors import ConversionError
from linnet.nest._card import Card
from linnet.nest._convert._config import INERT, Config
from linnet.nest._convert._facts import Facts, Family
from linnet.nest._convert._names import published_name
from linnet.nest._convert._run import FAMILIES, members_of
from linnet.nest._convert._source import packaged_source, read_constants
from linnet.signature import Member

_LARGEST = 16 << 20  # Bytes of a configuration.
# What the weights and the program say, not the configuration that came with them.
_OWN = frozenset(("architectures", "model_type", "dtype", "torch_dtype", "transformers_version"))
_DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


@dataclass(frozen=True, slots=True)
class Published:
    """A nest in the terms of `transformers`: its class, its facts, and the name of each path.

    `others` are fields of a configuration that change no result: tokens, labels, the like.
    """

    family: Family
    architecture: str
    facts: Facts
    dtype: str
    names: Mapping[str, str]
    others: Mapping[str, object]

    def config(self) -> dict[str, object]:
        """The fields of `config.json`."""
        fields = {**self.family.write(self.facts, self.architecture), **self.others}
        return {**fields, "torch_dtype": _DTYPES[self.dtype]}


def published(
    card: Card, generics: Mapping[str, object], members: Sequence[Member], every: Sequence[Member]
) -> Published:
    """Return what a nest is to `transformers`, by its family, generics, constants and params.

    `members` are the params that are present, `every` those and the optional ones that are not.
    ConversionError names the first path, generic or constant that has no place there.
    """
    family = FAMILIES.get(card.family)
    if family is None:
        known = ", ".join(FAMILIES)
        raise ConversionError(
            f"`{card.name}` is of the family `{card.family}`, which has no place in transformers",
            f"known families: {known}",
        )
    root = card.root.rpartition("::")[2]
    classes = [name for name, shape in family.architectures.items() if shape.root == root]
    if not classes:
        raise ConversionError(
            f"the block `{root}` of `{card.name}` has no place in transformers",
            f"known of {family.name}: " + ", ".join(s.root for s in family.architectures.values()),
        )
    architecture = classes[0]
    numbers = {name: value for name, value in generics.items() if isinstance(value, int)}
    dtypes = sorted({member.dtype for member in members})
    if len(dtypes) != 1 or dtypes[0] not in _DTYPES:
        raise ConversionError(
            f"the params of `{card.name}` are {' and '.join(dtypes)}, not of one floating dtype"
        )
    _same_program(card, family, root, generics, every)
    facts = _facts(card, family, numbers, [member.path for member in members])
    _same_facts(card, family, architecture, facts, members, every)
    prefix = family.architectures[architecture].prefixes[0]
    names = {member.path: prefix + published_name(family.names, member.path) for member in members}
    return Published(family, architecture, facts, dtypes[0], names, _others(card))


def _same_program(
    card: Card,
    family: Family,
    root: str,
    generics: Mapping[str, object],
    every: Sequence[Member],
) -> None:
    """Refuse a path or a shape that the packaged program of the family does not have."""
    given = {name: value for name, value in generics.items() if isinstance(value, int | str)}
    known = {
        member.path: member for member in members_of(packaged_source(family.name), root, given)
    }
    for member in every:
        if member.path not in known:
            raise ConversionError(
                f"`{member.path}` has no place in {family.name} of transformers",
                "the program has a param that the family lacks",
            )
        if member.shape != known[member.path].shape:
            raise ConversionError(
                f"`{member.path}` has shape {list(member.shape)}, in transformers "
                f"{list(known[member.path].shape)}"
            )
    held = {member.path for member in every}
    for path, member in known.items():
        if path not in held and not member.optional:
            raise ConversionError(f"`{card.name}` lacks `{path}`, which {family.name} has")


def _facts(card: Card, family: Family, generics: Mapping[str, int], present: list[str]) -> Facts:
    text = card.program.read_text(encoding="utf-8")
    packaged = packaged_source(family.name)
    names = read_constants(packaged, packaged.read_text(encoding="utf-8"))
    own = read_constants(card.program, text)
    constants = {name: value for name, value in own.items() if name in names}
    for name in names:
        if name not in constants:
            raise ConversionError(f"{card.program} has no constant `{name}`")
    cached = generics.get("MaxSeq")
    positions = generics.get("MaxPositions") or _positions(card) or cached
    sizes = {k: v for k, v in generics.items() if k not in ("Batch", "MaxSeq")}
    held = tuple(p for p in family.optionals if any(fnmatchcase(path, p) for path in present))
    return Facts(sizes, constants, held, positions)


def _same_facts(
    card: Card,
    family: Family,
    architecture: str,
    facts: Facts,
    members: Sequence[Member],
    every: Sequence[Member],
) -> None:
    """Read the written configuration again: what it does not say has no place in it."""
    again = family.read(Config(family.write(facts, architecture)), architecture)
    for name, value in facts.generics.items():
        if again.generics.get(name) != value:
            raise ConversionError(
                f"`{name}` = {value} has no place in {architecture}, which has "
                f"{again.generics.get(name)}"
            )
    for name, value in again.constants.items():
        if facts.constants[name] != value:
            raise ConversionError(
                f"`{name}` = {facts.constants[name]} has no place in {architecture}, which has "
                f"{value}"
            )
    held = {member.path for member in members}
    for member in every:
        if not member.optional or any(fnmatchcase(member.path, p) for p in again.either):
            continue
        wanted = any(fnmatchcase(member.path, p) for p in again.present)
        if wanted and member.path not in held:
            raise ConversionError(
                f"`{card.name}` lacks `{member.path}`, which {architecture} has",
                "all params of its kind are there, or none is",
            )
        if not wanted and member.path in held:
            raise ConversionError(f"`{member.path}` has no place in {architecture}")


def _beside(card: Card) -> dict[str, object]:
    """The configuration that lies beside a card, empty where there is none that can be read."""
    path: Path = card.directory / "config.json"
    try:
        if path.stat().st_size > _LARGEST:
            return {}
        fields: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(k): v for k, v in fields.items()} if isinstance(fields, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _positions(card: Card) -> int | None:
    value = _beside(card).get("max_position_embeddings")
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _others(card: Card) -> dict[str, object]:
    return {key: value for key, value in _beside(card).items() if key in INERT and key not in _OWN}
