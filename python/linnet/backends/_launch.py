"""Becomes a compiler whose use of the machine is limited and that dies with who asked for it.

Run by its path, with nothing imported that takes time:
`python -I -S _launch.py PARENT CPU_SECONDS MEMORY FILE_BYTES COMMAND...`.
"""

import ctypes
import os
import resource
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_CANNOT_START = 127


def _limit(kind: int, value: int, room: int = 0) -> None:
    """Lower a limit to `value`, and the one beyond it, where a process is killed, by `room`."""
    _, hard = resource.getrlimit(kind)
    bound = value + room if hard == resource.RLIM_INFINITY else min(hard, value + room)
    resource.setrlimit(kind, (min(value, bound), bound))


def main(arguments: list[str]) -> int:
    """Set the limits and become the command; the status is that of one that cannot start."""
    parent, cpu_seconds, memory, file_bytes = map(int, arguments[:4])
    command = arguments[4:]
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        return _CANNOT_START  # It died before we asked to be told.
    _limit(resource.RLIMIT_CPU, cpu_seconds, room=5)
    # What is mapped to write: code and reserved addresses take no memory.
    _limit(resource.RLIMIT_DATA, memory)
    _limit(resource.RLIMIT_FSIZE, file_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    # Python ignores these, and what it becomes would go on doing so.
    for each in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(each, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"error: cannot start {command[0]}: {(error.strerror or '').lower()}\n")
        return _CANNOT_START


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
