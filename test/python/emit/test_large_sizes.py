"""Programs whose dimensions are larger than anything that is read: accepted or told, and fast."""

from pathlib import Path

from linnet.checker import check
from linnet.diagnostics import render_all
from linnet.emit import diagnose
from linnet.source import decode
from linnet.syntax import load_source


def told(text: str, tmp_path: Path) -> str:
    path = str(tmp_path / "large.linnet")
    return render_all(diagnose(check(load_source(decode(text.encode(), path)))))


def test_a_product_of_many_sums_is_itself_and_not_another(tmp_path: Path) -> None:
    names = ", ".join(f"N{i}: Dim" for i in range(40))
    size = " * ".join(f"(N{2 * i} + N{2 * i + 1})" for i in range(20))
    text = f"""module large

pub fn same<{names}>(x: Tensor[{size}; f32]) -> Tensor[{size}; f32] {{
    return x
}}
"""
    assert told(text, tmp_path) == ""
    other = text.replace(f"-> Tensor[{size}", f"-> Tensor[{size} + 1")
    assert "error[E2202]" in told(other, tmp_path)


def test_a_size_that_doubles_sixty_times_is_too_large_to_decide(tmp_path: Path) -> None:
    steps = "\n".join(f"    let a{i + 1} = (a{i} + 1) / 3 + a{i} % 5" for i in range(60))
    text = f"""module large

pub fn f<N: Dim>(x: Tensor[N; f32]) -> f32 {{
    let a0 = N + 1
{steps}
    let y = reshape(x, [a60])
    return sum[i] y[i]
}}
"""
    shown = told(text, tmp_path)
    assert "error[E2203]" in shown
    assert "this is too large to decide" in shown
