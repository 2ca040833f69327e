"""`linnet generate` on an artifact with the loop on the device: ways to end, chunks, facts."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import linnet.runtime._generate as generate_room
from linnet.cli._main import run

pytest.importorskip("jaxlib", reason="XLA is not installed")

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "gpt2"
SIZES = "S=8 Vocab=256 MaxPositions=256 H=128 Heads=4 Layers=4 Batch=1 MaxSeq=256"
SAMPLED = ("--temperature", 0.9, "--top-k", 30, "--top-p", 0.9, "--seed", 11)


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    done = capfd.readouterr()
    assert "Traceback" not in done.err
    return status, done.out, done.err


def build(output: Path, *more: str) -> int:
    binds = [part for size in SIZES.split() for part in ("--bind", size)]
    entries = ["--entry", "prefill", "--entry", "decode", "--target", "xla-cpu", *more]
    program = str(EXAMPLE / "gpt2.linnet")
    return run(["compile", program, "--root", "Model", *entries, *binds, "-o", str(output)])


@pytest.fixture(scope="module")
def writes(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    artifact = tmp_path_factory.mktemp("writes") / "gpt2.lna"
    assert build(artifact) == 0
    return (
        *("generate", artifact, "--weights", EXAMPLE / "model.safetensors"),
        *("--bindings", EXAMPLE / "bindings.json", "--tokenizer", "bytes"),
        *("--prompt", "In the beginning "),
    )


def test_text_is_the_same_in_chunks_of_any_size_and_without_the_loop(
    capfd, writes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for more in ((), SAMPLED):
        status, expected, _ = call(capfd, *writes, "--max-new", 70, *more)
        assert status == 0
        assert len(expected) == len("In the beginning ") + 70 + 1
        for option in (("--chunk", 1), ("--chunk", 9), ("--no-stream",)):
            assert call(capfd, *writes, "--max-new", 70, *more, *option)[1] == expected
        with monkeypatch.context() as patch:
            patch.setattr("linnet.runtime._generate._Run._loop", lambda self: None)
            assert call(capfd, *writes, "--max-new", 70, *more)[1] == expected


def test_no_generate_leaves_the_loop_out(capfd, tmp_path: Path) -> None:
    assert build(tmp_path / "plain.lna", "--no-generate") == 0
    assert "generate(" not in capfd.readouterr().out


def test_a_stop_text_ends_the_text_before_it(capfd, writes) -> None:
    _, out, _ = call(capfd, *writes, "--max-new", 70, "--json")
    text = json.loads(out)["text"]
    stop = text[20:26]
    end = text.index(stop)
    for stream in ("--stream", "--no-stream"):
        status, out, _ = call(capfd, *writes, "--max-new", 70, "--stop", stop, stream)
        assert (status, out) == (0, f"In the beginning {text[:end]}\n")
    # A text that begins like a stop text, and goes on otherwise, is printed whole.
    _, out, _ = call(capfd, *writes, "--max-new", 70, "--stop", text[20:23] + "\1")
    assert out == f"In the beginning {text}\n"


def test_a_stop_token_ends_the_text(capfd, writes) -> None:
    _, out, _ = call(capfd, *writes, "--max-new", 70, "--json")
    facts = json.loads(out)
    assert (facts["ended"], facts["loop"], len(facts["tokens"])) == ("length", True, 70)
    stop = facts["tokens"][13]
    _, out, _ = call(capfd, *writes, "--max-new", 70, "--stop", f"0,{stop}", "--json")
    ended = json.loads(out)
    assert ended["ended"] == "stop"
    assert ended["tokens"] == facts["tokens"][: facts["tokens"].index(stop)]


def test_ctrl_c_ends_the_text_where_it_is(capfd, writes, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = call(capfd, *writes, "--max-new", 20)[1]
    original = generate_room.generate

    def interrupted(*arguments) -> Iterator[int]:
        for number, token in enumerate(original(*arguments)):
            if number == 6:
                raise KeyboardInterrupt
            yield token

    monkeypatch.setattr(generate_room, "generate", interrupted)
    status, out, err = call(capfd, *writes, "--max-new", 20)
    assert (status, out) == (130, whole[: len("In the beginning ") + 6] + "\n")
    assert "tokens/s" in err


@pytest.mark.parametrize(
    ("option", "status", "said"),
    [
        (("--top-p", 1.5), 2, "1.5 is not in the range 0<=x<=1"),
        (("--top-k", -1), 2, "-1 is not in the range x>=0"),
        (("--chunk", 0), 2, "0 is not in the range x>=1"),
        (("--stop", ""), 2, "an empty --stop ends every text"),
        (("--stop", "256"), 1, "token 256 is not in the vocabulary of 256"),
        (("--max-new", 300), 1, "exceed MaxSeq = 256"),
    ],
)
def test_a_mistake_is_one_line(capfd, writes, option, status: int, said: str) -> None:
    found, out, err = call(capfd, *writes, *option)
    assert (found, out) == (status, "")
    assert said in err
