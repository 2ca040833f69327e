"""The toy artifact, compiled once."""

from pathlib import Path

import numpy as np
import pytest

from oracle.toy import write_toy


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy(tmp_path_factory.mktemp("toy"))


@pytest.fixture
def weights() -> dict[str, np.ndarray]:
    return {"scale": np.array(3.0, np.float32)}
