"""The child that compiles: `python -m linnet.backends.xla._worker FIRST STATES RESULTS [N:DTYPE…]`.

Reads `module.mlirbc` (a portable artifact with `@main`) and `states.json` in its folder and writes
`checked.bin`, the code with a report on its states. States are donated: result `RESULTS + i` takes
the memory of argument `FIRST + i`. Argument `N`, a weight that is stored narrow, is taken as
`DTYPE`: see `_widen`.
"""

import sys
from pathlib import Path

from linnet.backends._states import Checked, pack_checked, states_from_json
from linnet.backends.xla._client import compile_module, hlo_text, serialize
from linnet.backends.xla._copies import check_states
from linnet.backends.xla._donate import donate_states


def main(arguments: list[str]) -> int:
    """Compile; an exception ends the child and its text reaches the parent."""
    first_state, count, results = map(int, arguments[:3])
    wide = {
        int(number): dtype for number, _, dtype in (each.partition(":") for each in arguments[3:])
    }
    (function,), states = states_from_json(Path("states.json").read_bytes())
    module = donate_states(Path("module.mlirbc").read_bytes(), first_state, count, results, wide)
    executable = compile_module(module)
    report = check_states(hlo_text(executable), function, states, first_state, results)
    Path("checked.bin").write_bytes(pack_checked(Checked(serialize(executable), report)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
