"""Scaffolds a pass: its folder of four files, its tests, its line in CMake.

    make new-pass ROOM=Lower NAME=CancelTransposes

Writes lib/ROOM/NAME/{NAME.td,NAME.h,NAME.cpp,CMakeLists.txt} and
test/ROOM/name-in-kebab/{example,keeps,limits}.mlir. Never overwrites. The tests hold
no CHECK line yet, and the lint says so until they do.
"""

import re
import sys
from pathlib import Path

ROOMS = ("Verify", "Bind", "Lower", "Pipelines")

TD = """//===- {name}.td - {flag} -*- tablegen -*-===//
#ifndef {guard}_TD
#define {guard}_TD

include "mlir/Pass/PassBase.td"

def {name} : Pass<"{flag}", "mlir::ModuleOp"> {{
  let summary = "";
  let description = [{{
    What it does. What it needs. What it leaves alone.

    [[example: test/{room}/{kebab}/example.mlir]]
  }}];
}}

#endif // {guard}_TD
"""

HEADER = """// {flag}: see {name}.td.
#ifndef {guard}_H
#define {guard}_H

#include "mlir/Pass/Pass.h"

namespace linnet {{

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/{room}/{name}/{name}.h.inc"

}} // namespace linnet

#endif // {guard}_H
"""

SOURCE = """// {flag}: see {name}.td.
#include "lib/{room}/{name}/{name}.h"

#include "dialect/LinnetDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace linnet {{
#define GEN_PASS_DEF_{upper}
#include "lib/{room}/{name}/{name}.h.inc"
}} // namespace linnet

using namespace mlir;

namespace {{

struct {name} : linnet::impl::{name}Base<{name}> {{
  void runOnOperation() override {{}}
}};

}} // namespace
"""

CMAKE = """linnet_add_pass({name})
"""

TEST = """// RUN: linnet-opt %s --{flag} | FileCheck %s
"""

LIMITS = """// RUN: linnet-opt %s --{flag} --split-input-file --verify-diagnostics
"""


def kebab(name: str) -> str:
    """`CancelTransposes` as `cancel-transposes`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def scaffold(root: Path, room: str, name: str) -> list[Path] | str:
    """Write the files of pass `name` under `root`; give their paths, or what was wrong."""
    if room not in ROOMS:
        return f"ROOM must be one of {', '.join(ROOMS)}, found `{room}`"
    if not re.fullmatch(r"([A-Z][a-z0-9]*)+", name) or name.endswith("Pass"):
        return f"NAME must be verb and object in CamelCase without `Pass`, found `{name}`"
    folder = root / "lib" / room / name
    if folder.exists():
        return f"{folder.relative_to(root)} exists already"

    flag = f"linnet-{kebab(name)}"
    values = {
        "name": name,
        "room": room,
        "flag": flag,
        "kebab": kebab(name),
        "upper": name.upper(),
        "guard": f"LINNET_{room.upper()}_{name.upper()}",
    }
    tests = root / "test" / room / kebab(name)
    files = {
        folder / f"{name}.td": TD,
        folder / f"{name}.h": HEADER,
        folder / f"{name}.cpp": SOURCE,
        folder / "CMakeLists.txt": CMAKE,
        tests / "example.mlir": TEST,
        tests / "keeps.mlir": TEST,
        tests / "limits.mlir": LIMITS,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(**values))

    registry = root / "lib" / room / "CMakeLists.txt"
    line = f"add_subdirectory({name})\n"
    before = registry.read_text() if registry.exists() else ""
    registry.write_text(before + line)
    return [*files, registry]


def main(arguments: list[str]) -> int:
    """Run on the command line; 0 when written, 2 when asked for something impossible."""
    if len(arguments) != 2 or not all(arguments):
        print("usage: make new-pass ROOM=Lower NAME=CancelTransposes", file=sys.stderr)
        return 2
    root = Path(__file__).resolve().parent.parent
    outcome = scaffold(root, arguments[0], arguments[1])
    if isinstance(outcome, str):
        print(f"new-pass: {outcome}", file=sys.stderr)
        return 2
    for path in outcome:
        print(path.relative_to(root))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
