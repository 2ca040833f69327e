"""Finds what a test says to no effect, and a few things that must not be committed.

    python tools/lint_checks.py [FILE...]

Without files: every tracked file of the repository. Prints `path:line: problem`; exits 1 if there
is one.

- A directive of FileCheck without its colon, misspelt, or with a prefix that no RUN line asks for
  is a comment to FileCheck, and so checks nothing.
- An `.mlir` file without a RUN line runs nothing; a RUN line that pipes into FileCheck needs a
  directive, one with `--verify-diagnostics` needs an `expected-…`.
- A path of a machine (home and temporary folders) does not belong into a tracked file.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

SUFFIXES = ("SAME", "NEXT", "NOT", "LABEL", "DAG", "EMPTY", "COUNT")
COMMENT = re.compile(r"^\s*(?://|#|;)\s*(?P<body>\S.*)$")
DIRECTIVE = re.compile(r"^(?P<word>[A-Z][A-Z0-9_]*(?:-[A-Z0-9]+)*)(?P<colon>\s*:)?")
PREFIXES = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
MACHINE_PATH = re.compile(r"(?<![\w.$}/-])/(?:home|root|work|Users)/\w")
TEXT_SUFFIXES = {
    *(".py", ".td", ".h", ".cpp", ".cmake", ".txt", ".md", ".toml", ".mlir", ".test", ".linnet"),
    *(".json", ".yml", ".yaml", ".in", ".sh", ".cfg"),
}

Problem = tuple[int, str]


def check_test(text: str) -> Iterator[Problem]:
    """The problems of one lit test."""
    lines = text.splitlines()
    runs = "\n".join(line for line in lines if re.search(r"(?://|#)\s*RUN:", line))
    if not runs:
        yield 1, "no RUN line: lit runs nothing"
        return
    uses_filecheck = "FileCheck" in runs
    prefixes = {name for found in PREFIXES.findall(runs) for name in found.split(",")}
    if uses_filecheck and (not prefixes or re.search(r"FileCheck %s\s*$", runs, re.MULTILINE)):
        prefixes.add("CHECK")

    used: set[str] = set()
    for number, line in enumerate(lines, start=1):
        comment = COMMENT.match(line)
        if comment is None:
            continue
        body = comment["body"]
        found = DIRECTIVE.match(body)
        if found is None or found["word"] in {"RUN", "TODO", "XFAIL", "REQUIRES", "UNSUPPORTED"}:
            if re.match(r"expected-\w+", body) and "verify-diagnostics" not in runs:
                yield number, "`expected-…` without `--verify-diagnostics` in a RUN line"
            continue
        word = found["word"]
        problem = check_directive(word, found["colon"], prefixes)
        if problem is not None:
            yield number, problem
        used |= {prefix for prefix in prefixes if is_directive(word, prefix)}

    for prefix in sorted(prefixes - used):
        yield 1, f"no directive `{prefix}:` for the FileCheck of a RUN line"
    if "verify-diagnostics" in runs and "expected-" not in text:
        yield 1, "`--verify-diagnostics` without an `expected-…`"


def is_directive(word: str, prefix: str) -> bool:
    """Is `word` the prefix itself, or the prefix with one of FileCheck's suffixes?"""
    if word == prefix:
        return True
    suffix = word.removeprefix(f"{prefix}-")
    return suffix != word and (suffix in SUFFIXES or re.fullmatch(r"COUNT-\d+", suffix) is not None)


def check_directive(word: str, colon: str | None, prefixes: set[str]) -> str | None:
    """What is wrong with a comment that begins with an upper-case `word`, if anything."""
    if any(is_directive(word, prefix) for prefix in prefixes):
        if colon is None:
            return f"`{word}` without its colon checks nothing"
        if colon != ":":
            return f"`{word} :` with a space before the colon checks nothing"
        return None
    known = [
        p if s is None else f"{p}-{s}" for p in prefixes or {"CHECK"} for s in (None, *SUFFIXES)
    ]
    near = get_close_matches(word, known, n=1, cutoff=0.75)
    if near and (colon is not None or "-" in word):
        return f"`{word}` is no directive here; did you mean `{near[0]}`?"
    if re.match(r"CHECK\b", word):
        return f"`{word}` is no directive of this file's RUN lines"
    return None


def check_paths(text: str) -> Iterator[Problem]:
    """Paths of a machine in a tracked file."""
    for number, line in enumerate(text.splitlines(), start=1):
        found = MACHINE_PATH.search(line)
        if found is not None:
            yield number, f"path of a machine: `{found[0]}…`"


def tracked(root: Path) -> list[Path]:
    """Every file that git tracks."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    ).stdout
    return [root / name for name in names.split("\0") if name]


def problems(path: Path) -> list[Problem]:
    """Every problem of one file."""
    if path.suffix not in TEXT_SUFFIXES or not path.is_file():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    found = list(check_paths(text))
    if path.suffix in {".mlir", ".test"} and "Inputs" not in path.parts:
        found += check_test(text)
    return found


def main(arguments: list[str]) -> int:
    """Check the files named, or all; 1 if one has a problem."""
    root = Path(__file__).resolve().parent.parent
    count = 0
    for path in [Path(name) for name in arguments] or tracked(root):
        for number, problem in problems(path):
            shown = path.relative_to(root) if path.is_relative_to(root) else path
            print(f"{shown}:{number}: {problem}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
