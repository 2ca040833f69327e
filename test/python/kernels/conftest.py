"""The compiled kernels, one set for each level of x86-64 that was built and runs here."""

from typing import cast

import kernels_library
import pytest


@pytest.fixture(scope="session", params=kernels_library.LEVELS)
def kernels(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> kernels_library.Kernels:
    level = cast(str, request.param)
    reason = kernels_library.why_not(level)
    if reason is not None:
        pytest.skip(reason)
    return kernels_library.load(level, tmp_path_factory.mktemp("kernels"))
