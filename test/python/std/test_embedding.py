"""std.nn.embedding: rows are exact."""

from typing import Any

import numpy as np

from std._cases import Cases, Probe, block, entry
from std._precision import BF16, F16, F32, Precision, exactly

cases = Cases("std.nn.embedding")
ALL = (F32, BF16, F16)


def looked_up(p: Precision, shape: str, ids: Any) -> Probe:
    t = p.name
    places = np.array(ids, np.int32)
    table = p.random(7, 4)
    text = entry(
        "std.nn.embedding::{embedding}",
        "embedding(ids, table)",
        f"Tensor[{shape}4; {t}]",
        ids=f"Tensor[{shape[:-2]}; i32]" if shape else "i32",
        table=f"Tensor[7, 4; {t}]",
    )
    return Probe(text, exactly(table[places]), {"ids": places, "table": table})


FIRST_AND_LAST = [[0, 6, 3], [3, 1, 0]]
cases.add("embedding", "reads_rows", lambda p: looked_up(p, "2, 3, ", FIRST_AND_LAST), *ALL)
cases.add("embedding", "of_a_scalar", lambda p: looked_up(p, "", 6))
cases.add("embedding", "of_no_ids", lambda p: looked_up(p, "2, 0, ", np.zeros((2, 0))))


@cases.of("embedding")
def of_positions_is_the_head_of_the_table(p: Precision) -> Probe:
    table = p.random(7, 4)
    text = entry(
        "std.nn.embedding::{embedding}",
        "embedding(iota<i32>(5), table)",
        f"Tensor[5, 4; {p.name}]",
        table=f"Tensor[7, 4; {p.name}]",
    )
    return Probe(text, exactly(table[:5]), {"table": table})


@cases.of("Embedding", *ALL)
def block_holds_the_table(p: Precision) -> Probe:
    ids, table = np.array([6, 0, 6], np.int32), p.random(7, 4)
    text = block(
        "std.nn.embedding::{Embedding}",
        f"Embedding<7, 4, {p.name}>",
        "layer.forward(ids)",
        f"Tensor[3, 4; {p.name}]",
        ids="Tensor[3; i32]",
    )
    return Probe(text, exactly(table[ids]), {"ids": ids}, {"layer.weight": table})


test_value = cases.test()
