"""`linnet nest page`: a model as one HTML file."""

from pathlib import Path

import pytest

from linnet.cli._main import run

TINY = """module m
pub block Model<N: Dim> {
    param w: Tensor[N; f32]
    pub entry forward(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * w
    }
}
"""


def nest(folder: Path) -> Path:
    folder.mkdir()
    card = '[model]\nname = "tiny"\ntitle = "Tiny"\n[source]\npath = "m.linnet"\nroot = "Model"\n'
    (folder / "nest.toml").write_text(card)
    (folder / "m.linnet").write_text(TINY)
    return folder


def test_a_page_is_written_into_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "new" / "site"
    assert run(["nest", "page", str(nest(tmp_path / "n")), "-o", str(output)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{output / 'tiny.html'}: Tiny, ")
    assert "<h1>Tiny</h1>" in (output / "tiny.html").read_text("utf-8")
    assert [path.name for path in output.iterdir()] == ["tiny.html"]


def test_what_cannot_be_shown_is_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = nest(tmp_path / "n")
    (folder / "bench.json").write_text("{")
    assert run(["nest", "page", str(folder), "-o", str(tmp_path / "site")]) == 1
    assert "bench.json is no JSON" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_an_unknown_name_and_a_folder_that_is_a_file_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["nest", "page", "gpt3", "-o", str(tmp_path)]) != 0
    assert "did you mean `gpt2`?" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    name = str(nest(tmp_path / "n"))
    assert run(["nest", "page", name, "-o", str(tmp_path / "file" / "x")]) == 2
    assert "error: cannot write" in capsys.readouterr().err
