"""The `tokenizer.json` beside a card, as GGUF holds it: the inverse of what a conversion writes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from linnet.errors import ConversionError
from linnet.nest import GGUF_PRES, Card

_NORMAL, _CONTROL, _DEFINED, _UNUSED = 1, 3, 4, 5
_LARGEST: Final = 256 << 20  # Bytes.
_IDS: Final = ("bos", "eos", "pad")
_SKIP: Final = "--no-tokenizer exports the weights alone"


def add_tokenizer(
    writer: Any, card: Card, vocabulary: int, config: Mapping[str, object], wanted: bool
) -> None:
    """Give a writer of `gguf` the tokenizer of a card; without one the file says so.

    ConversionError for a tokenizer that has no place in GGUF, or none that is known.
    """
    if card.tokenizer is None or not wanted:
        writer.add_tokenizer_model("no_vocab")
        return
    path = card.path(card.tokenizer)
    held = _read(path)
    model = held.get("model", {})
    if model.get("type") != "BPE" or model.get("byte_fallback"):
        raise ConversionError(
            f"{path} is of a kind that is not written to GGUF",
            f"byte-level pairs are; {_SKIP}",
        )
    pre = next((name for name, each in GGUF_PRES.items() if _same(held, each)), None)
    if pre is None:
        raise ConversionError(
            f"{path} parts text in a way that has no name in GGUF",
            f"known: {', '.join(GGUF_PRES)}; {_SKIP}",
        )
    tokens, kinds = _tokens(path, held, vocabulary)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    pairs = cast(list[str | list[str]], model["merges"])
    merges = [each if isinstance(each, str) else " ".join(each) for each in pairs]
    writer.add_token_merges(merges)
    for name in _IDS:
        several = config.get(f"{name}_token_id")
        given = cast(list[object], several)[:1] if isinstance(several, list) else [several]
        given = given[0] if given else None
        if isinstance(given, int) and 0 <= given < len(tokens):
            getattr(writer, f"add_{name}_token_id")(given)
    processor = cast(dict[str, Any], held.get("post_processor") or {})
    framed = cast(list[dict[str, Any]], processor.get("single", []))
    writer.add_add_bos_token(bool(framed) and "SpecialToken" in framed[0])
    writer.add_add_eos_token(bool(framed) and "SpecialToken" in framed[-1])
    template = _template(card.directory)
    if template:
        writer.add_chat_template(template)


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST:
            raise ConversionError(f"{path} is larger than {_LARGEST} bytes")
        found: Any = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return cast(dict[str, Any], found)
    except (OSError, ValueError, RecursionError):
        pass
    raise ConversionError(f"{path} is no tokenizer", _SKIP)


def _same(held: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether text is parted so; offsets do not count."""
    return _bare(held.get("pre_tokenizer")) == _bare(wanted)


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        return {k: _bare(v) for k, v in fields.items() if k != "trim_offsets"}
    if isinstance(value, list):
        return [_bare(each) for each in cast(list[Any], value)]
    return value


def _tokens(path: Path, held: Mapping[str, Any], vocabulary: int) -> tuple[list[str], list[int]]:
    by_id: dict[int, str] = {index: token for token, index in held["model"]["vocab"].items()}
    kinds = dict.fromkeys(by_id, _NORMAL)
    added: Sequence[Mapping[str, Any]] = held.get("added_tokens") or ()
    for each in added:
        by_id[each["id"]] = each["content"]
        kinds[each["id"]] = _CONTROL if each.get("special") else _DEFINED
    largest = max(by_id, default=-1)
    if largest >= vocabulary:
        raise ConversionError(
            f"{path} has a token {largest}, but the embedding {vocabulary} rows", _SKIP
        )
    # Rows that no token has: padding of the embedding.
    tokens = [by_id.get(index, f"[PAD{index}]") for index in range(vocabulary)]
    return tokens, [kinds.get(index, _UNUSED) for index in range(vocabulary)]


def _template(folder: Path) -> str | None:
    beside = folder / "chat_template.jinja"
    try:
        if beside.is_file():
            return beside.read_text(encoding="utf-8")
        fields: Any = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    found: Any = cast(dict[str, Any], fields).get("chat_template") if fields else None
    return found if isinstance(found, str) else None
