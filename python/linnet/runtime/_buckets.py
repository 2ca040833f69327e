"""Buckets: the sizes at which an entry with open ones is compiled for a target of fixed sizes.

A call runs at the least bucket that holds its sizes. That every size that the constraints allow
has one is checked here, when the artifact is built.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from linnet.backends import Module
from linnet.errors import ArgumentError, UsageError, unknown_name
from linnet.signature import Signature, bounds_of, check_sizes

if TYPE_CHECKING:
    from linnet.core import CoreModule

Buckets = Mapping[str, Sequence[int]]
# How far beyond the last bucket a size without a bound is looked for.
_FAR = 1 << 16


def check_buckets(core: "CoreModule", buckets: Buckets) -> None:
    """Raise for buckets of a symbol that no entry leaves open: `S`, or `prefill.S`."""
    known: list[str] = []
    for name, function in core.functions.items():
        for symbol in function.signature.symbols:
            known += [symbol, f"{name}.{symbol}"]
    for name in buckets:
        if name not in known:
            raise unknown_name("no open size", name, list(dict.fromkeys(known)), "open sizes")


def cover(signature: Signature, buckets: Buckets) -> list[dict[str, int]]:
    """Return the sizes at which to compile an entry; a single, empty one without open sizes.

    Each combination of sizes that the constraints allow has exactly one of them: the least bucket
    of each symbol. UsageError for a size that has none, the smallest one named, and for a bucket
    that serves no size.
    """
    each: list[list[int]] = []
    for symbol in signature.symbols:
        given = buckets.get(f"{signature.entry}.{symbol}", buckets.get(symbol))
        name = f"{signature.entry}.{symbol}"
        if given is None:
            raise UsageError(
                f"entry `{signature.entry}` leaves {symbol} open, which needs buckets for XLA",
                f"add --buckets {name}=SIZE,… or --bind {name}=SIZE",
            )
        each.append(_checked(signature, symbol, given))
    return [dict(zip(signature.symbols, sizes, strict=True)) for sizes in product(*each)]


def _allowed(signature: Signature, symbol: str, size: int) -> bool:
    """Whether the constraints on this symbol alone hold of a size."""
    try:
        check_sizes(signature, {symbol: size})
    except ArgumentError:
        return False
    return True


def _checked(signature: Signature, symbol: str, given: Sequence[int]) -> list[int]:
    sizes = sorted(set(given))
    least, most = bounds_of(signature, symbol)
    below = least - 1
    for size in sizes:
        inside = range(max(below, least - 1) + 1, min(size, most) + 1)
        if not any(_allowed(signature, symbol, each) for each in inside):
            raise UsageError(
                f"the bucket {symbol} = {size} serves no size: `{signature.entry}` takes {symbol} "
                f"from {least} to {most}",
                "leave it out",
            )
        below = size
    last = sizes[-1] if sizes else least - 1
    beyond = range(last + 1, min(most, last + _FAR) + 1)
    missing = next((size for size in beyond if _allowed(signature, symbol, size)), None)
    if missing is not None and most - last > _FAR:
        raise UsageError(
            f"no bucket holds {symbol} = {missing} and more, and nothing bounds {symbol} in "
            f"`{signature.entry}`",
            f"add a line such as `{symbol} <= {last}` to its `where`",
        )
    if missing is not None:
        top = max(size for size in beyond if _allowed(signature, symbol, size))
        shown = str(missing) if top == missing else f"{missing} … {top}"
        raise UsageError(
            f"no bucket holds {symbol} = {shown}, which `{signature.entry}` takes",
            f"add {top} to the buckets of {symbol}",
        )
    if most - last > _FAR:
        raise UsageError(
            f"it is not known that {symbol} of `{signature.entry}` is at most {last}",
            f"add a line such as `{symbol} <= {last}` to its `where`",
        )
    return sizes


def padded_modules(core: "CoreModule", buckets: Buckets) -> list[Module]:
    """Return the entries at their buckets. CapabilityError for an op that cannot be padded."""
    from linnet.core import CoreModule, pad_sizes
    from linnet.stablehlo import build

    made: list[Module] = []
    for name, function in core.functions.items():
        for bucket in cover(function.signature, buckets):
            padded = pad_sizes(function, bucket) if bucket else function
            code = build(CoreModule({name: padded}), {"main": name}).portable()
            made.append(Module(name, padded.signature, code, bucket))
    return made
