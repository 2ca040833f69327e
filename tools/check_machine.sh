#!/bin/sh
# Says in one line what a fresh machine lacks before anything is built.
python="${PYTHON:-python3}"
fail() { echo "linnet: $1" >&2; exit 1; }

command -v "$python" >/dev/null || fail "no $python found; on Debian or Ubuntu: sudo apt install python3 python3-venv python3-dev g++"
"$python" - <<'PY' || fail "Python 3.11 or newer is needed, $python is $("$python" -V 2>&1)"
import sys
sys.exit(sys.version_info < (3, 11))
PY
"$python" -c 'import ensurepip, venv' 2>/dev/null || fail "$python has no venv module; on Debian or Ubuntu: sudo apt install python3-venv"
header=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include") + "/Python.h")')
[ -f "$header" ] || fail "the headers of $python are missing; on Debian or Ubuntu: sudo apt install python3-dev"
command -v "${CXX:-c++}" >/dev/null || fail "no C++ compiler found; on Debian or Ubuntu: sudo apt install g++"
