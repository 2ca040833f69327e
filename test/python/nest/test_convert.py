"""Published models, converted: the same numbers and the same text as `transformers`."""

from pathlib import Path

import numpy as np
import pytest
from nest._published import BERT, DECODERS, VIT, continued, logits, save

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


def test_rows_at_positions_of_their_own_see_what_forward_sees(tmp_path: Path) -> None:
    save(tmp_path / "published", *DECODERS["mistral"])
    made = nest.convert(tmp_path / "published", tmp_path / "made")
    sizes = {"MaxSeq": 24, "Batch": 3}
    model = nest.load(made.path, target="reference", generics=sizes)
    tokens = np.random.default_rng(2).integers(0, 61, (2, 12), dtype=np.int32)
    wanted = np.asarray(model.forward(tokens))
    lengths = [7, 9]
    slots = np.array([2, 0], np.int32)
    scores = np.asarray(model.prefill_slots(tokens[:, :9], slots, np.array(lengths, np.int32)))
    for row, length in enumerate(lengths):
        np.testing.assert_allclose(scores[row], wanted[row, length - 1], atol=2e-4, rtol=0)
    given = np.zeros((3, 1), np.int32)
    places = np.zeros(3, np.int32)
    for step in range(3):
        for row, slot in enumerate(slots):
            given[slot, 0] = tokens[row, lengths[row] + step]
            places[slot] = lengths[row] + step
        scores = np.asarray(model.decode_rows(given, places))
        for row, slot in enumerate(slots):
            at = lengths[row] + step
            np.testing.assert_allclose(scores[slot], wanted[row, at], atol=2e-4, rtol=0)


def test_bert_gives_the_vectors_of_transformers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    published = save(tmp_path / "published", "BertModel", BERT)
    model = nest.load(
        nest.convert(tmp_path / "published", tmp_path / "made").path, target="reference"
    )
    draw = np.random.default_rng(3)
    tokens = draw.integers(0, 61, (2, 9), dtype=np.int32)
    types = draw.integers(0, 3, (2, 9), dtype=np.int32)
    mask = np.ones((2, 9), np.int32)
    mask[1, 5:] = 0
    with torch.no_grad():
        wanted = published(torch.tensor(tokens), torch.tensor(mask), torch.tensor(types))
    hidden = np.asarray(model.forward(tokens, types, mask))
    held = mask.astype(bool)
    np.testing.assert_allclose(
        hidden[held], wanted.last_hidden_state.numpy()[held], atol=2e-4, rtol=0
    )
    pooled = np.asarray(model.pooled(tokens, types, mask))
    np.testing.assert_allclose(pooled, wanted.pooler_output.numpy(), atol=2e-4, rtol=0)
    means = np.stack([hidden[0].mean(0), hidden[1, :5].mean(0)])
    units = means / np.linalg.norm(means, axis=1, keepdims=True)
    np.testing.assert_allclose(
        np.asarray(model.sentence(tokens, types, mask)), units, atol=1e-5, rtol=0
    )


def test_vit_gives_the_scores_of_transformers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    published = save(tmp_path / "published", "ViTForImageClassification", VIT)
    made = nest.convert(tmp_path / "published", tmp_path / "made")
    model = nest.load(made.path, target="reference")
    image = np.random.default_rng(4).standard_normal((2, 2, 12, 12), np.float32)
    with torch.no_grad():
        wanted = published(torch.tensor(image)).logits.numpy()
    np.testing.assert_allclose(np.asarray(model.forward(image)), wanted, atol=2e-4, rtol=0)


def test_a_vit_without_a_head_gives_the_vectors_of_transformers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    fields = {**VIT, "qkv_bias": False}
    published = save(tmp_path / "published", "ViTModel", fields)
    made = nest.convert(tmp_path / "published", tmp_path / "made")
    model = nest.load(made.path, target="reference")
    image = np.random.default_rng(4).standard_normal((2, 2, 12, 12), np.float32)
    with torch.no_grad():
        wanted = published(torch.tensor(image))
    found = np.asarray(model.forward(image))
    np.testing.assert_allclose(found, wanted.last_hidden_state.numpy(), atol=2e-4, rtol=0)
    pooled = np.asarray(model.pooled(image))
    np.testing.assert_allclose(pooled, wanted.pooler_output.numpy(), atol=2e-4, rtol=0)


@pytest.mark.parametrize("name", sorted(nest.FAMILIES))
def test_the_packaged_model_of_a_family_has_its_card_and_is_sound(name: str) -> None:
    card = nest.find(name)
    assert card.family == name
    opened = nest.open_program(card)
    assert {member.path for member in opened.members()}
    sizes = {key: value for key, value in card.check.items() if isinstance(value, int)}
    assert opened.signature(card.entry).symbols == tuple(sizes)
