"""Downloads, against a Hub on this machine: what is fetched, what is checked, what is refused."""

import hashlib
import os
import shutil
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import save  # pyright: ignore[reportUnknownVariableType]

from linnet import nest
from linnet.errors import CapabilityError, CardError, LinnetError, NestError, WeightsError
from linnet.nest import Hub as Client
from linnet.nest import find, pull, read_card

from . import tiny
from .hub_server import COMMIT, Hub, serving

pytest.importorskip("huggingface_hub", reason="downloads need huggingface-hub")

WEIGHTS = "own/weights/model.safetensors"
REMOTE = f"""\
repo = "own/weights"
revision = "{COMMIT}"
files"""


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Hub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LINNET_NEST_DIR", str(tmp_path / "home"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    hub = Hub()
    hub.files[WEIGHTS] = save(tiny.weights())
    for name, data in nest_files(tiny.CARD.replace("files", REMOTE, 1)).items():
        hub.files[f"own/nest/{name}"] = data
    with serving(hub):
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def nest_files(card: str) -> dict[str, bytes]:
    gpt2 = find("gpt2")
    assert gpt2.bindings is not None
    return {
        "nest.toml": card.encode(),
        "gpt2.linnet": gpt2.program.read_bytes(),
        "bindings.json": gpt2.bindings.read_bytes(),
        "README.md": b"# A nest\n",
        "run_me.py": b"raise SystemExit('this must never run')\n",
        "pickled.bin": b"no",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A nest whose weights are those of the repo."""
    folder = tiny.make(tmp_path / "tiny", tiny.CARD.replace("files", REMOTE, 1))
    (folder / "model.safetensors").unlink()
    return folder


def is_clean(tmp_path: Path) -> bool:
    """Whether no part of a file is left behind."""
    return not [p for p in tmp_path.rglob("*") if "incomplete" in p.name or p.name.startswith(".0")]


def test_weights_come_once_and_then_without_the_network(hub: Hub, folder: Path) -> None:
    tokens = np.array([[3, 1, 4]], np.int32)
    model = nest.load(folder, target="reference")
    first = model(tokens)
    made = len(hub.log)
    # The look at the header, then the whole.
    assert hub.gets("model.safetensors") == [f"bytes=0-{len(hub.files[WEIGHTS]) - 1}", ""]
    again = nest.load(folder, target="reference", offline=True)
    np.testing.assert_array_equal(again(tokens), first)
    assert len(hub.log) == made


def test_a_nest_is_pulled_with_its_weights_and_nothing_else(hub: Hub, tmp_path: Path) -> None:
    told: list[str] = []
    pulled = pull("own/nest", tell=told.append)
    assert told[0] == f"own/nest at main is commit {COMMIT}"
    names = {p.name for p in pulled.card.directory.iterdir()}
    assert names == {"nest.toml", "gpt2.linnet", "bindings.json", "README.md"}
    assert not hub.gets("run_me.py") + hub.gets("pickled.bin")
    (file, path), *_ = pulled.files
    assert hashlib.sha256(path.read_bytes()).hexdigest() == file.hash
    made = len(hub.log)
    for name in ("own/nest", f"own/nest@{COMMIT}"):
        assert nest.load(name, target="reference", offline=True)([[3]]).shape == (1, 1, 19)
    assert len(hub.log) == made
    assert is_clean(tmp_path)


def test_load_pulls_a_nest_that_is_not_here(hub: Hub) -> None:
    assert nest.load(f"own/nest@{COMMIT}", target="reference")([[3]]).shape == (1, 1, 19)
    assert not [path for _, path, _, _ in hub.log if "main" in path]


def test_weights_beside_the_card_are_checked_and_pulled(hub: Hub) -> None:
    hub.files["own/nest/nest.toml"] = tiny.CARD.encode()
    hub.files["own/nest/model.safetensors"] = hub.files[WEIGHTS]
    assert nest.load("own/nest", target="reference")([[3]]).shape == (1, 1, 19)
    assert hub.gets("model.safetensors")[0].startswith("bytes=0-")


def test_a_cut_download_goes_on_where_it_was_cut(
    hub: Hub, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 1024)
    hub.cut[WEIGHTS] = 1
    nest.load(folder, target="reference")
    whole = len(hub.files[WEIGHTS]) // 2 // 1024 * 1024
    assert hub.gets("model.safetensors")[1:] == ["", f"bytes={whole}-"]
    assert is_clean(tmp_path)


def test_other_bytes_than_the_hub_told_are_refused_and_removed(
    hub: Hub, folder: Path, tmp_path: Path
) -> None:
    hub.swapped[WEIGHTS] = save(tiny.weights(7))
    for _ in range(2):  # Nothing of the first time serves the second.
        with pytest.raises(NestError, match=r"has the SHA-256 .*, the Hub says .*: it was"):
            nest.load(folder, target="reference")
    assert not list((tmp_path / "cache").glob("*/blobs/*"))
    del hub.swapped[WEIGHTS]
    assert nest.load(folder, target="reference")([[3]]).shape == (1, 1, 19)


def test_a_file_that_was_changed_in_the_cache_is_found(hub: Hub, folder: Path) -> None:
    nest.load(folder, target="reference")
    (_, path), *_ = pull(folder).files
    changed = bytearray(path.read_bytes())
    changed[-1] ^= 1
    path.write_bytes(changed)
    with pytest.raises(NestError, match="has the SHA-256"):
        nest.load(folder, target="reference")


def test_small_files_are_proven_too(hub: Hub) -> None:
    source = hub.files["own/nest/gpt2.linnet"]
    hub.swapped["own/nest/gpt2.linnet"] = source.replace(b"LayerNorm", b"LayerNarm")
    with pytest.raises(NestError, match=r"gpt2.linnet of own/nest has the git hash"):
        pull("own/nest")


def test_the_hash_of_a_card_binds(hub: Hub, folder: Path) -> None:
    card = folder / "nest.toml"
    right = hashlib.sha256(hub.files[WEIGHTS]).hexdigest()
    text = card.read_text()
    card.write_text(text + f'sha256 = {{ "model.safetensors" = "{right}" }}\n')
    nest.load(folder, target="reference")
    card.write_text(text + f'sha256 = {{ "model.safetensors" = "{"0" * 64}" }}\n')
    line = len(text.splitlines()) + 1
    with pytest.raises(NestError, match=f"^nest.toml:{line}: .* has the SHA-256"):
        nest.load(folder, target="reference")
    shutil.rmtree(os.environ["LINNET_NEST_DIR"])
    shutil.rmtree(os.environ["HF_HUB_CACHE"])
    hub.log.clear()
    with pytest.raises(NestError, match=f"^nest.toml:{line}: .* on the Hub, the card says 000"):
        nest.load(folder, target="reference")
    assert not hub.gets("model.safetensors")


def test_a_header_that_does_not_fit_stops_before_the_data(hub: Hub, folder: Path) -> None:
    other = tiny.weights(0, 20)
    del other["wpe.weight"]
    hub.files[WEIGHTS] = save(other)
    with pytest.raises(WeightsError) as caught:
        nest.load(folder, target="reference")
    said = str(caught.value)
    assert "2 parameters do not fit: `wte` (tensor `wte.weight`) has the wrong shape" in said
    assert "the program needs Tensor[19, 8; f32], model.safetensors of own/weights has" in said
    assert "`wpe` (tensor `wpe.weight`) is missing" in said
    assert all(each.startswith("bytes=0-") for each in hub.gets("model.safetensors"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff" * 64, "its header is not one"),
        (b"1234", "is truncated"),
        ((1000).to_bytes(8, "little") + b"{}", "is truncated: the header has 1000 bytes"),
        ((4).to_bytes(8, "little") + b"[[[[", "malformed header"),
    ],
)
def test_a_header_that_is_none_is_refused(hub: Hub, folder: Path, data: bytes, said: str) -> None:
    hub.files[WEIGHTS] = data
    with pytest.raises(WeightsError, match=said):
        nest.load(folder, target="reference")


def test_a_download_may_come_from_elsewhere_without_the_token(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with serving(Hub(files=dict(hub.files))) as other:
        address = other.url.replace("127.0.0.1", "localhost")
        hub.redirect[WEIGHTS] = f"{address}/own/weights/resolve/{COMMIT}/model.safetensors"
        nest.load(folder, target="reference")
        assert other.gets("model.safetensors")
        assert any(token == "Bearer hf_secret" for _, _, _, token in hub.log)
        assert not any(token for _, _, _, token in other.log)


def test_what_comes_from_elsewhere_is_proven(hub: Hub, folder: Path) -> None:
    with serving(Hub(files={WEIGHTS: save(tiny.weights(7))})) as other:
        hub.redirect[WEIGHTS] = f"{other.url}/own/weights/resolve/{COMMIT}/model.safetensors"
        with pytest.raises(NestError, match="has the SHA-256"):
            nest.load(folder, target="reference")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own/nothing", "the Hub has no own/nothing at main"),
        ("own/weights", "has no nest.toml"),
    ],
)
def test_what_is_no_nest_is_refused(hub: Hub, name: str, said: str) -> None:
    with pytest.raises(NestError, match=said):
        pull(name)


def test_a_file_that_the_repo_lacks_is_named(hub: Hub, folder: Path) -> None:
    del hub.files[WEIGHTS]
    with pytest.raises(NestError, match=r"the Hub has no model.safetensors of own/weights"):
        nest.load(folder, target="reference")


def test_a_busy_hub_is_asked_again(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.nest._hub._WAITS", (0.01, 0.01))
    hub.status[WEIGHTS] = [503, 503]
    nest.load(folder, target="reference")
    shutil.rmtree(os.environ["LINNET_NEST_DIR"])
    shutil.rmtree(os.environ["HF_HUB_CACHE"])
    hub.status[WEIGHTS] = [503] * 9
    with pytest.raises(NestError, match=r"the Hub answers 503 for .* \(try again later\)"):
        nest.load(folder, target="reference")


def test_another_commit_than_the_pinned_one_is_refused(hub: Hub, folder: Path) -> None:
    card = folder / "nest.toml"
    card.write_text(card.read_text().replace(COMMIT, "f" * 40))
    with pytest.raises(NestError, match="the Hub has no such revision"):
        nest.load(folder, target="reference")


def test_without_the_network_what_is_missing_is_said(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NestError, match="is not here, and downloads are off"):
        nest.load(folder, target="reference", offline=True)
    with pytest.raises(NestError, match="the nest `own/nest` is not here"):
        nest.load("own/nest", offline=True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(NestError, match="downloads are off"):
        nest.load(folder, target="reference")
    assert not hub.log


def test_a_hub_out_of_reach_is_said(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linnet.nest._hub._WAITS", ())
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(NestError, match=r"cannot fetch model.safetensors of own/weights: "):
        nest.load(folder, target="reference")


def test_a_full_disk_is_said_before_the_download(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4000))  # pyright: ignore
    with pytest.raises(NestError, match=r"needs 1.* KiB, and .* has 3.9 KiB free"):
        nest.load(folder, target="reference")
    assert len(hub.gets("model.safetensors")) == 1


@pytest.mark.parametrize("name", ["../../evil.json", "a\\..\\b.json", "/etc/x.json", "c:x.json"])
def test_a_name_that_leads_elsewhere_is_refused(hub: Hub, tmp_path: Path, name: str) -> None:
    hub.files[f"own/nest/{name}"] = b"{}"
    with pytest.raises(NestError, match="do not use it"):
        pull("own/nest")
    assert not (tmp_path / "home" / "pulled" / "own--nest" / COMMIT).exists()


def test_a_bad_card_stops_before_anything_else(hub: Hub) -> None:
    hub.files["own/nest/nest.toml"] = b"[model]\nname = 3\n"
    with pytest.raises(CardError, match=r"nest\.toml:"):
        pull("own/nest")
    assert not hub.gets("gpt2.linnet")


def test_a_program_with_errors_stops_before_the_weights(hub: Hub) -> None:
    hub.files["own/nest/gpt2.linnet"] = b"module m fn f(x: f32) -> f32 { return y }"
    with pytest.raises(LinnetError, match="E"):
        pull("own/nest")
    assert not hub.gets("model.safetensors")


def test_without_huggingface_hub_its_install_is_named(
    hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(CapabilityError, match=r"needs `pip install 'linnet-mlir\[hub\]'`"):
        nest.load(folder, target="reference")


def test_a_client_knows_the_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert Client().offline
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    assert not Client().offline


def test_the_card_of_gpt2_is_pinned() -> None:
    weights = read_card(find("gpt2").directory).weights
    assert weights is not None
    assert weights.revision == "607a30d783dfa663caf39e06633721c8d4cfcd7e"
