"""`linnet nest`: what its commands print, as text and as JSON, and their exit statuses."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from safetensors.numpy import save  # pyright: ignore[reportUnknownVariableType]

from linnet.cli._main import run

from . import tiny
from .hub_server import COMMIT, Hub, serving

PACKAGE = Path(__file__).resolve().parents[3] / "python"
SCHEMA = json.loads((PACKAGE / "linnet" / "cli" / "nest.schema.json").read_text())
WEIGHTS = "own/weights/model.safetensors"
CHECK = tiny.CARD.splitlines().index("[check]") + 1


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_NEST_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.make(tmp_path / "tiny")


def facts(capsys: pytest.CaptureFixture[str], kind: str) -> Any:
    """What was printed, which the schema allows."""
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, {"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})
    return found


def test_list_has_the_models_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nest", "list"]) == 0
    assert "gpt2" in capsys.readouterr().out
    assert run(["nest", "list", "--json"]) == 0
    rows = {row["name"]: row for row in facts(capsys, "list")["nests"]}
    assert rows["gpt2"]["origin"] == "package"
    assert rows["gpt2"]["weights"] == "missing"


def test_a_pulled_nest_is_listed_also_when_its_card_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "home" / "pulled" / "some--model"
    tiny.make(folder / COMMIT)
    (folder / "current").write_text(COMMIT)
    assert run(["nest", "list", "--json"]) == 0
    rows = {row["name"]: row for row in facts(capsys, "list")["nests"]}
    assert rows["some/model"]["weights"] == "here"
    (folder / COMMIT / "nest.toml").write_text("[model]\n")
    assert run(["nest", "list"]) == 0
    assert "some/model  refused: nest.toml:1: " in capsys.readouterr().out


def test_show_tells_entries_and_parameters(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["nest", "show", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "entry forward<B, S>(tokens: Tensor[B, S; i32]) -> (Tensor[B, S, 19; f32])" in said
    assert run(["nest", "show", str(folder), "--json"]) == 0
    found = facts(capsys, "show")
    assert found["weights"]["state"] == "here"
    assert found["parameters"] == sum(each.size for each in tiny.weights().values())


def test_check_runs_every_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["nest", "check", str(folder), "--run", "linnet", "--target", "reference"]
    assert run(words) == 0
    said = capsys.readouterr().out
    assert "run on linnet: forward gave Tensor[1, 3, 19; f32], with its weights" in said
    assert run([*words, "--json"]) == 0
    steps = [step["name"] for step in facts(capsys, "check")["steps"]]
    assert steps == ["card", "program", "sizes", "bindings", "weights", "run on linnet"]


def test_check_makes_up_weights_that_are_not_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nest", "check", "gpt2", "--offline"]) == 0
    said = capsys.readouterr().out
    assert "skipped  weights: model.safetensors of openai-community/gpt2 is not here" in said


def broken(folder: Path, what: str) -> None:
    """Break one thing of a nest."""
    card = folder / "nest.toml"
    match what:
        case "card":
            card.write_text(card.read_text().replace("title", "titel"))
        case "program":
            source = folder / "gpt2.linnet"
            source.write_text(source.read_text().replace("H % Heads == 0,", ""))
        case "root":
            card.write_text(card.read_text().replace('root = "Model"', 'root = "Modell"'))
        case "sizes":
            card.write_text(card.read_text().replace("S = 3", "S = 17"))
        case "open":
            card.write_text(card.read_text().replace("S = 3", ""))
        case "bindings":
            (folder / "bindings.json").write_text('{"wtf": "wte.weight"}')
        case "weights":
            (folder / "model.safetensors").write_bytes(save(tiny.weights(0, 20)))
        case "cut":
            path = folder / "model.safetensors"
            path.write_bytes(path.read_bytes()[:-4])
        case _:
            (folder / "samples.json").write_text("{")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("card", "failed   card: nest.toml:3: [model] has no field `titel`; did you mean `title`?"),
        ("program", "failed   program: gpt2.linnet:"),
        ("root", "failed   program: no root block `Modell`"),
        ("sizes", "failed   sizes: `S <= MaxPositions` does not hold: S = 17, MaxPositions = 16"),
        ("open", f"failed   sizes: nest.toml:{CHECK}: [check] gives no size `S`"),
        ("bindings", "bindings.json names `wtf`, which the program does not have"),
        ("weights", "failed   weights: `wte` (tensor `wte.weight`) has the wrong shape"),
        ("cut", "is truncated"),
        ("samples", "failed   files: samples.json is no JSON"),
    ],
)
def test_check_tells_what_is_wrong(
    folder: Path, what: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(folder, what)
    assert run(["nest", "check", str(folder)]) == 1
    assert said in capsys.readouterr().out
    assert run(["nest", "check", str(folder), "--json"]) == 1
    assert not facts(capsys, "check")["ok"]


def test_mistakes_of_the_command_line_are_usage_errors(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["nest", "chekc", "gpt2"]) == 2
    assert "did you mean `check`?" in capsys.readouterr().err
    assert run(["nest", "check", str(folder), "--run", "torhc"]) == 2
    assert "did you mean `torch`?" in capsys.readouterr().err
    assert run(["nest", "pull", str(folder), "--revision", "main"]) == 2
    assert "has no revisions" in capsys.readouterr().err
    assert run(["nest", "show", "gpt3"]) == 1
    assert "did you mean `gpt2`?" in capsys.readouterr().err


def test_every_problem_of_a_card_is_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "nest.toml").write_text('[model]\nname = "A"\n[source]\npath = "x.txt"\n')
    assert run(["nest", "show", str(folder)]) == 1
    assert [line.partition(" `")[0] for line in capsys.readouterr().err.splitlines()] == [
        "error: nest.toml:2:",
        "error: nest.toml:3: [source] lacks the field",
        "error: nest.toml:4:",
    ]


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "linnet.nest", "list", "--json"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        check=True,
    )
    assert json.loads(done.stdout)["version"] == 1


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Generator[Hub]:
    pytest.importorskip("huggingface_hub", reason="downloads need huggingface-hub")
    hub = Hub({WEIGHTS: save(tiny.weights())})
    with serving(hub):
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A nest whose weights are on the Hub."""
    place = f'repo = "own/weights"\nrevision = "{COMMIT}"\nfiles'
    folder = tiny.make(tmp_path / "remote", tiny.CARD.replace("files", place, 1))
    (folder / "model.safetensors").unlink()
    return folder


