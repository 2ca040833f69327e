"""The child that compiles: `python -m linnet.backends.xla._worker FIRST STATES RESULTS [N:DTYPE…]`.

Reads `module.mlirbc` (a portable artifact with `@main`) in its folder and writes
`executable.bin`. States are donated: result `RESULTS + i` takes the memory of argument
`FIRST + i`. Argument `N`, a weight that is stored narrow, is taken as `DTYPE`.
"""

import sys
from pathlib import Path

from linnet.backends.xla._client import compile_module, serialize
from linnet.backends.xla._donate import donate_states


def main(arguments: list[str]) -> int:
    """Compile; an exception ends the child and its text reaches the parent."""
    first_state, states, results = map(int, arguments[:3])
    wide = {
        int(number): dtype for number, _, dtype in (each.partition(":") for each in arguments[3:])
    }
    module = donate_states(Path("module.mlirbc").read_bytes(), first_state, states, results, wide)
    Path("executable.bin").write_bytes(serialize(compile_module(module)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
