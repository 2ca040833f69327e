"""Breaks lines as ruff's formatter does, as far as generated code needs it."""

import re

WIDTH = 100
_OPEN, _CLOSE = "([{", ")]}"


def broken(line: str, width: int = WIDTH) -> list[str]:
    """The line, or the lines that it becomes; a comment that does not fit stands above."""
    code, comment = _parted(line)
    if len(line) <= width:
        return [line]
    indent = code[: len(code) - len(code.lstrip())]
    above = [f"{indent}{comment}"] if comment else []
    if len(code) <= width:
        return [*above, code]
    return [*above, *_split(code, width)]


def _parted(line: str) -> tuple[str, str]:
    at = line.find("  # ")
    return (line, "") if at < 0 or '"' in line[at:] else (line[:at], line[at + 2 :])


def _split(code: str, width: int) -> list[str]:
    """Break at the last bracket whose content then fits, one part a line where it does not."""
    indent = code[: len(code) - len(code.lstrip())]
    operands = _operands(code)
    if len(operands) > 2:
        name, _, first = operands[0].partition(" = ")
        whole = f"{indent}    {' '.join([first, *operands[1:]])}"
        if len(whole) <= width:
            return [f"{name} = (", whole, f"{indent})"]
        rest = [f"{indent}    {operand}" for operand in operands[1:]]
        return [f"{name} = (", f"{indent}    {first}", *rest, f"{indent})"]
    pairs = _pairs(code)
    if not pairs:
        return [code]
    start, end = pairs[-1]
    head, body, tail = code[: start + 1], code[start + 1 : end], code[end:]
    if len(pairs) > 1 and len(head) > width:
        start, end = pairs[0]
        head, body, tail = code[: start + 1], code[start + 1 : end], code[end:]
    inner = f"{indent}    {body}"
    if len(inner) <= width and not body.endswith(","):
        return [head, inner, *broken(f"{indent}{tail}", width)]
    parts = _parts(body)
    lines = [head]
    # A comma would make a tuple of what stands in parentheses for its own sake.
    if len(parts) == 1 and not body.endswith(",") and not re.search(r"[\w)\]][(\[]$", head):
        return [head, *broken(inner, width), f"{indent}{tail}"] if _pairs(body) else [code]
    for part in parts:
        lines += broken(f"{indent}    {part},", width)
    return [*lines, f"{indent}{tail}"]


def _operands(code: str) -> list[str]:
    """What a sum that is given a name adds; each but the first with its sign."""
    if " = " not in code:
        return []
    depth, last = 0, 0
    parts: list[str] = []
    for at, char in _significant(code):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif char in "+-" and depth == 0 and code[at - 1 : at + 2] == f" {char} ":
            parts.append(code[last : at - 1])
            last = at
    return [*parts, code[last:]] if parts else []


def _pairs(code: str) -> list[tuple[int, int]]:
    """The outermost brackets."""
    found: list[tuple[int, int]] = []
    depth = start = 0
    for at, char in _significant(code):
        if char in _OPEN:
            if depth == 0:
                start = at
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth == 0 and at > start + 1:
                found.append((start, at))
    return found


def _parts(body: str) -> list[str]:
    depth, last = 0, 0
    parts: list[str] = []
    for at, char in _significant(body):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(body[last:at].strip())
            last = at + 1
    rest = body[last:].strip()
    return [*parts, rest] if rest else parts


def _significant(code: str) -> list[tuple[int, str]]:
    """The characters outside of texts in quotes."""
    found: list[tuple[int, str]] = []
    quoted = False
    for at, char in enumerate(code):
        if char == '"':
            quoted = not quoted
        elif not quoted:
            found.append((at, char))
    return found


def joined(text: str) -> str:
    """The text with at most two empty lines together, and one newline at its end."""
    return re.sub(r"\n{4,}", "\n\n\n", text).strip("\n") + "\n"
