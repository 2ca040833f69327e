"""Published checkpoints that `tools/fetch_test_data.py` brought; without them a test skips."""

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[3]


def published(name: str) -> Path:
    """The folder of a published checkpoint."""
    given = os.environ.get("LINNET_TEST_DATA")
    place = Path(given) if given else _CHECKOUT / "build" / "test-data"
    if not (place / name / ".sha256").is_file():
        pytest.skip(f"no {name}: `python tools/fetch_test_data.py {name}` fetches it")
    return place / name
