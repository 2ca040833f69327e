"""Pulls nests from the Hub, and the weights that a card names.

A nest's small files come first and are checked: the card, then the program. The header of each
weights file is compared with the program's parameters before the file is fetched. Nothing that a
repo holds is ever run, and kinds of files that a nest does not have are not fetched.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from linnet.errors import NestError, WeightsError
from linnet.nest._card import CARD, Card, read_card
from linnet.nest._home import nest_home, verified, write_whole
from linnet.nest._hub import COMMIT, REPO, Hub, RemoteFile, hash_of
from linnet.nest._inside import outside
from linnet.nest._program import open_program
from linnet.nest._weights import Held, misfits
from linnet.weights import Tensor, Tensors, read_bindings

Tell = Callable[[str], None]

# A nest has these kinds of files; whatever else a repo holds stays there.
_KINDS: Final = (".linnet", ".json", ".md", ".toml", ".txt")
_NAMES: Final = ("LICENSE", "NOTICE", "tokenizer.model")
_SMALL: Final = 64 << 20
_MOST_FILES: Final = 2000
_CURRENT: Final = "current"


@dataclass(frozen=True, slots=True)
class Pulled:
    """A card, and the weights files that are now here with their hashes."""

    card: Card
    files: tuple[tuple[RemoteFile, Path], ...] = ()


def silent(_: str) -> None:
    """Tell nobody."""


def pull_weights(card: Card, hub: Hub, tell: Tell = silent) -> Pulled:
    """Fetch the weights that a card names on the Hub, unless they are here.

    NestError for what is in the way, WeightsError with every tensor that does not fit.
    """
    weights = card.weights
    if weights is None or weights.repo is None or weights.revision is None:
        return Pulled(card)
    here: dict[str, Path] = {}
    for path in weights.files:
        found = hub.cached(weights.repo, weights.revision, path)
        if found is not None:
            here[path] = found
    missing = [path for path in weights.files if path not in here]
    remote = {path: hub.file(weights.repo, weights.revision, path) for path in missing}
    for path, file in remote.items():
        wanted = weights.sha256.get(path)
        if wanted is not None and len(file.hash) == 64 and wanted != file.hash:
            line = card.lines.get(("weights", "sha256", path), 1)
            raise NestError(
                f"{CARD}:{line}: {file} has the SHA-256 {file.hash} on the Hub, the card says "
                f"{wanted}",
                "one of the two was changed: do not use it",
            )
    if missing:
        tell(f"weights of `{card.name}`: {weights.repo} at {weights.revision}")
        check_remote(card, hub, list(remote.values()), here)
    for path, file in remote.items():
        here[path] = hub.fetch(file)
        tell(f"  {path}: {file.bytes} bytes, {file.hash}")
    _check_card_hashes(card, here)
    files = tuple(
        (
            remote.get(path) or _known(weights.repo, weights.revision, path, here[path]),
            here[path],
        )
        for path in weights.files
    )
    return Pulled(card, files)


def _known(repo: str, revision: str, path: str, here: Path) -> RemoteFile:
    """Describe a file that was proven before."""
    known = verified(repo, revision, path)
    found = hash_of(here, "0" * 64) if known is None else known[1]
    return RemoteFile(repo, revision, path, here.stat().st_size, found)


def _check_card_hashes(card: Card, here: dict[str, Path]) -> None:
    """Compare files with the hashes of the card that the Hub's own did not prove."""
    weights = card.weights
    assert weights is not None
    assert weights.repo is not None
    assert weights.revision is not None
    for path, wanted in weights.sha256.items():
        known = verified(weights.repo, weights.revision, path)
        found = known[1] if known is not None and len(known[1]) == 64 else None
        if found is None:
            found = hash_of(here[path], wanted)
        if found != wanted:
            line = card.lines.get(("weights", "sha256", path), 1)
            raise NestError(
                f"{CARD}:{line}: {here[path]} has the SHA-256 {found}, the card says {wanted}",
                "one of the two was changed: do not use it",
            )


def check_remote(
    card: Card, hub: Hub, remote: Sequence[RemoteFile], here: dict[str, Path] | None = None
) -> None:
    """Compare the headers of remote files with the program's parameters.

    WeightsError with every parameter that has no tensor, or one of another dtype or shape.
    """
    from linnet.weights import read_safetensors

    found: dict[tuple[str | None, str], Tensor] = {}
    for file in remote:
        found |= {(None, name): tensor for name, tensor in hub.header(file).items()}
    for path in (here or {}).values():
        found |= {(None, name): tensor for name, tensor in read_safetensors(path).items()}
    rules = read_bindings(card.bindings)
    name = str(remote[0]) if len(remote) == 1 and not here else f"the weights of `{card.name}`"
    refuse_misfits(card, Held(Tensors(found, name), rules))


def refuse_misfits(card: Card, held: Held) -> None:
    """Raise WeightsError with every parameter of the card's program that does not fit."""
    opened = open_program(card)
    problems = misfits(held, opened.request_for(held)[1])
    if not problems:
        return
    first = problems[0]
    if len(problems) == 1:
        raise WeightsError(first.message, first.hint)
    shown = "; ".join(each.message for each in problems[:5])
    more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
    raise WeightsError(f"{len(problems)} parameters do not fit: {shown}{more}", first.hint)


