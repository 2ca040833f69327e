"""What is installed without any extra works, names what is missing, and each extra is enough.

An environment is a new virtual one that sees the packages that `pyproject.toml` asks for and theirs
in turn, as links to those that are installed here, and the built package by a `.pth`. So nothing is
fetched, and nothing else can be imported.
"""

import json
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .nest import tiny

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# What each extra is for: the backend that it brings, and one of its modules.
BACKENDS = {
    "torch": ("torch", "torch"),
    "jax": ("jax", "jax"),
    "nnx": ("nnx", "flax"),
    "onnx": ("onnx", "onnxruntime"),
    "iree": ("linnet", "iree.compiler"),
}


def asked(extra: str | None) -> list[Requirement]:
    """The requirements of the project that hold here: the base, or an extra's own."""
    lines = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    found = [Requirement(line) for line in lines]
    return [each for each in found if each.marker is None or each.marker.evaluate()]


def closure(requirements: Sequence[Requirement]) -> dict[str, Distribution]:
    """The installed distributions that requirements ask for, and those that these ask for."""
    found: dict[str, Distribution] = {}
    waiting = [(each, each.extras) for each in requirements]
    while waiting:
        requirement, extras = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in found:
            continue
        try:
            held = distribution(requirement.name)
        except PackageNotFoundError:
            pytest.skip(f"{requirement.name} is not installed here")
        assert requirement.specifier.contains(held.version, prereleases=True), requirement
        found[name] = held
        for line in held.requires or ():
            inner = Requirement(line)
            wanted = extras or {""}
            if inner.marker is None or any(
                inner.marker.evaluate({"extra": each}) for each in wanted
            ):
                waiting.append((inner, inner.extras))
    return found


def names(held: Distribution) -> Iterator[tuple[str, ...]]:
    """The paths of a distribution's files, as far as their second part."""
    # `held.files` makes an object of each of the tens of thousands.
    for line in (held.read_text("RECORD") or "").splitlines():
        parts = tuple(line.strip('"').partition(",")[0].split("/")[:2])
        if parts[0] not in ("..", "__pycache__", ""):
            yield parts


@cache
def owners() -> dict[str, set[str]]:
    """Which distributions have files below each name of `site-packages`."""
    found: dict[str, set[str]] = {}
    for each in distributions():
        for parts in set(names(each)):
            found.setdefault(parts[0], set()).add(canonicalize_name(each.metadata["Name"]))
    return found


def places(held: Distribution) -> Iterator[tuple[Path, Path]]:
    """The links that show a distribution: where each lies below `site-packages`, and to what."""
    for parts in dict.fromkeys(names(held)):
        # A folder that several fill is made anew, with links to what is in it.
        part = Path(*parts) if len(owners()[parts[0]]) > 1 else Path(parts[0])
        yield part, Path(str(held.locate_file(str(part))))


def environment(folder: Path, requirements: Sequence[Requirement]) -> Path:
    """Make an environment of these requirements; return its Python."""
    held = closure(requirements)
    venv.create(folder, with_pip=False, symlinks=True)
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    site = folder / "lib" / version / "site-packages"
    for each in held.values():
        for part, real in places(each):
            link = site / part
            link.parent.mkdir(parents=True, exist_ok=True)
            if real.exists() and not link.exists():
                link.symlink_to(real)
    (site / "linnet.pth").write_text(f"{ROOT / 'python'}\n")
    return folder / "bin" / "python"


def ran(python: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a Python with nothing of this one's surroundings."""
    return subprocess.run(
        [str(python), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "LINNET_CACHE_DIR": str(home / "cache")},
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("base") / "venv", asked(None))


@pytest.fixture(scope="module")
def nest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("nest") / "tiny")


def test_the_base_has_no_framework(base: Path, tmp_path: Path) -> None:
    heavy = ("torch", "jax", "jaxlib", "flax", "onnx", "onnxruntime", "iree", "transformers")
    code = f"import importlib.util as u; print([n for n in {heavy!r} if u.find_spec(n)])"
    assert ran(base, tmp_path, "-c", code).stdout.strip() == "[]"


def test_the_base_checks_programs_and_nests(base: Path, nest: Path, tmp_path: Path) -> None:
    assert ran(base, tmp_path, "-c", "import linnet; print(linnet.__version__)").returncode == 0
    program = str(nest / "gpt2.linnet")
    for words in (
        ("check", program),
        ("inspect", program),
        ("nest", "list"),
        ("nest", "show", str(nest)),
        ("nest", "check", str(nest)),
        ("nest", "check", str(nest), "--run", "linnet", "--target", "reference"),
    ):
        done = ran(base, tmp_path, "-m", "linnet", *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    done = ran(base, tmp_path, "-m", "linnet", "doctor")
    assert done.returncode == 1
    assert "no target compiles: only the reference interpreter works" in done.stdout


@pytest.mark.parametrize(("extra", "backend"), [(k, v[0]) for k, v in BACKENDS.items()])
def test_the_base_names_the_extra_of_a_backend(
    base: Path, nest: Path, tmp_path: Path, extra: str, backend: str
) -> None:
    done = ran(base, tmp_path, "-m", "linnet", "nest", "check", str(nest), "--run", backend)
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert f"pip install 'linnet-mlir[{extra}]'" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("extra", list(BACKENDS))
def test_an_extra_alone_is_enough(extra: str, nest: Path, tmp_path: Path) -> None:
    backend, module = BACKENDS[extra]
    python = environment(tmp_path / "venv", [*asked(None), *asked(extra)])
    assert ran(python, tmp_path, "-c", f"import {module}").returncode == 0
    words = ("nest", "check", str(nest), "--run", backend, "--json")
    done = ran(python, tmp_path, "-m", "linnet", *words)
    steps = json.loads(done.stdout)["steps"]
    if "is not part of this version" in steps[-1]["said"]:
        pytest.skip(f"no backend `{backend}` yet")
    assert done.returncode == 0, (steps, done.stderr)


def test_the_extra_for_downloads_alone_is_enough(tmp_path: Path) -> None:
    python = environment(tmp_path / "venv", [*asked(None), *asked("hub")])
    code = "from linnet.nest import Hub; Hub(offline=False)._online('x').hf_hub_url"
    done = ran(python, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
