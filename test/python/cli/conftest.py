"""The toy artifact, compiled once, and its weights in a file."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from oracle.toy import write_toy


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy(tmp_path_factory.mktemp("toy"))


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    save_file({"scale": np.array(3.0, np.float32)}, tmp_path / "w.safetensors")
    return tmp_path / "w.safetensors"
