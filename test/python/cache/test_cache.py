"""The cache gives back what was kept, whole, or nothing; it is never the reason of a failure."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import linnet
from linnet.cache import CacheNotice, Store, bypassed, cached, key_of, place, read_size, show_size
from linnet.errors import UsageError

PACKAGE = Path(linnet.__file__).parent
KEY = key_of({"a": "1"})
OTHER = key_of({"a": "2"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def made(*results: bytes) -> Callable[[], bytes]:
    """Return what gives one result after the other, and fails when it is called once more."""
    waiting = list(results)
    return lambda: waiting.pop(0)


def entry(folder: Path) -> Path:
    (found,) = folder.glob("*/*.entry")
    return found


def test_a_result_is_made_once(folder: Path):
    assert cached(KEY, "x", made(b"one")) == b"one"
    assert cached(KEY, "x", made()) == b"one"
    assert cached(OTHER, "x", made(b"two")) == b"two"
    assert [each.label for each in Store(folder, 1 << 20).kept()] == ["x", "x"]


def test_parts_that_differ_anywhere_have_other_keys():
    parts = ({"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}, {"a": "", "bc": ""}, {"a": b"\xff"})
    assert len({key_of(each) for each in parts}) == len(parts)
    assert key_of({"a": "1", "b": "2"}) == key_of({"b": "2", "a": "1"})


def test_nothing_is_read_or_kept_when_it_is_off(folder: Path, monkeypatch: pytest.MonkeyPatch):
    with bypassed():
        assert cached(KEY, "x", made(b"one")) == b"one"
    monkeypatch.setenv("LINNET_NO_CACHE", "1")
    assert cached(KEY, "x", made(b"two")) == b"two"
    assert not folder.exists()
    monkeypatch.setenv("LINNET_NO_CACHE", "0")
    with bypassed(False):
        assert cached(KEY, "x", made(b"three")) == b"three"
    assert entry(folder).exists()


@pytest.mark.parametrize("at", [0, 20, 60, -1])
def test_a_flipped_byte_is_no_entry(folder: Path, at: int):
    cached(KEY, "x", made(b"one"))
    raw = bytearray(entry(folder).read_bytes())
    raw[at] ^= 1
    entry(folder).write_bytes(raw)
    assert cached(KEY, "x", made(b"again")) == b"again"
    assert cached(KEY, "x", made()) == b"again"


@pytest.mark.parametrize("length", [0, 10, 40, -1])
def test_a_truncated_file_is_no_entry(folder: Path, length: int):
    cached(KEY, "x", made(b"one"))
    entry(folder).write_bytes(entry(folder).read_bytes()[:length])
    assert cached(KEY, "x", made(b"again")) == b"again"


def test_an_entry_under_another_name_is_no_entry(folder: Path):
    cached(KEY, "x", made(b"one"))
    other = folder / OTHER[:2] / f"{OTHER}.entry"
    other.parent.mkdir(exist_ok=True)
    entry(folder).rename(other)
    assert cached(OTHER, "x", made(b"two")) == b"two"


def test_what_a_maker_raises_is_raised_and_nothing_is_kept(folder: Path):
    def fail() -> bytes:
        raise OSError(5, "of the maker")

    with pytest.raises(OSError, match="of the maker"):
        cached(KEY, "x", fail)
    assert list(folder.glob("*/*.entry")) == []
    assert cached(KEY, "x", made(b"one")) == b"one"


def test_what_was_not_used_for_longest_goes(folder: Path):
    store = Store(folder, 3000)
    keys = [key_of({"n": str(n)}) for n in range(4)]
    for age, key in enumerate(keys[:3]):
        store.put(key, bytes(700), "x")
        os.utime(store.lock_path(key).with_suffix(".entry"), (age, age))
    assert store.get(keys[0]) is not None
    store.put(keys[3], bytes(700), "x")
    assert [key for key in keys if store.get(key) is not None] == [keys[0], keys[2], keys[3]]
    store.put(OTHER, bytes(5000), "larger than all")
    assert store.get(OTHER) is None
    assert store.get(keys[3]) is not None


def test_what_a_killed_process_left_goes(folder: Path):
    store = Store(folder, 1 << 20)
    store.put(KEY, b"one", "x")
    left = folder / KEY[:2] / ".tmp-abc"
    left.write_bytes(b"half")
    store.put(OTHER, b"two", "x")
    assert left.exists()
    os.utime(left, (0, 0))
    store.put(OTHER, b"two", "x")
    assert not left.exists()
    (folder / "precious").write_text("the user's")
    (folder / KEY[:2] / "precious").write_text("the user's")
    size = sum(each.bytes for each in store.kept())
    assert size > len(b"onetwo")
    assert store.clear() == (2, size)
    assert [path.name for path in sorted(folder.rglob("*"))] == [KEY[:2], "precious", "precious"]


def unusable(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    if kind == "a file":
        folder.write_text("")
    elif kind == "below a file":
        (tmp_path / "file").write_text("")
        folder = tmp_path / "file" / "cache"
    elif kind == "world-writable":
        folder.mkdir()
        folder.chmod(0o777)
    elif kind == "another user's":
        folder.mkdir()
        monkeypatch.setattr("os.geteuid", lambda: 4711)
        os.chown(folder, 4712, -1)
    else:

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
    return folder


KINDS = {
    "a file": "it is no folder",
    "below a file": "not a directory",
    "world-writable": "everybody may write there",
    "another user's": "it belongs to another user",
    "full": "no space left on device",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_cache_that_cannot_be_used_is_a_notice(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if kind == "another user's" and os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    folder = unusable(tmp_path, kind, monkeypatch)
    monkeypatch.setenv("LINNET_CACHE_DIR", str(folder))
    with pytest.warns(CacheNotice) as raised:
        assert cached(KEY, "x", made(b"one")) == b"one"
    (said,) = {str(each.message) for each in raised}
    assert said == f"the compile cache {folder} is not used: {KINDS[kind]}"
    assert list(tmp_path.rglob(".tmp-*")) == []


def test_a_cache_that_can_only_be_read_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch):
    cached(KEY, "x", made(b"one"))

    def denied(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    for name in ("tempfile.mkstemp", "os.utime", "os.unlink", "pathlib.Path.mkdir"):
        monkeypatch.setattr(name, denied)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cached(KEY, "x", made()) == b"one"
    with pytest.warns(CacheNotice, match="read-only file system"):
        assert cached(OTHER, "x", made(b"two")) == b"two"


def test_one_of_several_threads_makes_it(folder: Path):
    calls: list[int] = []

    def slowly() -> bytes:
        calls.append(1)
        time.sleep(0.2)
        return b"one"

    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(cached(KEY, "x", slowly))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, calls) == ([b"one"] * 4, [1])


BUILDER = """
import sys, time
from pathlib import Path
from linnet.cache import cached

