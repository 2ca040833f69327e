"""The child that compiles an artifact's portable form: `python -m linnet.runtime._rebuild TARGET`.

Reads `manifest.json` and `entry.N.mlirbc`, N the number of an entry, in its folder, and writes
`variant.bin`: a line of JSON, then the files one after the other. An error for the user is in that
line too, and stays what it was for the parent.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import linnet.errors
from linnet.artifact import Code, Draft, File, Gpu, Held, Variant, manifest_from_json
from linnet.backends import Cpu, Module
from linnet.errors import BackendError, InternalError, LinnetError

OUTPUT = "variant.bin"


def pack(draft: Draft) -> bytes:
    """Return a draft as bytes."""
    head = {
        "target": draft.target,
        "kind": draft.kind,
        "versions": dict(draft.versions),
        "cpu": draft.cpu and asdict(draft.cpu),
        "gpu": draft.gpu and asdict(draft.gpu),
        "options": list(draft.options),
        "files": [
            {
                "name": name,
                "bytes": len(data),
                "functions": [
                    asdict(each if isinstance(each, Held) else Held(each)) for each in functions
                ],
            }
            for name, data, functions in draft.files
        ],
    }
    data = b"".join(data for _, data, _ in draft.files)
    return json.dumps(head).encode() + b"\n" + data


def unpack(packed: bytes) -> tuple[Variant, Mapping[str, bytes]]:
    """Return the variant and the contents of its files by path; raise the error that it holds."""
    line, _, data = packed.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    if "error" in head:
        raise _error(head["error"])
    contents: dict[str, bytes] = {}
    files: list[Code] = []
    for item in head["files"]:
        path = f"recompiled/{item['name']}"
        contents[path], data = data[: item["bytes"]], data[item["bytes"] :]
        file = File(path, sha256(contents[path]).hexdigest(), item["bytes"])
        files.append(Code(file, tuple(Held(**each) for each in item["functions"])))
    cpu, gpu = head["cpu"], head["gpu"]
    variant = Variant(
        target=head["target"],
        kind=head["kind"],
        versions=head["versions"],
        cpu=cpu and Cpu(cpu["arch"], tuple(cpu["features"])),
        gpu=gpu and Gpu(**gpu),
        options=tuple(head["options"]),
        files=tuple(files),
    )
    return variant, contents


def _error(told: dict[str, str]) -> LinnetError:
    kind: object = getattr(linnet.errors, told["kind"], None)
    if isinstance(kind, type) and issubclass(kind, LinnetError):
        return kind(told["message"], told["hint"])
    return InternalError(told["message"], told["hint"])


def main(arguments: list[str]) -> int:
    """Compile; an exception that is no error for the user ends the child."""
    from linnet.runtime._instances import compile_variant

    (target,) = arguments
    manifest = manifest_from_json(json.loads(Path("manifest.json").read_bytes()))
    modules = [
        Module(entry.function, entry.signature, Path(f"entry.{number}.mlirbc").read_bytes())
        for number, entry in enumerate(manifest.entries)
    ]
    try:
        packed = pack(compile_variant(target, modules))
    except BackendError:
        raise  # Its reproducer lies in our folder, which is kept.
    except LinnetError as error:
        told = {"kind": type(error).__name__, "message": error.message, "hint": error.hint}
        packed = json.dumps({"error": told}).encode() + b"\n"
    Path(OUTPUT).write_bytes(packed)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
