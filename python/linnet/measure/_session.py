"""The process that `linnet bench` measures: `python -m linnet.measure._session`.

Reads one JSON object from standard input: `artifact`, `weights`, `bindings`, `target`, `prompt`
(token ids), `new_tokens`, `rounds`. Writes a JSON object a line: `{"load_s": …}`, then
`{"ttft_s": …, "decode_s": …}` for each round, the first of which warms up, and at the end
`{"peak_bytes": …}`; or `{"error": …, "hint": …, "status": …}`.
"""

import json
import sys
import time
import warnings
from typing import Any

from linnet.errors import LinnetError
from linnet.measure._machine import peak_bytes


def main() -> int:
    """Load, run the rounds, and say what each took."""
    asked: dict[str, Any] = json.loads(sys.stdin.read())
    try:
        _run(asked)
    except LinnetError as error:
        _say({"error": error.message, "hint": error.hint, "status": error.exit_status})
    return 0


def _run(asked: dict[str, Any]) -> None:
    from linnet.runtime import load

    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load(asked["artifact"], asked["weights"], asked["bindings"], asked["target"])
    _say({"load_s": time.perf_counter() - start})
    count: int = asked["new_tokens"]
    for _ in range(asked["rounds"] + 1):
        start = time.perf_counter()
        tokens = model.generate(asked["prompt"], count + 1)
        next(tokens)
        first = time.perf_counter()
        for _ in tokens:
            pass
        _say({"ttft_s": first - start, "decode_s": time.perf_counter() - first})
    _say({"peak_bytes": peak_bytes()})


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
