"""Files of the Hugging Face Hub, at commits, each proven by its hash before it is used.

Downloads are huggingface-hub's, into its own cache: it waits for other processes that fetch the
same file, and goes on after a cut connection. What it does not do is done here: it takes the bytes
for what they are said to be, and it would take any file.
"""

import errno
import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar, final

from linnet.errors import LinnetError, NestError, WeightsError
from linnet.nest._backends import needs_extra
from linnet.nest._home import note_verified, verified
from linnet.nest._progress import bars
from linnet.weights import Tensor, header_size, read_header

T = TypeVar("T")

COMMIT: Final = re.compile(r"[0-9a-f]{40}")
REPO: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_WAITS: Final = (0.5, 1.5)  # Seconds before the second and the third try.
_SECONDS: Final = 20.0
# Most headers of safetensors files are shorter, so that one request reads them.
_GUESS: Final = 1 << 17
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file at a commit: its bytes, and their hash.

    `hash` is a SHA-256 where the Hub stores the file apart (LFS), else git's SHA-1 of a blob.
    """

    repo: str
    revision: str
    path: str
    bytes: int
    hash: str

    def __str__(self) -> str:
        return f"{self.path} of {self.repo}"


def is_offline() -> bool:
    """Whether the environment forbids the network: `HF_HUB_OFFLINE=1`."""
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")


@final
class Hub:
    """The Hub that `HF_ENDPOINT` names, or the public one.

    Methods raise NestError for whatever is in the way, CapabilityError where huggingface-hub is
    not installed.
    """

    def __init__(self, offline: bool = False) -> None:
        self.offline = offline or is_offline()
        self._endpoint = os.environ.get("HF_ENDPOINT") or None

    def _library(self) -> Any:
        try:
            import huggingface_hub
        except ModuleNotFoundError:
            raise needs_extra("a download", "hub", "huggingface_hub") from None
        return huggingface_hub

    def _online(self, what: str) -> Any:
        """The library, where the network may be used."""
        if self.offline:
            raise NestError(
                f"{what} is not here, and downloads are off",
                "leave out --offline and HF_HUB_OFFLINE to fetch it",
            )
        return self._library()

    def resolve(self, repo: str, revision: str) -> str:
        """Return the commit that a branch or tag stands for now."""
        return self.listing(repo, revision)[0]

    def listing(self, repo: str, revision: str) -> tuple[str, list[RemoteFile]]:
        """Return the commit of a revision and the files that it has."""
        library = self._online(f"{repo} at {revision}")
        api = library.HfApi(endpoint=self._endpoint)
        info = _ask(
            lambda: api.model_info(repo, revision=revision, files_metadata=True, timeout=_SECONDS),
            f"{repo} at {revision}",
        )
        commit = str(info.sha)
        if COMMIT.fullmatch(commit) is None:
            raise NestError(f"the Hub gives no commit for {repo} at {revision}")
        files: list[RemoteFile] = []
        for each in info.siblings or ():
            lfs = each.lfs
            found = str(lfs.sha256 if lfs is not None else each.blob_id)
            files.append(RemoteFile(repo, commit, each.rfilename, each.size or 0, found))
        return commit, files

    def file(self, repo: str, revision: str, path: str) -> RemoteFile:
        """Return what the Hub says of a file at a commit."""
        library = self._online(f"{path} of {repo}")
        url = library.hf_hub_url(repo, path, revision=revision, endpoint=self._endpoint)
        said = _ask(
            lambda: library.get_hf_file_metadata(url, timeout=_SECONDS, endpoint=self._endpoint),
            f"{path} of {repo}",
        )
        if said.commit_hash != revision:
            raise NestError(
                f"the Hub answers for {path} of {repo} with commit {said.commit_hash}, not with "
                f"{revision}",
                "check HF_ENDPOINT",
            )
        found = str(said.etag or "")
        if said.size is None or not (_SHA256.fullmatch(found) or COMMIT.fullmatch(found)):
            raise NestError(f"the Hub gives no size and hash for {path} of {repo}")
        return RemoteFile(repo, revision, path, said.size, found)

    def header(self, file: RemoteFile) -> dict[str, Tensor]:
        """Return the tensors of a remote safetensors file: its header alone is fetched.

        WeightsError for one that is malformed.
        """
        name = str(file)
        head = self._start(file, min(_GUESS, file.bytes))
        end = header_size(name, head[:8], file.bytes)
        if end > len(head):
            head = self._start(file, end)
        if len(head) < end:
            raise WeightsError(f"{name} is truncated: its header has {end} bytes")
        return read_header(name, head[:end], file.bytes)

    def _start(self, file: RemoteFile, size: int) -> bytes:
        """Return the first bytes of a file, however much of it the server would send."""
        library = self._online(str(file))
        url = library.hf_hub_url(
            file.repo, file.path, revision=file.revision, endpoint=self._endpoint
        )

        def read() -> bytes:
            headers = library.utils.build_hf_headers()
            headers |= {"Range": f"bytes=0-{size - 1}", "Accept-Encoding": "identity"}
            read = b""
            session = library.utils.get_session()
            with session.stream(
                "GET", url, headers=headers, timeout=_SECONDS, follow_redirects=True
            ) as response:
                library.utils.hf_raise_for_status(response)
                for chunk in response.iter_bytes():
                    read += chunk
                    if len(read) >= size:
                        break
            return read[:size]

        return _ask(read, str(file))

    def cached(self, repo: str, revision: str, path: str) -> Path | None:
        """Return a file that is here and was found to be whole, without the network."""
        known = verified(repo, revision, path)
        if known is not None:
            return known[0]
        try:
            library = self._library()
        except LinnetError:
            return None
        found = library.try_to_load_from_cache(
            repo, path, revision=revision, cache_dir=self._folder(library)
        )
        if not isinstance(found, str):
            return None
        # The cache names what it keeps by its hash.
        blob = Path(found).resolve()
        if not (_SHA256.fullmatch(blob.name) or COMMIT.fullmatch(blob.name)):
            return None
        size = blob.stat().st_size
        self._prove(RemoteFile(repo, revision, path, size, blob.name), Path(found))
        return Path(found)

    def peek(self, repo: str, revision: str, path: str) -> bool:
        """Whether a file seems to be here; its hash is not looked at."""
        if verified(repo, revision, path) is not None:
            return True
        try:
            library = self._library()
        except LinnetError:
            return False
        folder = self._folder(library)
        return isinstance(
            library.try_to_load_from_cache(repo, path, revision=revision, cache_dir=folder), str
        )

    def fetch(self, file: RemoteFile) -> Path:
        """Return where a file lies once it is here and its hash is that of the Hub."""
        found = self.cached(file.repo, file.revision, file.path)
        if found is not None:
            return found
        library = self._online(str(file))
        folder = self._folder(library)
        _check_space(Path(folder), file)
        with bars(file.path) as bar:
            got = _ask(
                lambda: library.hf_hub_download(
                    file.repo,
                    file.path,
                    revision=file.revision,
                    endpoint=self._endpoint,
                    cache_dir=folder,
                    tqdm_class=bar,
                ),
                str(file),
                waits=(),
            )
        self._prove(file, Path(got))
        return Path(got)

    def _folder(self, library: Any) -> str:
        given = os.environ.get("HF_HUB_CACHE")
        return given or str(import_module(f"{library.__name__}.constants").HF_HUB_CACHE)

    def _prove(self, file: RemoteFile, path: Path) -> None:
        """Check a file's hash, and remember that it was right; one that is not is removed."""
        try:
            found = hash_of(path, file.hash)
        except OSError as error:
            raise NestError(f"cannot read {path}: {_reason(error)}") from None
        if found != file.hash:
            blob = path.resolve()
            for each in (path, blob):
                each.unlink(missing_ok=True)
            kind = "SHA-256" if len(file.hash) == 64 else "git hash"
            raise NestError(
                f"{file} has the {kind} {found}, the Hub says {file.hash}: it was removed",
                "pull it again; if it happens again, what serves it changes it",
            )
        note_verified(file.repo, file.revision, file.path, path.resolve(), found)


