"""What holds for every test: made-up examples are the same in each run, no cache is the user's."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


@pytest.fixture(scope="session", autouse=True)
def compile_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled code for this run alone; processes that tests start see it too."""
    folder = tmp_path_factory.mktemp("compile-cache")
    os.environ["LINNET_CACHE_DIR"] = str(folder)
    return folder
