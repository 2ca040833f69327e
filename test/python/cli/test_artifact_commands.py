"""`linnet run` and `linnet generate` on an artifact: outputs, and every mistake in one line."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.cli._main import run
from oracle.toy import expected

DECODE = ("--entry", "decode", "--input", "token=[[5]]", "--input", "pos=0")


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    done = capfd.readouterr()
    assert "Traceback" not in done.err
    return status, done.out, done.err


def test_run_prints_results(capfd, toy: Path, weights: Path):
    status, out, err = call(capfd, "run", toy, "--weights", weights, *DECODE)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "result: Tensor[1, 8; f32]"
    status, out, _ = call(capfd, "run", toy, "--weights", weights, *DECODE, "--json")
    (result,) = json.loads(out)["results"]
    assert result["shape"] == [1, 8]
    assert np.argmax(result["data"]) == 6


@pytest.mark.parametrize("target", ["cpu", "xla-cpu"])
def test_run_writes_results_and_states(capfd, toy: Path, weights: Path, tmp_path: Path, target):
    np.save(tmp_path / "token.npy", np.array([[5]], np.int32))
    given = ("--input", f"token={tmp_path / 'token.npy'}", "--input", "pos=0")
    output = tmp_path / "out.npz"
    status, _, _ = call(
        capfd, "run", toy, "--weights", weights, "--entry", "decode", *given,
        "--target", target, "--output", output,
    )  # fmt: skip
    assert status == 0
    with np.load(output) as found:
        assert sorted(found) == ["result", "state.last", "state.seen"]
        assert found["result"].shape == (1, 8)
        assert found["state.seen"] == 1


def test_generate_prints_ids_text_or_json(capfd, toy: Path, weights: Path):
    given = ("generate", toy, "--weights", weights, "--max-new", 5)
    status, out, err = call(capfd, *given, "--prompt-tokens", "3,1,4")
    tokens = expected([3, 1, 4], 5)
    assert (status, out) == (0, ",".join(map(str, tokens)) + "\n")
    assert "tokens/s" in err
    status, out, _ = call(capfd, *given, "--prompt-tokens", "3,1,4", "--json")
    facts = json.loads(out)
    assert facts["tokens"] == tokens
    assert facts["text"] is None
    status, out, _ = call(capfd, *given, "--prompt", "\1\2", "--tokenizer", "bytes")
    assert out == "\1\2" + bytes(expected([1, 2], 5)).decode() + "\n"


RUN = ("run", "TOY", "--weights", "WEIGHTS")
GENERATE = ("generate", "TOY", "--weights", "WEIGHTS")
MISTAKES = [
    ((*RUN, "--entry", "decod"), 2, "no entry `decod`"),
    ((*RUN, "--entry", "decode", "--entry", "decode"), 2, "`run` calls one entry"),
    (RUN, 2, "the program has several entries: `prefill`, `decode`"),
    ((*RUN, "--root", "Toy", *DECODE), 2, "an artifact has one root"),
    ((*RUN, *DECODE, "--input", "x=1"), 2, "entry `decode` has no input `x`"),
    ((*RUN, *DECODE, "--input", "pos=1"), 2, "input `pos` is given twice"),
    ((*RUN, "--entry", "decode", "--input", "pos"), 2, "`--input pos` is no input"),
    ((*RUN, "--entry", "decode", "--input", "pos=a"), 2, "`a` is neither a .npy file nor JSON"),
    ((*RUN, "--entry", "decode", "--input", "pos=a.npy"), 1, "cannot read a.npy"),
    ((*RUN, "--entry", "decode", "--input", "pos=0"), 2, "input `token` of entry `decode` is"),
    ((*RUN, *DECODE, "--bind", "S"), 2, "`--bind S` is no binding"),
    ((*RUN, *DECODE, "--bind", "S=2"), 2, "entry `decode` has no generic `S`"),
    ((*RUN, *DECODE, "--bind", "MaxSeq=2"), 2, "compiled for MaxSeq = 16"),
    ((*RUN, "--entry", "prefill", "--bind", "prefill.S=3"), 2, "not compiled for S = 3"),
    ((*RUN, *DECODE, "--target", "gpu"), 2, "no target `gpu`"),
    (("run", "TOY", *DECODE), 1, "`scale` needs a tensor"),
    (("run", "none.lna", *DECODE), 1, "none.lna does not exist"),
    (("run", "TOY", "--weights", "none", *DECODE), 1, "cannot read weights none"),
    ((*RUN, "--bindings", "none", *DECODE), 1, "cannot read bindings none"),
    ((*RUN, *DECODE, "--output", "/none/x.npz"), 2, "cannot write /none/x.npz"),
    (GENERATE, 2, "there is no single prompt"),
    ((*GENERATE, "--prompt", "a"), 2, "text needs a tokenizer"),
    ((*GENERATE, "--prompt-tokens", "1,x"), 2, "`1,x` is no list of token ids"),
    ((*GENERATE, "--prompt", "a", "--tokenizer", "none"), 2, "no tokenizer none"),
    ((*GENERATE, "--prompt-tokens", "\u00b2"), 2, "is no list of token ids"),
    ((*GENERATE, "--prompt-tokens", ""), 2, "`` is no list of token ids"),
    ((*GENERATE, "--prompt", "", "--tokenizer", "bytes"), 1, "the prompt has no tokens"),
    ((*GENERATE, "--prompt-tokens", "1", "--max-new", "-1"), 2, "-1 is not in the range x>=0"),
    ((*GENERATE, "--prompt-tokens", "1", "--seed", "-1"), 2, "-1 is not in the range x>=0"),
    (
        (*GENERATE, "--prompt-tokens", "1", "--temperature", "nan", "--max-new", "2"),
        1,
        "nan cannot",
    ),
    ((*GENERATE, "--prompt-tokens", "9", "--max-new", "2"), 1, "token 9 is not in the"),
    ((*GENERATE, "--prompt-tokens", "1", "--max-new", "40"), 1, "exceed MaxSeq = 16"),
]


@pytest.mark.parametrize(("arguments", "status", "said"), MISTAKES)
def test_a_mistake_is_one_line_with_its_status(capfd, toy, weights, arguments, status, said):
    stand_ins = {"TOY": toy, "WEIGHTS": weights}
    found, out, err = call(capfd, *(stand_ins.get(each, each) for each in arguments))
    assert said in err
    assert (found, out) == (status, "")
    assert [line.partition(":")[0] for line in err.splitlines()] in (["error"], ["error", "hint"])


def test_a_prompt_may_hold_any_byte(capfd, toy: Path, weights: Path, tmp_path: Path):
    given = ("generate", toy, "--weights", weights, "--prompt", "\1\udcff", "--tokenizer")
    status, _, err = call(capfd, *given, "bytes")
    assert (status, err.splitlines()[0]) == (
        1,
        "error: 2 prompt tokens and 64 new ones exceed MaxSeq = 16",
    )
    status, _, err = call(capfd, *given, "bytes", "--max-new", 2)
    assert (status, err.splitlines()[0]) == (1, "error: token 255 is not in the vocabulary of 8")


def test_nothing_is_generated_when_nothing_is_asked_for(capfd, toy: Path, weights: Path):
    given = ("generate", toy, "--weights", weights, "--prompt-tokens", "1", "--max-new", 0)
    status, out, _ = call(capfd, *given)
    assert (status, out) == (0, "\n")


def test_surplus_weights_are_a_notice_and_an_error_when_strict(capfd, toy: Path, tmp_path: Path):
    arrays = {"scale": np.array(3.0, np.float32), "spare": np.zeros(2, np.float32)}
    save_file(arrays, tmp_path / "more.safetensors")
    given = ("run", toy, "--weights", tmp_path / "more.safetensors", *DECODE)
    status, _, err = call(capfd, *given)
    assert (status, err.splitlines()) == (
        0,
        ["notice: the weights hold tensors that the program does not take: `spare`"],
    )
    status, _, err = call(capfd, *given, "--strict-weights")
    assert status == 1
    assert "`spare` that the program does not take" in err


def test_a_changed_byte_of_the_code_is_refused(capfd, toy: Path, weights: Path, tmp_path: Path):
    copy = tmp_path / "copy.lna"
    shutil.copytree(toy, copy)
    file = copy / "variants" / "cpu" / "module.vmfb"
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    status, _, err = call(capfd, "run", copy, "--weights", weights, *DECODE)
    assert status == 1
    assert f"error: {file} was changed after it was written" in err