def split_revision(name: str) -> tuple[str, str | None] | None:
    """Return the repo and the revision of `OWNER/NAME[@REVISION]`; None for what is none."""
    repo, at, revision = name.partition("@")
    if REPO.fullmatch(repo) is None or ".." in repo or (at and not revision):
        return None
    return repo, revision or None


def _folder(repo: str) -> Path:
    return nest_home() / "pulled" / repo.replace("/", "--")


def pulled_nests() -> dict[str, Path]:
    """Return the directory of the commit last pulled of each repo."""
    found: dict[str, Path] = {}
    with suppress(OSError):
        for folder in sorted((nest_home() / "pulled").iterdir()):
            repo = folder.name.replace("--", "/", 1)
            directory = pulled_nest(repo, None)
            if directory is not None:
                found[repo] = directory
    return found


def pulled_nest(repo: str, revision: str | None) -> Path | None:
    """Return the directory of a repo's commit, or of the commit last pulled, if it is here."""
    folder = _folder(repo)
    if revision is None:
        try:
            revision = (folder / _CURRENT).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
    if COMMIT.fullmatch(revision) is None:
        return None
    return folder / revision if (folder / revision / CARD).is_file() else None


def pull_nest(repo: str, revision: str | None, hub: Hub, tell: Tell = silent) -> Pulled:
    """Fetch a nest's repo at a commit, with its weights. A branch or tag is resolved and told.

    The files lie in a folder of that commit, which appears when all of them are there.
    """
    if revision is None or COMMIT.fullmatch(revision) is None:
        asked = revision or "main"
        commit = hub.resolve(repo, asked)
        tell(f"{repo} at {asked} is commit {commit}")
    else:
        commit = revision
    directory = _folder(repo) / commit
    if not (directory / CARD).is_file():
        _fetch_nest(repo, commit, directory, hub, tell)
    card = read_card(directory)
    pulled = pull_weights(card, hub, tell)
    try:
        write_whole(_folder(repo) / _CURRENT, f"{commit}\n".encode())
    except OSError as error:
        raise _unwritable(_folder(repo), error) from None
    return pulled


def _fetch_nest(repo: str, commit: str, directory: Path, hub: Hub, tell: Tell) -> None:
    _, listed = hub.listing(repo, commit)
    if len(listed) > _MOST_FILES:
        raise NestError(f"{repo} has {len(listed)} files, more than {_MOST_FILES}")
    small = {file.path: file for file in listed if _is_small(file)}
    if CARD not in small:
        raise NestError(f"{repo} at {commit} has no {CARD}", "it is no nest")
    work: Path | None = None
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{commit}-", dir=directory.parent))
        # The card first: where that is refused, nothing else is fetched.
        _place(hub.fetch(small.pop(CARD)), work / CARD)
        read_card(work)
        for file in small.values():
            _place(hub.fetch(file), work / file.path)
        card = read_card(work)  # Now with its files, whose links count.
        tell(f"{repo}: {len(small) + 1} files of `{card.name}`")
        open_program(card).members()
        _own_weights(card, listed, hub, work, tell)
        os.chmod(work, 0o755)
        with suppress(FileExistsError):
            _settle(work, directory)
    except OSError as error:
        raise _unwritable(directory, error) from None
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)


def _own_weights(
    card: Card, listed: Sequence[RemoteFile], hub: Hub, work: Path, tell: Tell
) -> None:
    """Fetch the weights that lie in the nest's own repo."""
    weights = card.weights
    if weights is None or weights.repo is not None:
        return
    known = {file.path: file for file in listed}
    for path in weights.files:
        if path not in known:
            raise NestError(f"{CARD} names the weights {path}, which the repo does not have")
    remote = [known[path] for path in weights.files]
    for file in remote:
        wanted = weights.sha256.get(file.path)
        if wanted is not None and wanted != file.hash:
            raise NestError(
                f"{file} has the SHA-256 {file.hash} on the Hub, the card says {wanted}",
                "one of the two was changed: do not use it",
            )
    check_remote(replace(card, directory=work), hub, remote)
    for file in remote:
        _place(hub.fetch(file), work / file.path)
        tell(f"  {file.path}: {file.bytes} bytes, {file.hash}")


def _is_small(file: RemoteFile) -> bool:
    """Whether a file of a repo is one that a nest has, other than weights. NestError for a name
    that leads elsewhere."""
    if outside(file.path) is not None:
        raise NestError(
            f"{file.repo} has a file {file.path!r}, which {outside(file.path)}", "do not use it"
        )
    name = file.path.rpartition("/")[2]
    if name.startswith(".") or not (name.endswith(_KINDS) or name in _NAMES):
        return False
    if name.endswith(".toml") and name not in (CARD, "linnet.toml"):
        return False
    if file.bytes > _SMALL:
        raise NestError(f"{file} has {file.bytes} bytes, more than {_SMALL}", "do not use it")
    return True


def _place(source: Path, target: Path) -> None:
    """Put a file of the Hub's cache into a nest: the same bytes where the disk is the same."""
    target.parent.mkdir(parents=True, exist_ok=True)
    blob = source.resolve()
    try:
        os.link(blob, target)
    except OSError:
        shutil.copyfile(blob, target)


def _settle(work: Path, directory: Path) -> None:
    """Give a finished folder its name; one that another process was first to make stays."""
    try:
        work.rename(directory)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise


def _unwritable(path: Path, error: OSError) -> NestError:
    reason = (error.strerror or str(error)).lower()
    return NestError(f"cannot write {path}: {reason}", "name another folder: LINNET_NEST_DIR")
