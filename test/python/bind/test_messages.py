"""What `linnet-bind` refuses inside of calls, as the user sees it."""

from pathlib import Path

import pytest

from linnet.compiler import Request, check_path, lower
from linnet.errors import ProgramError

SOURCE = """module app.tails

fn inner<K: Dim>(x: Tensor[K; f32]) -> Tensor[K; f32] {
    let _gap = fill<f32>([K - 7], 0.0)
    return x
}

pub entry run<K: Dim>(x: Tensor[K; f32]) -> Tensor[K; f32] {
    return inner(x)
}
"""


def test_a_negative_size_inside_a_call_shows_both_places(tmp_path: Path) -> None:
    path = tmp_path / "tails.linnet"
    path.write_text(SOURCE, encoding="utf-8")
    checked = check_path(path)
    with pytest.raises(ProgramError) as raised:
        lower(checked.accepted(), Request(generics={"K": 2}), checked.sources)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "E2208"
    assert diagnostic.message == "dimension `K - 7` is -5: K = 2"
    assert diagnostic.primary is not None
    assert diagnostic.primary.span.text == "fill<f32>([K - 7], 0.0)"
    assert [label.span.text for label in diagnostic.related] == ["inner(x)"]
