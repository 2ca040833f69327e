"""From paths of a program to published names, and the way back."""

import re
from collections.abc import Sequence


def published_name(names: Sequence[tuple[str, str]], path: str) -> str:
    """The published name of a path: by the first pattern that fits, else the path itself."""
    for ours, theirs in names:
        parts = [
            f"(?P<{part}>[0-9]+)" if index % 2 else re.escape(part)
            for index, part in enumerate(re.split(r"\{(\w+)\}", ours))
        ]
        found = re.fullmatch("".join(parts), path)
        if found is not None:
            return theirs.format(**found.groupdict())
    return path
