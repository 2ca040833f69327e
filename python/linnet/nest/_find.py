"""From a name or a path to the card of a nest."""

import os
from pathlib import Path
from typing import Final

from linnet.errors import NestError
from linnet.nest._card import CARD, Card, read_card

# The models that come with the package.
MODELS: Final = Path(__file__).with_name("models")


def packaged() -> list[str]:
    """Return the names of the models that come with the package."""
    return sorted(path.parent.name for path in MODELS.glob(f"*/{CARD}"))


def find(name_or_path: str | os.PathLike[str]) -> Card:
    """Return the card of a packaged model, or of a directory.

    A name of a packaged model is that model, whatever lies in the working directory; `./gpt2` is
    the directory. NestError for what is neither, and where the card cannot be read.
    """
    if isinstance(name_or_path, str) and name_or_path in packaged():
        return read_card(MODELS / name_or_path)
    path = Path(name_or_path)
    if path.name == CARD and path.is_file():
        path = path.parent
    if path.is_dir():
        return read_card(path)
    raise _unknown(str(name_or_path))


def _unknown(name: str) -> NestError:
    from linnet.diagnostics import did_you_mean

    names = packaged()
    near = did_you_mean(name, names)
    asked = f"did you mean `{near}`? " if near else ""
    listed = ", ".join(f"`{each}`" for each in names)
    return NestError(
        f"no nest `{name}`: neither a model of the package nor a directory with a {CARD}",
        f"{asked}models of the package: {listed}",
    )
