"""What our programs and libraries need from the machine: the C++ runtime, nothing else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ROOT / "python" / "linnet" / "mlir" / "_mlir_libs"
OF_THE_MACHINE = re.compile(
    r"(linux-vdso|ld-linux[\w-]*|libstdc\+\+|libgcc_s|libm|libc|libpthread|libdl|librt)\.so[.\d]*"
)


def built() -> list[Path]:
    """linnet-opt and every library of linnet.mlir."""
    return [ROOT / "build" / "bin" / "linnet-opt", *sorted(LIBRARIES.glob("*.so*"))]


def foreign(listing: str, own: set[str]) -> list[str]:
    """The libraries in the output of `ldd` that are neither the machine's nor ours."""
    names = [Path(line.split()[0]).name for line in listing.splitlines() if line.strip()]
    return [name for name in names if name not in own and not OF_THE_MACHINE.fullmatch(name)]


@pytest.mark.skipif(shutil.which("ldd") is None, reason="no ldd on this machine")
@pytest.mark.parametrize("path", built(), ids=lambda path: path.name)
def test_only_the_cpp_runtime_is_needed(path: Path) -> None:
    listing = subprocess.run(["ldd", str(path)], check=True, capture_output=True, text=True).stdout
    assert "not found" not in listing
    assert foreign(listing, {library.name for library in built()}) == []


def test_a_shared_llvm_would_be_found() -> None:
    listing = (
        "\tlibc.so.6 => /lib/libc.so.6 (0x0)\n\tlibLLVM.so.22.1 => /opt/libLLVM.so.22.1 (0x0)\n"
    )
    assert foreign(listing, {"libours.so"}) == ["libLLVM.so.22.1"]
