"""What `--weights-dtype` did to the parameters of a program, as text and as JSON."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from linnet.signature import Member, numpy_dtype


def stored_facts(params: Sequence[Member], unstored: Mapping[str, str]) -> dict[str, Any]:
    """Return what is stored narrow, what stays and why, and the bytes of all weights."""
    stored = [
        {
            "path": param.path,
            "scheme": param.stored.scheme,
            "axis": param.stored.axis,
            "shape": list(param.stored.shape),
            **({} if param.stored.group is None else {"group": param.stored.group}),
        }
        for param in params
        if param.stored is not None and param.stored.role == "values"
    ]
    before = after = 0
    for param in params:
        after += _bytes(param.dtype, param.shape)
        if param.stored is None:
            before += _bytes(param.dtype, param.shape)
        elif param.stored.role == "values":
            before += _bytes(param.stored.dtype, param.stored.shape)
    stays = [{"path": path, "reason": reason} for path, reason in unstored.items()]
    return {"stored": stored, "stays": stays, "bytes": after, "bytes_of_program": before}


def stored_lines(facts: Mapping[str, Any]) -> list[str]:
    """Return the facts as lines; the parameters that stay are named one by one."""
    if not facts["stored"]:
        lines = ["  weights: none could be stored narrower"]
    else:
        scheme = facts["stored"][0]["scheme"]
        groups = sorted({each["group"] for each in facts["stored"] if "group" in each})
        if groups:
            scheme += f" in groups of {' and '.join(map(str, groups))}"
        lines = [
            f"  weights: {len(facts['stored'])} stored as {scheme}, "
            f"{_mebibytes(facts['bytes_of_program'])} -> {_mebibytes(facts['bytes'])}"
        ]
    return lines + [f"  `{each['path']}` stays: {each['reason']}" for each in facts["stays"]]


def _bytes(dtype: str, shape: Sequence[int]) -> int:
    return prod(shape) * numpy_dtype(dtype).itemsize


def _mebibytes(count: int) -> str:
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{count} bytes"
