"""Which version of a package is installed, without the half of the standard library that
`importlib.metadata` imports to read a file: loading a model asks for one or two.
"""

import os
import re
import sys

_SUFFIX = ".dist-info"


def installed(package: str) -> str | None:
    """Return the version of a package, None where it is not installed.

    pip names the folder that describes a package after it and its version. Where there is no
    such folder, or there are two, the standard library decides.
    """
    wanted = _normal(package)
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        described = [
            name.removesuffix(_SUFFIX).rpartition("-") for name in names if name.endswith(_SUFFIX)
        ]
        found = [version for name, _, version in described if _normal(name) == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            break
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()
