"""What holds for every test: made-up examples are the same in each run, no cache is the user's."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# A shell that starts the tests in the background leaves interrupts ignored, and every process that
# a test starts and interrupts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


@pytest.fixture(scope="session", autouse=True)
def compile_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled code for this run alone; processes that tests start see it too."""
    folder = tmp_path_factory.mktemp("compile-cache")
    os.environ["LINNET_CACHE_DIR"] = str(folder)
    return folder
