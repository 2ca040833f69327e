"""A name on the command line that is not there is met with the one that was meant."""

from pathlib import Path

import pytest

from linnet.cli._main import run

PROGRAM = """module toy

pub block Toy<Hidden: Dim> {
    param weight: Tensor[Hidden; f32]
    param shift: Tensor[Hidden; f32]? = none

    pub entry forward<Batch: Dim>(
        values: Tensor[Batch, Hidden; f32],
    ) -> Tensor[Batch, Hidden; f32] {
        let scaled = values * weight
        return match shift {
            some(s) => scaled + s
            none => scaled
        }
    }
}
"""
SIZES = ("--bind", "Hidden=2", "--bind", "Batch=1")


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "toy.linnet"
    path.write_text(PROGRAM, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("command", "options", "meant"),
    [
        ("stablehlo", ("--entry", "fowrard", *SIZES), "forward"),
        ("stablehlo", ("--root", "Tyo", *SIZES), "Toy"),
        ("stablehlo", ("--bind", "Hiden=2", "--bind", "Batch=1"), "Hidden"),
        ("stablehlo", ("--bind", "Hidden=2", "--bind", "forwrad.Batch=1"), "forward.Batch"),
        ("stablehlo", (*SIZES, "--optionals", "shfit"), "shift"),
        ("stablehlo", (*SIZES, "--stop-after", "bnid"), "bind"),
        ("compile", (*SIZES, "--target", "xal-cpu", "-o", "x.lna"), "xla-cpu"),
        ("inspect", ("--parameters", "--root", "tyo"), "Toy"),
    ],
)
def test_the_nearest_name_is_asked_for(
    program: str,
    command: str,
    options: tuple[str, ...],
    meant: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run([command, program, *options]) == 2
    error, hint = capfd.readouterr().err.splitlines()
    assert error.startswith("error: ")
    assert hint.startswith(f"hint: did you mean `{meant}`?")


def test_a_command_of_no_name_is_asked_for_too(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["chekc", "x.linnet"]) == 2
    assert "error: no command `chekc`; did you mean `check`?\n" in capfd.readouterr().err
    assert run(["train", "x.linnet"]) == 2
    assert "did you mean" not in capfd.readouterr().err


def test_an_unknown_generic_is_told_before_the_one_it_leaves_open(
    program: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["stablehlo", program, "--bind", "Heads=2"]) == 2
    said = capfd.readouterr().err
    assert said == "error: there is no generic `Heads`\nhint: generics: `Hidden`, `Batch`\n"
