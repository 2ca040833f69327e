"""The kinds of message that the compiler's sources hold, found by reading them as text.

A kind is a code and a pattern in which every inserted value matches anything.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "linnet"
ROOMS = ("syntax", "checker")


@dataclass(frozen=True)
class MessageKind:
    """One message of one place; `code` is None where the caller gives it."""

    code: str | None
    pattern: str
    place: str

    def matches(self, code: str, message: str) -> bool:
        """Whether a rendered message is of this kind."""
        return self.code in (None, code) and re.fullmatch(self.pattern, message) is not None


def message_kinds() -> list[MessageKind]:
    """Every kind of message that syntax and checker can give."""
    return [
        kind
        for room in ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for kind in _in_file(path)
    ]


def _in_file(path: Path) -> Iterator[MessageKind]:
    tree = ast.parse(path.read_text("utf-8"))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            for code, text in _messages(node):
                place = f"{path.relative_to(PACKAGE)}:{text.lineno}"
                names = _assigned(function, node)
                grows = isinstance(text, ast.Name) and text.id in _grown(function)
                for pattern in (each + ".*" * grows for each in _patterns(text, names)):
                    if re.search(r"\w", pattern.replace(".+", "")):
                        yield MessageKind(code, pattern, place)


def _messages(call: ast.AST) -> Iterator[tuple[str | None, ast.expr]]:
    """The code and the message of a node that makes a diagnostic, or parts of one."""
    if isinstance(call, ast.Tuple) and len(call.elts) > 2:
        code = _code(call.elts[0])
        if code is not None and re.fullmatch("[EW][0-9]{4}", code):
            yield code, call.elts[1]
    if not isinstance(call, ast.Call):
        return
    called = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    called = call.func.id if isinstance(call.func, ast.Name) else called
    args = call.args
    if called in ("problem", "Diagnostic") and len(args) >= 2:
        yield _code(args[0]), args[1]
    elif called == "_report" and len(args) >= 4:
        yield _code(args[0]), args[3]
    elif called == "_wrong" and len(args) >= 2:
        yield "E5001", args[1]
    elif called == "refuse" and args:
        yield "E1103", args[0]
    elif called in ("fail", "unexpected") and args:
        parts = [ast.Constant("expected "), *_parts(args[0]), ast.Constant(", found "), _ANY]
        yield "E1101", ast.copy_location(ast.JoinedStr(parts), args[0])


_ANY = ast.FormattedValue(ast.Name("x", ast.Load()), -1)


def _parts(text: ast.expr) -> list[ast.expr]:
    if isinstance(text, ast.JoinedStr):
        return list(text.values)
    return [text if isinstance(text, ast.Constant) else _ANY]


def _code(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _assigned(function: ast.FunctionDef, use: ast.AST) -> dict[str, list[ast.expr]]:
    """What each name of a function was given last, or by turns, before a node."""
    found: dict[str, list[ast.Assign]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and node.lineno < getattr(use, "lineno", 0):
                found.setdefault(target.id, []).append(node)
    return {name: [node.value for node in _latest(nodes)] for name, nodes in found.items()}


def _grown(function: ast.FunctionDef) -> set[str]:
    """The names to which `+=` adds text."""
    return {
        node.target.id
        for node in ast.walk(function)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }


def _latest(nodes: list[ast.Assign]) -> list[ast.Assign]:
    """The last assignment, and those that an `if` around it leaves standing."""
    ordered = sorted(nodes, key=lambda node: node.lineno)
    last = [ordered.pop()]
    while ordered and last[0].col_offset > min(node.col_offset for node in ordered):
        last.insert(0, ordered.pop())
    return last


def _patterns(text: ast.expr, names: dict[str, list[ast.expr]]) -> list[str]:
    match text:
        case ast.Constant(value=str(value)):
            return [re.escape(value)]
        case ast.JoinedStr(values=values):
            return [
                "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                    for part in values
                )
            ]
        case ast.Name(id=name):
            return [pattern for value in names.get(name, []) for pattern in _patterns(value, {})]
        case ast.IfExp(body=first, orelse=second):
            return [*_patterns(first, names), *_patterns(second, names)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [
                one + other
                for one in _patterns(left, names) or [".+"]
                for other in _patterns(right, names) or [".+"]
            ]
        case _:
            return []
