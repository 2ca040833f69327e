"""Published models, converted: the same numbers and the same text as `transformers`."""

from pathlib import Path

import numpy as np
import pytest
from nest._published import DECODERS, continued, logits, save

from linnet import nest


@pytest.mark.parametrize("case", DECODERS)
def test_a_decoder_gives_the_logits_and_the_text_of_transformers(case: str, tmp_path: Path) -> None:
    published = save(tmp_path / "published", *DECODERS[case])
    made = nest.convert(tmp_path / "published", tmp_path / "made")
    model = nest.load(made.path, target="reference", generics={"MaxSeq": 32})
    tokens = np.random.default_rng(1).integers(0, 61, (2, 11), dtype=np.int32)
    wanted = logits(published, tokens)
    assert np.ptp(wanted) > 1  # Else anything would be close.
    np.testing.assert_allclose(np.asarray(model.forward(tokens)), wanted, atol=2e-4, rtol=0)

    prompt = tokens[:1]
    found: list[int] = []
    scores = np.asarray(model.prefill(prompt, 0))
    np.testing.assert_allclose(scores[0], wanted[0, -1], atol=2e-4, rtol=0)
    for position in range(11, 11 + 16):
        found.append(int(scores[0].argmax()))
        token = np.array([[found[-1]]], np.int32)
        scores = np.asarray(model.decode(token, position))
    assert found == continued(published, prompt, 16)
