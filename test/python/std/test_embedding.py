"""std.nn.embedding: rows are exact."""

import numpy as np


def test_embedding_reads_rows(evaluate, precision) -> None:
    t = precision.name
    text = f"""use std.nn.embedding::{{embedding}}

entry run(ids: Tensor[2, 3; i32], table: Tensor[7, 4; {t}]) -> Tensor[2, 3, 4; {t}] {{
    return embedding(ids, table)
}}
"""
    ids = np.array([[0, 6, 3], [3, 1, 0]], np.int32)
    table = precision.random(7, 4)
    np.testing.assert_array_equal(evaluate(text, {"ids": ids, "table": table}), table[ids])


def test_embedding_of_positions_is_the_head_of_the_table(evaluate, precision) -> None:
    t = precision.name
    text = f"""use std.nn.embedding::{{embedding}}

entry run(table: Tensor[7, 4; {t}]) -> Tensor[5, 4; {t}] {{
    return embedding(iota<i32>(5), table)
}}
"""
    table = precision.random(7, 4)
    np.testing.assert_array_equal(evaluate(text, {"table": table}), table[:5])


def test_block_holds_the_table(evaluate, precision) -> None:
    t = precision.name
    text = f"""use std.nn.embedding::{{Embedding}}

pub block Probe {{
    sub words: Embedding<7, 4, {t}>

    pub entry run(ids: Tensor[3; i32]) -> Tensor[3, 4; {t}] {{
        return words.forward(ids)
    }}
}}
"""
    ids = np.array([5, 0, 5], np.int32)
    table = precision.random(7, 4)
    found = evaluate(text, {"ids": ids}, {"words.weight": table})
    np.testing.assert_array_equal(found, table[ids])
