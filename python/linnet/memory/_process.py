"""What a process takes before it holds a model: the interpreter, NumPy, the target's runtime."""

import os
import subprocess
import sys

from linnet.errors import CapabilityError


def process_bytes(target: str) -> int:
    """Measure it, in a process that does nothing else. CapabilityError where the target is not
    installed."""
    done = subprocess.run(
        [sys.executable, "-m", "linnet.measure._probe", target],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    if done.returncode != 0:
        last = "".join(done.stderr.strip().splitlines()[-1:]) or "no output"
        message = last.rpartition("Error: ")[2]
        raise CapabilityError(f"target {target} does not start: {message}")
    return int(done.stdout.split()[-1])
