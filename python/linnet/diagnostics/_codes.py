"""The stable codes and their titles (spec sections 16 and 21.8). No code is ever reused."""

from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Severity(StrEnum):
    """How serious a diagnostic is: an error refuses the program, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


CODES: Final = MappingProxyType(
    {
        "E1001": "character or bytes that cannot start a token",
        "E1002": "block comment not closed",
        "E1003": "malformed string or escape",
        "E1004": "reserved word as a name",
        "E1005": "malformed number",
        "E1101": "unexpected token",
        "E1102": "file does not begin with `module`",
        "E1103": "reserved syntax",
        "E1201": "undeclared name",
        "E1202": "module not found",
        "E1203": "private item of another module",
        "E1204": "two items or imports of one name",
        "E1205": "duplicate parameter, generic, field, member, variant, pattern name",
        "E1206": "import cycle",
        "E1207": "prelude name redeclared",
        "E1208": "name of the wrong kind",
        "E2101": "value of the wrong type",
        "E2102": "wrong, missing, repeated or unknown argument",
        "E2103": "dtypes differ",
        "E2104": "operator or reduction on a type without it",
        "E2105": "literal outside its dtype",
        "E2106": "call of a non-function",
        "E2107": "no such field, member, method, variant",
        "E2108": "assignment to a target that is not a `var` or own `state`",
        "E2109": "assignment of another type",
        "E2110": "generic that cannot be inferred",
        "E2111": "generic arguments of wrong number or kind",
        "E2112": "dtype outside the class",
        "E2113": "`none` without a required optional type",
        "E2114": "condition not `bool`",
        "E2115": "branches of different types",
        "E2116": "`&& || !` on other than scalar `bool`",
        "E2117": "pattern that cannot match",
        "E2118": "`match` misses a case",
        "E2119": "recursion",
        "E2120": "missing or misplaced `return`",
        "E2121": "`static for` over something else",
        "E2122": "definition in terms of itself",
        "E2123": "compile-time integer required",
        "E2124": "`yield` or a value `for` out of place",
        "E2125": "`grad` where it cannot stand",
        "E2126": "kernel binding",
        "E2127": "kernel rule",
        "E2190": "feature not implemented",
        "E2201": "index with incompatible extents",
        "E2202": "shape differs from the required one",
        "E2203": "`reshape` count not provable",
        "E2204": "wrong number of index parts",
        "E2205": "divisor not provably positive",
        "E2206": "`where` not provable at a use",
        "E2207": "broadcast not provable",
        "E2208": "dimension provably negative",
        "E2209": "invalid index or slice bound",
        "E2210": "invalid axis or permutation",
        "E3101": "index neither output nor reduced",
        "E3102": "reduction index that indexes nothing",
        "E3103": "output index that indexes nothing",
        "E3104": "not valid in index notation",
        "E3105": "index listed twice",
        "E3106": "pack index for a plain one, or the reverse",
        "E4101": "member of a type it cannot have",
        "E4102": "`param` with a value",
        "E5001": "package manifest unreadable or malformed",
        "W1001": "import never used",
        "W1002": "local never used",
        "W1003": "block member never used",
    }
)


def severity_of(code: str) -> Severity:
    """The severity that a code's first letter states."""
    return Severity.WARNING if code.startswith("W") else Severity.ERROR
