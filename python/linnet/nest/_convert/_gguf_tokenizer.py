"""The tokenizer that a GGUF file holds, in the form of the library `tokenizers`.

A file says by name how text is parted before pairs are merged (`tokenizer.ggml.pre`). What each
name means is fixed in the engines that read it; those here are written from the tokenizers that
the models were published with, and a name that is not here is refused.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from linnet.errors import ConversionError
from linnet.weights import Gguf

Json = dict[str, Any]

_KIND: Final = "tokenizer.ggml.model"
_PRE: Final = "tokenizer.ggml.pre"
_TEMPLATE: Final = "tokenizer.chat_template"
_SKIP: Final = "--ignore {} converts the weights without the tokenizer"
_LONGEST_PIECE: Final = 1024  # Characters; real ones have some dozens.
_UNKNOWN, _CONTROL, _DEFINED = 2, 3, 4  # Of `token_type`.
_IDS: Final = {
    "bos_token": "tokenizer.ggml.bos_token_id",
    "eos_token": "tokenizer.ggml.eos_token_id",
    "unk_token": "tokenizer.ggml.unknown_token_id",
    "pad_token": "tokenizer.ggml.padding_token_id",
}


def _bytes(regex: bool) -> Json:
    return {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": regex,
    }


def _split(pattern: str) -> Json:
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }


_LLAMA3: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DIGITS: Final = {"type": "Digits", "individual_digits": True}
# How text is parted, whether a text begins with a mark, and whether whole words go before merges.
_PRES: Final[Mapping[str, tuple[Json, bool, bool]]] = {
    "gpt-2": (_bytes(True), False, False),
    "smollm": ({"type": "Sequence", "pretokenizers": [_DIGITS, _bytes(True)]}, False, False),
    "llama-bpe": (
        {"type": "Sequence", "pretokenizers": [_split(_LLAMA3), _bytes(False)]},
        True,
        True,
    ),
}
# How each name parts text, as `tokenizers` says it.
GGUF_PRES: Final[Mapping[str, Json]] = {name: parted for name, (parted, *_) in _PRES.items()}


def _shown(value: object) -> str:
    return json.dumps(str(value)[:60])


def has_tokenizer(gguf: Gguf) -> bool:
    """Whether a file says how text becomes tokens."""
    return gguf.get(_KIND) not in (None, "none", "no_vocab")


def tokenizer_files(gguf: Gguf, ignore: frozenset[str]) -> dict[str, str]:
    """Return the texts of tokenizer.json and what goes with it by file name.

    Empty for a file without a tokenizer, or one that is passed over. ConversionError for a kind
    that is not known and for tables that do not agree.
    """
    if not has_tokenizer(gguf) or _KIND in ignore or _PRE in ignore:
        return {}
    read = _Reader(gguf)
    kind = gguf.get(_KIND)
    if kind == "gpt2":
        built = _byte_pairs(read)
    elif kind == "llama":
        built = _pieces(read)
    else:
        raise ConversionError(
            f"{gguf.path} has a tokenizer of the kind {_shown(kind)}, which is not known",
            f"known: gpt2, llama; {_SKIP.format(_KIND)}",
        )
    text = json.dumps(built, ensure_ascii=False, indent=1) + "\n"
    _check(gguf, text)
    files = {"tokenizer.json": text, "tokenizer_config.json": _config(read)}
    template = gguf.get(_TEMPLATE)
    if isinstance(template, str):
        files["chat_template.jinja"] = template
    return files


def special_ids(gguf: Gguf) -> dict[str, int]:
    """The ids of a file for what begins, ends and fills a text, by the names of `config.json`."""
    read = _Reader(gguf)
    found = {f"{name}_id": read.id(key) for name, key in _IDS.items() if name != "unk_token"}
    return {name: each for name, each in found.items() if each is not None}


class _Reader:
    """The tables of a tokenizer, checked."""

    def __init__(self, gguf: Gguf) -> None:
        self.gguf = gguf
        self.tokens = self.texts("tokenizer.ggml.tokens")
        self.types = self.numbers("tokenizer.ggml.token_type", 1)

    def wrong(self, what: str) -> ConversionError:
        return ConversionError(
            f"{self.gguf.path} has a tokenizer that is not sound: {what}", _SKIP.format(_KIND)
        )

    def texts(self, key: str) -> list[str]:
        found = self.gguf.get(key) if key in self.gguf else []
        if not isinstance(found, list) or any(not isinstance(each, str) for each in found):
            raise self.wrong(f"`{key}` is no list of texts")
        return cast(list[str], found)

    def numbers(self, key: str, default: float) -> list[Any]:
        """A number for each token."""
        if key not in self.gguf:
            return [default] * len(self.tokens)
        found = self.gguf.get(key)
        if not isinstance(found, list) or any(isinstance(each, str) for each in found):
            raise self.wrong(f"`{key}` is no list of numbers")
        if len(found) != len(self.tokens):
            raise self.wrong(f"`{key}` has {len(found)} numbers for {len(self.tokens)} tokens")
        return found

    def id(self, key: str) -> int | None:
        found = self.gguf.get(key)
        if found is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool):
            raise self.wrong(f"`{key}` is no token")
        if not 0 <= found < len(self.tokens):
            # Some writers say so that there is none.
            if found in (-1, 2**32 - 1) or not self.tokens:
                return None
            raise self.wrong(f"`{key}` is {found}, of {len(self.tokens)} tokens")
        return found

    def flag(self, key: str, default: bool) -> bool:
        found = self.gguf.get(key)
        if found is not None and not isinstance(found, bool):
            raise self.wrong(f"`{key}` is neither true nor false")
        return default if found is None else found

    def vocabulary(self) -> dict[str, int]:
        found = {token: index for index, token in enumerate(self.tokens)}
        if len(found) < len(self.tokens):
            twice = next(t for i, t in enumerate(self.tokens) if found[t] != i)
            raise self.wrong(f"the token {json.dumps(twice)} stands twice")
        return found

    def added(self) -> list[Json]:
        """The tokens that no text is merged to: they are found in it whole, before all else."""
        return [
            {
                "id": index,
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": kind != _DEFINED,
            }
            for index, (token, kind) in enumerate(zip(self.tokens, self.types, strict=True))
            if kind in (_UNKNOWN, _CONTROL, _DEFINED) and token
        ]

    def frame(self, begins: bool) -> Json | None:
        """What is put around each text."""
        parts: list[tuple[str, Json]] = [("", {"Sequence": {"id": "A", "type_id": 0}})]
        if self.flag("tokenizer.ggml.add_bos_token", begins):
            parts.insert(0, self._mark("bos_token"))
        if self.flag("tokenizer.ggml.add_eos_token", False):
            parts.append(self._mark("eos_token"))
        if len(parts) == 1:
            return None
        ids = {token: self.tokens.index(token) for token, _ in parts if token}
        single = [part for _, part in parts]
        second = [
            {kind: {**fields, "id": "B" if kind == "Sequence" else fields["id"], "type_id": 1}}
            for part in single
            for kind, fields in part.items()
        ]
        return {
            "type": "TemplateProcessing",
            "single": single,
            "pair": single + second,
            "special_tokens": {
                token: {"id": token, "ids": [index], "tokens": [token]}
                for token, index in ids.items()
            },
        }

    def _mark(self, name: str) -> tuple[str, Json]:
        index = self.id(_IDS[name])
        if index is None:
            raise self.wrong(f"it puts a token around texts, but has no `{_IDS[name]}`")
        token = self.tokens[index]
        return token, {"SpecialToken": {"id": token, "type_id": 0}}


def _model(**fields: Any) -> Json:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        **fields,
    }


def _whole(read: _Reader, **fields: Any) -> Json:
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": read.added(),
        "normalizer": None,
        "pre_tokenizer": None,
        **fields,
    }


def _byte_pairs(read: _Reader) -> Json:
    """Byte-level pairs, as GPT-2 has them; the file lists the merges in order."""
    pre = read.gguf.get(_PRE)
    if not isinstance(pre, str) or pre not in _PRES:
        said = "does not say how its tokenizer parts text"
        if pre is not None:
            said = f"parts text as {_shown(pre)} does, which is not known"
        raise ConversionError(
            f"{read.gguf.path} {said} (`{_PRE}`)",
            f"known: {', '.join(_PRES)}; {_SKIP.format(_PRE)}",
        )
    parted, begins, whole_words = _PRES[pre]
    merges: list[list[str]] = []
    for merge in read.texts("tokenizer.ggml.merges"):
        # A half may begin with a space, in vocabularies that have one.
        at = merge.find(" ", 1)
        if at < 0:
            raise read.wrong(f"the merge {json.dumps(merge)} is no pair")
        merges.append([merge[:at], merge[at + 1 :]])
    return _whole(
        read,
        pre_tokenizer=parted,
        post_processor=read.frame(begins),
        decoder=_bytes(True),
        model=_model(vocab=read.vocabulary(), merges=merges, ignore_merges=whole_words),
    )


def _pieces(read: _Reader) -> Json:
    """Pieces with scores, as SentencePiece has them: the best pair of neighbours merges first."""
    scores = read.numbers("tokenizer.ggml.scores", 0.0)
    vocabulary = read.vocabulary()
    pairs: list[tuple[float, int, int, str, str]] = []
    for token, index in vocabulary.items():
        if read.types[index] != 1:
            continue
        if len(token) > _LONGEST_PIECE:
            raise read.wrong(f"token {index} has {len(token)} characters")
        for at in range(1, len(token)):
            left, right = vocabulary.get(token[:at]), vocabulary.get(token[at:])
            if left is not None and right is not None:
                pairs.append((-scores[index], left, right, token[:at], token[at:]))
    pairs.sort()
    unknown = read.id("tokenizer.ggml.unknown_token_id")
    spaced = read.flag("tokenizer.ggml.add_space_prefix", True)
    if read.flag("tokenizer.ggml.remove_extra_whitespaces", False):
        raise ConversionError(
            f"{read.gguf.path} drops spaces before its tokenizer reads them, which is not known",
            _SKIP.format(_KIND),
        )
    marks: list[Json] = [{"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]
    back: list[Json] = [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
    ]
    if spaced:
        marks.insert(0, {"type": "Prepend", "prepend": "▁"})
        back.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    return _whole(
        read,
        normalizer={"type": "Sequence", "normalizers": marks},
        post_processor=read.frame(True),
        decoder={"type": "Sequence", "decoders": back},
        model=_model(
            vocab=vocabulary,
            merges=[[left, right] for *_, left, right in pairs],
            unk_token=None if unknown is None else read.tokens[unknown],
            fuse_unk=True,
            byte_fallback=True,
        ),
    )


def _check(gguf: Gguf, text: str) -> None:
    from tokenizers import Tokenizer

    try:
        Tokenizer.from_str(text)
    except Exception as error:  # The library raises nothing narrower.
        reason = str(error).splitlines()[0] if str(error) else "it is not sound"
        raise ConversionError(
            f"{gguf.path} has a tokenizer that `tokenizers` refuses: {reason}", _SKIP.format(_KIND)
        ) from None


def _config(read: _Reader) -> str:
    """The text of tokenizer_config.json."""
    fields: Json = {"tokenizer_class": "PreTrainedTokenizerFast"}
    for name, key in _IDS.items():
        index = read.id(key)
        if index is not None:
            fields[name] = read.tokens[index]
    fields["clean_up_tokenization_spaces"] = False
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"