def test_pull_fetches_and_tells(hub: Hub, remote: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nest", "check", str(remote)]) == 0
    assert f"headers on the Hub fit: own/weights at {COMMIT[:12]}" in capsys.readouterr().out
    assert run(["nest", "pull", str(remote), "--offline"]) == 1
    assert "downloads are off" in capsys.readouterr().err
    assert run(["nest", "pull", str(remote), "--json"]) == 0
    (file,) = facts(capsys, "pull")["files"]
    assert Path(file["here"]).stat().st_size == file["bytes"] == len(hub.files[WEIGHTS])
    assert run(["nest", "check", str(remote), "--offline"]) == 0
    assert "ok       weights: fit" in capsys.readouterr().out
    assert run(["nest", "pull", str(remote), "--json"]) == 0
    assert facts(capsys, "pull")["files"][0]["hash"] == file["hash"]


def pulling(folder: Path) -> subprocess.Popen[str]:
    """A process that pulls; its output is piped, so it draws no bar."""
    return subprocess.Popen(
        [sys.executable, "-m", "linnet", "nest", "pull", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )


def test_two_pulls_at_once_fetch_once(hub: Hub, remote: Path) -> None:
    hub.pause, hub.block = 0.3, 1 << 12
    both = [pulling(remote), pulling(remote)]
    ends = [(each.communicate(timeout=120), each.returncode) for each in both]
    assert [status for _, status in ends] == [0, 0], ends
    assert hub.gets("model.safetensors").count("") == 1


def test_an_interrupt_leaves_nothing_half(hub: Hub, remote: Path, tmp_path: Path) -> None:
    hub.pause, hub.block = 0.5, 1 << 8
    process = pulling(remote)
    until = time.monotonic() + 60
    while "" not in hub.gets("model.safetensors") and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err
    assert not list(tmp_path.rglob("*.incomplete"))
    hub.pause = 0.0
    again = pulling(remote)
    out, err = again.communicate(timeout=60)
    assert again.returncode == 0, err
    assert "model.safetensors" in out


def test_a_disk_that_fills_up_is_said(hub: Hub, remote: Path) -> None:
    statement = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "from linnet.cli._main import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", statement, "nest", "pull", str(remote)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "error: no space is left for model.safetensors of own/weights" in done.stderr
    assert "Traceback" not in done.stderr
