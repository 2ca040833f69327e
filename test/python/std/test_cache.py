"""std.nn.cache: what is written is exact, the rest is untouched, outside writes nothing."""

from collections.abc import Sequence

import numpy as np

from std._cases import Cases, Make, Probe, entry
from std._precision import BF16, F16, F32, Array, Precision, exactly

cases = Cases("std.nn.cache")
CACHE = (3, 2, 6, 4)
FAR = 2**31 - 1


def written(
    cache: Array, value: Array, at: Sequence[int], rows: Sequence[int], entries: Sequence[int]
) -> Array:
    """Write position by position, the way a person would."""
    after = cache.copy()
    for row, source in zip(rows, entries, strict=True):
        for offset in range(value.shape[2]):
            if 0 <= at[row] + offset < cache.shape[2]:
                after[row, :, at[row] + offset] = value[source, :, offset]
    return after


def write(
    name: str,
    value: tuple[int, int],
    extra: dict[str, str],
    arguments: dict[str, Array],
    at: Sequence[int],
    rows: Sequence[int],
    entries: Sequence[int],
) -> Make:
    """A write of `value[0]` entries of `value[1]` positions; what should be written is last."""

    def make(p: Precision) -> Probe:
        t = p.name
        cache, values = p.random(*CACHE), p.random(value[0], 2, value[1], 4, seed=1)
        text = entry(
            f"std.nn.cache::{{{name}}}",
            f"{name}(cache, value, {', '.join(extra)})",
            f"Tensor[3, 2, 6, 4; {t}]",
            cache=f"Tensor[3, 2, 6, 4; {t}]",
            value=f"Tensor[{value[0]}, 2, {value[1]}, 4; {t}]",
            **extra,
        )
        expected = exactly(written(cache, values, at, rows, entries))
        return Probe(text, expected, {"cache": cache, "value": values, **arguments})

    return make


def i32(values: int | Sequence[int]) -> Array:
    return np.asarray(values, np.int32)


def label(number: int) -> str:
    return {FAR: "far", -FAR - 1: "far_below"}.get(number, str(number).replace("-", "minus_"))


ALL = (0, 1, 2)
for at_ in (0, 3, 5, 6, -1, -FAR - 1, FAR):
    precisions = (F32, BF16, F16) if at_ == 3 else (F32, BF16)
    made = write("write_at", (3, 1), {"at": "i32"}, {"at": i32(at_)}, [at_] * 3, ALL, ALL)
    cases.add("write_at", f"write_at_{label(at_)}", made, *precisions)

for at_ in (0, 2, 3, 4, 5, 6, -1, -2, -3, -FAR - 1, FAR):
    precisions = (F32, BF16, F16) if at_ == 4 else (F32, BF16)
    made = write("write_span", (3, 3), {"at": "i32"}, {"at": i32(at_)}, [at_] * 3, ALL, ALL)
    cases.add("write_span", f"write_span_{label(at_)}", made, *precisions)

for at_ in (0, 2, -2):
    made = write("write_span", (3, 9), {"at": "i32"}, {"at": i32(at_)}, [at_] * 3, ALL, ALL)
    cases.add("write_span", f"write_span_longer_than_the_cache_{label(at_)}", made)

for number, places in enumerate(([0, 5, 2], [4, 4, 4], [-1, 6, 1], [FAR, -FAR - 1, 0])):
    types = {"at": "Tensor[3; i32]"}
    made = write("write_rows", (3, 1), types, {"at": i32(places)}, places, ALL, ALL)
    cases.add("write_rows", f"write_rows_{number}", made)

SLOTS = {"slots": "Tensor[2; i32]", "at": "i32"}
for slots in ([2, 0], [1, 2]):
    for at_ in (0, 2, 5, -1, 6):
        given = {"slots": i32(slots), "at": i32(at_)}
        made = write("write_slots", (2, 3), SLOTS, given, [at_] * 3, slots, (0, 1))
        cases.add("write_slots", f"write_slots_{slots[0]}_{slots[1]}_{label(at_)}", made)
given = {"slots": i32([7, 1]), "at": i32(1)}
made = write("write_slots", (2, 3), SLOTS, given, [1] * 3, [1], [1])
cases.add("write_slots", "write_slots_ignores_a_slot_outside", made, F32, BF16, F16)
given = {"slots": i32([-1, 3]), "at": i32(1)}
made = write("write_slots", (2, 3), SLOTS, given, [1] * 3, [], [])
cases.add("write_slots", "write_slots_all_outside_write_nothing", made)

for slot, at_ in ((0, 0), (2, 4), (1, -2), (3, 0), (-1, 0), (1, FAR)):
    types = {"slot": "i32", "at": "i32"}
    given = {"slot": i32(slot), "at": i32(at_)}
    rows = [slot] if 0 <= slot < 3 else []
    made = write("write_slot", (1, 3), types, given, [at_] * 3, rows, [0] * len(rows))
    cases.add("write_slot", f"write_slot_{label(slot)}_{label(at_)}", made)

test_value = cases.test()
