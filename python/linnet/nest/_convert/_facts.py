"""What a family of models is, and what one checkpoint of it says about itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from linnet.nest._convert._config import Config


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of an enum of the source: `Scaling.Llama3`."""

    enum: str
    name: str

    def __str__(self) -> str:
        return f"{self.enum}.{self.name}"


Constant = float | Variant


@dataclass(frozen=True, slots=True)
class Facts:
    """One checkpoint of a family.

    `generics` are the sizes of the root, without its dtype and the sizes of its caches;
    `constants` the `const` items of the source that are the checkpoint's own. `present` are
    patterns of the optional paths that its weights hold (`*` stands for anything), `either` of
    those that are all there or all absent, whichever, since the configuration does not say.
    `positions` is the longest sequence, where there is a longest.
    """

    generics: Mapping[str, int]
    constants: Mapping[str, Constant] = field(default_factory=dict[str, Constant])
    present: tuple[str, ...] = ()
    positions: int | None = None
    either: tuple[str, ...] = ()

    def number(self, name: str) -> float:
        """A constant that is a number."""
        value = self.constants[name]
        assert isinstance(value, float), name
        return value

    def variant(self, name: str) -> str:
        """A constant that is a variant of an enum, by its name."""
        value = self.constants[name]
        assert isinstance(value, Variant), name
        return value.name


@dataclass(frozen=True, slots=True)
class Architecture:
    """A class of `transformers`: the root that it is, and what may stand before its names."""

    root: str = "Model"
    prefixes: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class Family:
    """A family: how its configurations read and are written, and what its tensors are called.

    `names` maps paths of the source to published names, where they differ; `{i}` stands for a
    position in an array. `inert` are patterns of published tensors that nothing needs.
    `write(facts, architecture)` is the inverse of `read`. `tied` is the path of the embedding that
    a head may share, `optionals` are all patterns that facts can have as present, and `small`
    are sizes of a twin with the same structure.
    """

    name: str
    title: str
    tags: tuple[str, ...]
    architectures: Mapping[str, Architecture]
    read: Callable[[Config, str], Facts]
    write: Callable[[Facts, str], dict[str, object]]
    names: tuple[tuple[str, str], ...] = ()
    inert: tuple[str, ...] = ()
    entry: str = "forward"
    check: Mapping[str, int] = field(default_factory=lambda: {"B": 1, "S": 8})
    has_cache: bool = True
    optionals: tuple[str, ...] = ()
    tied: str | None = None
    small: Callable[[Mapping[str, int]], dict[str, int]] = dict
