"""std.nn.rope: `x * cos + rotate_half(x) * sin`, each operation in T."""

import numpy as np

from std._cases import Cases, Make, Probe, entry
from std._precision import BF16, F16, F32, Array, Precision, emulated, exactly

cases = Cases("std.nn.rope")
ALL = (F32, BF16, F16)


def turned(x: Array) -> Array:
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def halves(*shape: int) -> Make:
    def make(p: Precision) -> Probe:
        t = f"Tensor[{', '.join(map(str, shape))}; {p.name}]"
        x = p.random(*shape)
        text = entry("std.nn.rope::{rotate_half}", "rotate_half(x)", t, x=t)
        return Probe(text, exactly(turned(x)), {"x": x})

    return make


cases.add("rotate_half", "rotate_half", halves(2, 3, 6), *ALL)
cases.add("rotate_half", "rotate_half_of_one_vector", halves(4))
cases.add("rotate_half", "rotate_half_of_nothing", halves(3, 0))


def rotated(name: str, cos: str, sin: str, *table: int) -> Make:
    """`name` with tables of the shape `table`."""

    def make(p: Precision) -> Probe:
        t = p.name
        angles = np.random.default_rng(5).uniform(0, 6, table)
        x, c, s = p.random(2, 3, 4, 6), p.of(np.cos(angles)), p.of(np.sin(angles))
        wide = (slice(None), None) if len(table) == 3 else slice(None)
        text = entry(
            f"std.nn.rope::{{{name}}}",
            f"{name}(x, {cos} = c, {sin} = s)",
            f"Tensor[2, 3, 4, 6; {t}]",
            x=f"Tensor[2, 3, 4, 6; {t}]",
            c=f"Tensor[{', '.join(map(str, table))}; {t}]",
            s=f"Tensor[{', '.join(map(str, table))}; {t}]",
        )
        expected = x * c[wide] + turned(x) * s[wide]
        # Exact in bf16 and f16; f32 products may be fused with the sum.
        return Probe(text, emulated(p, expected, 8 if p == F32 else 0), {"x": x, "c": c, "s": s})

    return make


cases.add("rope", "rope", rotated("rope", "cos_table", "sin_table", 4, 6), *ALL)
cases.add("rope_rows", "rope_rows", rotated("rope_rows", "cos_rows", "sin_rows", 2, 4, 6), *ALL)

test_value = cases.test()