def make():
    with open(sys.argv[2], "a") as log:
        log.write("made\\n")
    time.sleep(float(sys.argv[3]))
    return b"one"

sys.stdout.write(cached(sys.argv[1], "x", make).decode())
"""


def start(log: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BUILDER, KEY, str(log), str(seconds)]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_one_of_two_processes_makes_it(folder: Path, tmp_path: Path):
    log = tmp_path / "log"
    both = [start(log, 0.7) for _ in range(2)]
    assert [each.communicate()[0] for each in both] == ["one", "one"]
    assert log.read_text() == "made\n"


def test_a_killed_builder_leaves_the_work_to_the_next(folder: Path, tmp_path: Path):
    log = tmp_path / "log"
    with start(log, 60) as first:
        while not log.exists():
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
    with start(log, 0) as second:
        assert second.communicate()[0] == "one"
    assert log.read_text() == "made\nmade\n"
    assert Store(folder, 1 << 20).get(KEY) == b"one"


def test_a_holder_that_hangs_is_not_waited_for_for_ever(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("linnet.cache._cached._WAIT_SECONDS", 0.1)
    log = tmp_path / "log"
    with start(log, 60) as first:
        while not log.exists():
            time.sleep(0.01)
        assert cached(KEY, "x", made(b"two")) == b"two"
        first.kill()


@pytest.mark.parametrize(
    ("text", "size"), [("5", 5), ("2 GiB", 2 << 30), ("1.5k", 1536), ("3MB", 3 << 20)]
)
def test_a_size_is_read(text: str, size: int):
    assert read_size(text, "X") == size


def test_what_is_no_size_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LINNET_CACHE_LIMIT", "much")
    with pytest.raises(UsageError, match="LINNET_CACHE_LIMIT: `much` is no size"):
        place()


def test_a_size_is_shown():
    assert [show_size(each) for each in (0, 999, 1000, 1536, 5 << 30)] == [
        "0 B",
        "999 B",
        "1.0 KiB",
        "1.5 KiB",
        "5.0 GiB",
    ]


def test_the_place_is_the_users_without_a_word(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("LINNET_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert place().folder == tmp_path / "linnet"
