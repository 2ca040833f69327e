"""The documentation says what is so: its programs are accepted, its outputs are the real ones."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from linnet.checker import check
from linnet.compiler import check_path
from linnet.diagnostics import render_all
from linnet.emit import diagnose
from linnet.formatter import format_source
from linnet.source import decode
from linnet.syntax import load_program

DOCS = Path(__file__).resolve().parents[2] / "docs"
FENCE = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs() -> list[tuple[str, str]]:
    """Each Linnet program of the documentation, with the name of its place."""
    return [
        (f"{page.stem}-{number}", text)
        for page in sorted(DOCS.glob("*.md"))
        for number, (language, _, text) in enumerate(FENCE.findall(page.read_text("utf-8")))
        if language == "linnet"
    ]


def test_the_documentation_holds_programs() -> None:
    assert len(programs()) > 10


@pytest.mark.parametrize(("name", "text"), programs(), ids=[name for name, _ in programs()])
def test_a_program_of_the_documentation_is_accepted(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "tour.linnet"
    path.write_text(text, "utf-8")
    assert [str(one.message) for one in diagnose(check(load_program(path)))] == []


@pytest.mark.parametrize(("name", "text"), programs(), ids=[name for name, _ in programs()])
def test_a_program_of_the_documentation_is_formatted(name: str, text: str) -> None:
    assert format_source(decode(text.encode(), f"{name}.linnet")).text == text


def test_a_refusal_is_shown_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = FENCE.findall((DOCS / "language-tour.md").read_text("utf-8"))
    (program,) = (text for _, name, text in blocks if name == "refused")
    (told,) = (text for _, name, text in blocks if name == "told")
    monkeypatch.chdir(tmp_path)
    Path("attention.linnet").write_text(program, "utf-8")
    assert render_all(check_path("attention.linnet").diagnostics) == told


def test_the_stages_print_what_their_page_shows(tmp_path: Path) -> None:
    blocks = FENCE.findall((DOCS / "stages.md").read_text("utf-8"))
    (source,) = (text for language, _, text in blocks if language == "linnet")
    path = tmp_path / "dense.linnet"
    path.write_text(source, "utf-8")
    dump = tmp_path / "stages"
    options = ["--bind", "In=3", "--bind", "Out=2", "--bind", "B=4", "--dump", str(dump)]
    command = [sys.executable, "-m", "linnet", "stablehlo", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = {stage: text for language, stage, text in blocks if language == "mlir"}
    command = [word for word in command if word not in ("--dump", str(dump))]
    done = subprocess.run([*command, "--composites"], capture_output=True, text=True, check=False)
    assert done.stdout.rstrip() == shown.pop("composites").rstrip()
    assert set(shown) == {"emit", "bind", "lower", "stablehlo"}
    for stage, text in shown.items():
        assert (dump / f"{stage}.mlir").read_text("utf-8").rstrip() == text.rstrip(), stage


def run_page(page: Path, folder: Path) -> list[str]:
    """Run every command of a page but those of `make` and `export`, in one folder, in order.

    Return what each printed. A Linnet program is saved as `mlp.linnet`; a comment `# error` in a
    command is how its complaint has to begin.
    """
    for name, words in {"linnet": "-m linnet ", "python": ""}.items():
        (folder / name).write_text(f"#!/bin/sh\nexec '{sys.executable}' {words}\"$@\"\n")
        (folder / name).chmod(0o755)
    (folder / "examples").symlink_to(DOCS.parent / "examples")
    environment = {
        **os.environ,
        "PATH": f"{folder}:{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(DOCS.parent / "python"),
    }
    ran: list[str] = []
    for language, _, text in FENCE.findall(page.read_text("utf-8")):
        if language == "linnet":
            (folder / "mlp.linnet").write_text(text, "utf-8")
        if language == "python":
            text = f"'{sys.executable}' -c {shlex.quote(text)}"
        if language not in ("sh", "python") or text.startswith(("make", "export")):
            continue
        done = subprocess.run(
            ["/bin/sh", "-ec", text],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if "# error" in text:
            said = text.partition("# error")[2].partition("…")[0].strip("\n")
            assert done.returncode == 1
            assert done.stderr.startswith(f"error{said}")
        else:
            assert done.returncode == 0, done.stderr
        ran.append(done.stdout)
    return ran


def test_getting_started_works_as_written(tmp_path: Path) -> None:
    pytest.importorskip("iree.compiler", reason="IREE is not installed")
    ran = run_page(DOCS / "getting-started.md", tmp_path)
    assert len(ran) == 7
    assert "param down.bias: Tensor[H; T]?" in ran[0]
    assert '"shape": [1, 4]' in ran[1]
    assert ran[4].splitlines()[-1].startswith("In the beginning ")
    assert "result: Tensor[1, 4; f32]" in ran[6]


def test_the_page_of_the_examples_works_as_written(tmp_path: Path) -> None:
    pytest.importorskip("iree.compiler", reason="IREE is not installed")
    ran = run_page(DOCS.parent / "examples" / "README.md", tmp_path)
    assert len(ran) == 4
    assert "param lm_head.weight: Tensor[Vocab, H; T]?" in ran[0]
    tokens = [int(line) for line in ran[3].split()]
    assert len(tokens) == 5
    assert all(0 <= token < 64 for token in tokens)


def test_the_page_on_pages_works_as_written(tmp_path: Path) -> None:
    ran = run_page(DOCS / "pages.md", tmp_path)
    assert len(ran) == 3
    assert ran[0].startswith("site/gpt2.html: GPT-2 (124M), ")
    assert (tmp_path / "moe.html").stat().st_size > 100_000
    assert ran[2].splitlines()[0] == "input token ['Tensor[Batch, 1; i32]']"
