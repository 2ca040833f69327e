"""From a name or a path to the card of a nest."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from linnet.errors import NestError, UsageError
from linnet.nest._card import CARD, Card, read_card
from linnet.nest._hub import Hub
from linnet.nest._pull import (
    Pulled,
    Tell,
    pull_nest,
    pull_weights,
    pulled_nest,
    pulled_nests,
    silent,
    split_revision,
)
from linnet.nest._weights import files_beside

# The models that come with the package.
MODELS: Final = Path(__file__).with_name("models")


def packaged() -> list[str]:
    """Return the names of the models that come with the package."""
    return sorted(path.parent.name for path in MODELS.glob(f"*/{CARD}"))


def find(name_or_path: str | os.PathLike[str], hub: Hub | None = None) -> Card:
    """Return the card of a packaged model, of a directory, or of a repo of the Hub.

    A name of a packaged model is that model, whatever lies in the working directory; `./gpt2` is
    the directory. A repo is `OWNER/NAME`, or `OWNER/NAME@REVISION`; one that was not pulled is
    pulled where there is a `hub`. NestError for what is none of these, and for what is in the way.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, str) and name in packaged():
        return read_card(MODELS / name)
    path = Path(name_or_path)
    if path.name == CARD and path.is_file():
        path = path.parent
    if path.is_dir():
        return read_card(path)
    split = split_revision(name) if isinstance(name_or_path, str) else None
    if split is not None and not path.is_absolute():
        here = pulled_nest(*split)
        if here is not None:
            return read_card(here)
        if hub is not None and not hub.offline:
            return pull_nest(*split, hub).card
        raise NestError(f"the nest `{name}` is not here", f"`linnet nest pull {name}` fetches it")
    raise _unknown(name)


def pull(
    name_or_path: str | os.PathLike[str],
    revision: str | None = None,
    *,
    offline: bool = False,
    tell: Tell = silent,
) -> Pulled:
    """Fetch what a nest lacks: a repo's files, and the weights that a card names on the Hub.

    `name_or_path` as in `find`; `revision` is a commit, branch or tag of a repo. `tell` is called
    with a line for each thing that was resolved or fetched. Errors as those of `load`.
    """
    hub = Hub(offline)
    name = str(name_or_path)
    split = split_revision(name) if isinstance(name_or_path, str) else None
    if split is not None and name not in packaged() and not Path(name).is_dir():
        repo, asked = split
        if asked is not None and revision is not None:
            raise UsageError(f"`{name}` names a revision already", "give one of the two")
        wanted = asked or revision
        if hub.offline:
            return pull_weights(find(repo if wanted is None else f"{repo}@{wanted}"), hub, tell)
        return pull_nest(repo, wanted, hub, tell)
    if revision is not None:
        raise UsageError(f"`{name}` has no revisions", "those of a repo OWNER/NAME have")
    return pull_weights(find(name_or_path), hub, tell)


def weight_files(hub: Hub) -> Callable[[Card], Sequence[Path]]:
    """Return what finds the weights files of a card: beside it, or on the Hub."""

    def files(card: Card) -> Sequence[Path]:
        if card.weights is None or card.weights.repo is None:
            return files_beside(card)
        return [path for _, path in pull_weights(card, hub).files]

    return files


def _unknown(name: str) -> NestError:
    from linnet.diagnostics import did_you_mean

    names = [*packaged(), *pulled_nests()]
    near = did_you_mean(name, names)
    asked = f"did you mean `{near}`? " if near else ""
    listed = ", ".join(f"`{each}`" for each in names)
    return NestError(
        f"no nest `{name}`: neither a model of the package, nor a directory with a {CARD}, nor a "
        "repo OWNER/NAME",
        f"{asked}nests that are here: {listed}",
    )
