"""The child that compiles and checks: `python -m linnet.backends.iree._worker COMPILER ARGUMENTS`.

The compiler reads `module.mlir` in its folder and writes `module.vmfb`. It also writes down its
phases, at no cost worth mentioning; the check reads the one named `stream`. What comes out is
`checked.bin`, the code with a report on the states of `states.json`.
"""

import os
import subprocess
import sys
from pathlib import Path

from linnet.backends._states import Checked, pack_checked, states_from_json
from linnet.backends.iree._copies import check_states

_PHASES = "phases"


def main(command: list[str]) -> int:
    """Compile and check; the compiler's end is ours."""
    status = subprocess.run([*command, f"--dump-compilation-phases-to={_PHASES}"]).returncode
    if status < 0:
        os.kill(os.getpid(), -status)
    if status:
        return status
    (stream,) = Path(_PHASES).glob("*.stream.mlir")
    functions, states = states_from_json(Path("states.json").read_bytes())
    report = check_states(stream.read_text(), functions, states)
    code = Path("module.vmfb").read_bytes()
    Path("checked.bin").write_bytes(pack_checked(Checked(code, report)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
