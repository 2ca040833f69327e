"""all-MiniLM-L6-v2 as it was published: the sentence vectors of `transformers`."""

from pathlib import Path

import numpy as np
import pytest
from nest._test_data import published

from linnet import nest

_SENTENCES = [
    "A cat sleeps in the sun.",
    "The weather forecast promises rain for the whole of next week, and wind besides.",
    "Rain",
]


def test_minilm_gives_the_sentence_vectors_of_transformers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("iree.runtime", reason="IREE is not installed")
    folder = published("minilm-l6")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    text = transformers.AutoTokenizer.from_pretrained(folder)
    given = text(_SENTENCES, padding=True, return_tensors="pt")
    encoder = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        hidden = encoder(**given).last_hidden_state
    mask = given["attention_mask"][..., None].float()
    means = (hidden * mask).sum(1) / mask.sum(1)
    wanted = torch.nn.functional.normalize(means, dim=1).numpy()

    made = nest.convert(folder, tmp_path / "minilm")
    assert made.parameters == 22_713_216
    model = nest.load(made.path, entries=["sentence"])
    names = ("input_ids", "token_type_ids", "attention_mask")
    found = np.asarray(model.sentence(*(given[name].numpy().astype(np.int32) for name in names)))
    cosines = (found * wanted).sum(1)
    assert np.all(1 - cosines < 1e-5), cosines
    np.testing.assert_allclose(found, wanted, atol=2e-4, rtol=0)
