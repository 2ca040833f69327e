"""What is here, and what a nest is, as plain data for a reader or a program."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from linnet.errors import LinnetError
from linnet.nest._card import Card, read_card
from linnet.nest._find import MODELS, packaged
from linnet.nest._hub import Hub
from linnet.nest._program import open_program
from linnet.nest._pull import pulled_nests
from linnet.signature import Member

Json = dict[str, Any]


def listed() -> list[Json]:
    """Return the models of the package, then those that were pulled.

    Each has `name` (for `load`), `origin` (`package` or `hub`), `directory`, `problem` (null, or
    why its card is refused) and, with a sound card, `title`, `summary`, `license`, `family` and
    `weights`: `here`, `missing`, `incomplete`, or null where the card names none.
    """
    places = [(name, "package", MODELS / name) for name in packaged()]
    places += [(repo, "hub", path) for repo, path in pulled_nests().items()]
    return [_row(name, origin, path) for name, origin, path in places]


def _row(name: str, origin: str, directory: Path) -> Json:
    row: Json = {"name": name, "origin": origin, "directory": str(directory), "problem": None}
    try:
        card = read_card(directory)
    except LinnetError as error:
        return row | {"problem": error.message}
    return row | {
        "title": card.title,
        "summary": card.summary,
        "license": card.license,
        "family": card.family,
        "weights": weights_state(card),
    }


def weights_state(card: Card) -> str | None:
    """Say whether a card's weights are on this machine, without the network."""
    weights = card.weights
    if weights is None:
        return None
    hub = Hub(offline=True)
    found: list[bool] = []
    for path in weights.files:
        if weights.repo is None or weights.revision is None:
            found.append((card.directory / path).is_file())
        else:
            found.append(hub.peek(weights.repo, weights.revision, path))
    return "here" if all(found) else "incomplete" if any(found) else "missing"


def described(card: Card, name: str) -> Json:
    """Return a card with its program's entries and parameters.

    ProgramError and UsageError as `open_program`.
    """
    opened = open_program(card)
    members = opened.members()
    weights = card.weights
    return {
        "version": 1,
        "name": name,
        "directory": str(card.directory),
        "title": card.title,
        "summary": card.summary,
        "license": card.license,
        "family": card.family,
        "tags": list(card.tags),
        "links": dict(card.links),
        "source": {"path": card.source, "root": card.root, "entry": card.entry},
        "generics": {k: _plain(v) for k, v in card.generics.items()},
        "check": {k: _plain(v) for k, v in card.check.items()},
        "entries": {each: str(signature) for each, signature in opened.signatures().items()},
        "parameters": parameter_count(members),
        "bytes": sum(_count(each) * each.numpy.itemsize for each in members),
        "weights": None
        if weights is None
        else {
            "state": weights_state(card),
            "repo": weights.repo,
            "revision": weights.revision,
            "files": list(weights.files),
            "bindings": weights.bindings,
            "sha256": dict(weights.sha256),
        },
        "tokenizer": card.tokenizer,
    }


def _plain(value: int | str | Sequence[int]) -> int | str | list[int]:
    return value if isinstance(value, int | str) else list(value)


def _count(member: Member) -> int:
    return int(np.prod(member.shape, dtype=np.int64))


def parameter_count(members: Sequence[Member]) -> int:
    """Return how many numbers the params hold."""
    return sum(_count(each) for each in members if each.kind == "param")
