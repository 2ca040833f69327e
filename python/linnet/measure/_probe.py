"""The child that is nothing but the process: `python -m linnet.measure._probe TARGET`.

Imports what loading a model imports, starts the target's runtime, and prints the most memory that
was resident, in bytes.
"""

import sys

from linnet.measure._machine import peak_bytes


def main(target: str) -> int:
    """Start what `linnet.load` starts, without a model."""
    import linnet.runtime  # noqa: F401 # pyright: ignore[reportUnusedImport]

    if target == "cpu":
        from linnet.backends import iree

        iree.start()
    elif target == "xla-cpu":
        from linnet.backends import xla

        xla.start()
    print(peak_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
