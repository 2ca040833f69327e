"""An engine over an artifact: only what was compiled exists."""

from collections.abc import Iterable, Mapping, Sequence

from linnet.artifact import Artifact, Entry, Variant
from linnet.backends import Instance
from linnet.errors import UsageError, unknown_name
from linnet.runtime._arguments import shape_of
from linnet.runtime._engine import Chosen, Engine, Generics
from linnet.runtime._instances import load_variant
from linnet.signature import Member, Signature, at_sizes, solve_sizes
from linnet.weights import Bound


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


class ArtifactEngine:
    """The entries of one variant of an artifact, loaded with weights."""

    def __init__(self, artifact: Artifact, variant: Variant, bound: Bound) -> None:
        self._manifest = artifact.manifest
        self.instance: Instance = load_variant(artifact, variant, bound)

    def names(self) -> Sequence[str]:
        """Return the entries' names."""
        return list(dict.fromkeys(e.signature.entry for e in self._manifest.entries))

    def _entries(self, entry: str) -> list[Entry]:
        found = [e for e in self._manifest.entries if e.signature.entry == entry]
        if not found:
            raise unknown_name("no entry", entry, self.names(), "compiled entries")
        return found

    def inputs(self, entry: str) -> Sequence[str]:
        """Return the names of an entry's inputs."""
        return [value.name for value in self._entries(entry)[0].signature.inputs]

    def compiled(self, entry: str) -> Sequence[Signature] | None:
        """Return the sizes at which the entry was compiled."""
        return [e.signature for e in self._entries(entry)]

    def choose(self, entry: str, inputs: Mapping[str, object], generics: Generics) -> Chosen:
        """Return the function whose generics and shapes are those of the call.

        With none that fits, the first, so that the check of the arguments says what differs.
        """
        entries = self._entries(entry)
        for name, value in generics.items():
            if name in entries[0].signature.symbols:
                continue
            if name not in entries[0].signature.generics:
                bound = self._manifest.generics.items()
                own = entries[0].signature.generics
                raise UsageError(
                    f"entry `{entry}` has no generic `{name}`",
                    f"it has {_listed(own)}; the artifact was compiled for "
                    + (", ".join(f"{each} = {of}" for each, of in bound) or "a root without any"),
                )
            entries = [e for e in entries if e.signature.generics[name] == value]
            if not entries:
                raise UsageError(
                    f"entry `{entry}` was not compiled for {name} = {value}",
                    f"compile it with `--bind {name}={value}`",
                )
        shapes = {name: shape_of(name, value) for name, value in inputs.items()}
        for each in entries:
            if each.signature.symbols:
                sizes = solve_sizes(each.signature, shapes)
                for name, value in generics.items():
                    if sizes.get(name, value) != value:
                        raise UsageError(
                            f"{name} = {value} where the inputs have {name} = {sizes[name]}",
                            "the inputs' shapes decide it",
                        )
                if len(sizes) == len(each.signature.symbols):
                    return Chosen(each.function, at_sizes(each.signature, sizes))
            if all(shapes.get(v.name, v.shape) == v.shape for v in each.signature.inputs):
                return Chosen(each.function, each.signature)
        return Chosen(entries[0].function, entries[0].signature)

    def states(self) -> Sequence[Member]:
        """Return the states in manifest order."""
        return self._manifest.states

    def session(self) -> Engine:
        """Return an engine over the same code and weights with its own states."""
        other = object.__new__(ArtifactEngine)
        other._manifest = self._manifest
        other.instance = self.instance.session()
        return other