def hash_of(path: Path, like: str) -> str:
    """Return a file's SHA-256, or git's SHA-1 of it as a blob, after the length of `like`."""
    if len(like) == 64:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    whole = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            whole.update(chunk)
    return whole.hexdigest()


def _check_space(folder: Path, file: RemoteFile) -> None:
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    if free < file.bytes:
        from linnet.cache import show_size

        raise NestError(
            f"{file} needs {show_size(file.bytes)}, and {folder} has {show_size(free)} free",
            "make room, or name another folder with HF_HUB_CACHE",
        )


def _ask(ask: Callable[[], T], what: str, waits: tuple[float, ...] = _WAITS) -> T:
    """Ask the Hub; again where it is busy or out of reach. NestError says what was in the way."""
    for wait in (*waits, None):
        try:
            return ask()
        except LinnetError:
            raise
        except Exception as error:  # Whatever the code of another library raises.
            said, passing = _said(error, what)
            if wait is None or not passing:
                raise said from None
            time.sleep(wait)
    raise AssertionError


def _said(error: Exception, what: str) -> tuple[NestError, bool]:
    """What an error of the library's means, and whether another try may help."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    status = getattr(getattr(error, "response", None), "status_code", None)
    if "GatedRepoError" in kinds:
        hint = "accept its terms on the Hub, and log in: `hf auth login`"
        return NestError(f"{what} is open only to those who accepted its terms", hint), False
    if "RepositoryNotFoundError" in kinds or status == 401:
        hint = "check the name; a private one needs `hf auth login`"
        return NestError(f"the Hub has no {what}", hint), False
    if "RevisionNotFoundError" in kinds:
        return NestError(f"the Hub has no such revision: {what}", "check the commit"), False
    if "EntryNotFoundError" in kinds or status == 404:
        return NestError(f"the Hub has no {what}", "check the card and its revision"), False
    if "OfflineModeIsEnabled" in kinds:
        return NestError(
            f"{what} is not here, and downloads are off", "unset HF_HUB_OFFLINE"
        ), False
    if isinstance(status, int):
        passing = status >= 500 or status in (408, 429)
        hint = "try again later" if passing else "check HF_ENDPOINT and your access"
        return NestError(f"the Hub answers {status} for {what}", hint), passing
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NestError(f"no space is left for {what}: {_reason(error)}", "make room"), False
    if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
        return NestError(f"cannot write {error.filename}: {_reason(error)}"), False
    reason = next(iter(str(error).splitlines()), "") or type(error).__name__
    hint = "check the network and HF_ENDPOINT"
    return NestError(f"cannot fetch {what}: {reason[:200]}", hint), True


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
