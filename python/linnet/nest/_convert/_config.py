"""Reads the `config.json` of a published model: every key is known, refused, or named.

A key that a family reads is checked for its type; one that changes no result is listed here; any
other is an error that names it, since it could mean anything. Nothing it names is ever run.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from linnet.errors import ConversionError, UsageError

_LARGEST = 16 << 20  # Bytes; the longest real ones hold label tables of a megabyte.

# Keys that say how a model was trained, saved or sampled from, not what it computes.
INERT: Final = frozenset(
    """
    _attn_implementation _attn_implementation_autoset _commit_hash _name_or_path architectures
    attention_dropout attention_probs_dropout_prob attn_pdrop bad_words_ids begin_suppress_tokens
    bos_token_id classifier_dropout cls_token_id decoder_start_token_id diversity_penalty
    do_sample dtype early_stopping embd_pdrop encoder_no_repeat_ngram_size encoder_stride
    eos_token_id finetuning_task forced_bos_token_id forced_eos_token_id gradient_checkpointing
    hidden_dropout hidden_dropout_prob id2label initializer_factor initializer_range
    is_llama_config label2id layer_norm_elementwise_affine length_penalty mask_token_id max_length
    min_length model_type n_ctx no_repeat_ngram_size num_beam_groups num_beams
    num_return_sequences output_attentions output_hidden_states output_past output_scores
    pad_token_id prefix pretraining_tp problem_type pruned_heads remove_invalid_values
    repetition_penalty resid_pdrop return_dict return_dict_in_generate sep_token_id
    suppress_tokens task_specific_params temperature tf_legacy_loss tie_encoder_decoder
    tokenizer_class top_k top_p torch_dtype torchscript transformers_version
    transformers.js_config typical_p unk_token_id unsloth_fixed unsloth_version use_bfloat16
    use_cache
    """.split()  # noqa: SIM905 - one name a line would be seventy lines
)
_SUMMARY: Final = "summary_"  # GPT-2's head for classification has a dozen of them.


class Config:
    """The fields of a `config.json`, and which of them were read."""

    def __init__(self, fields: Mapping[str, object], name: str = "config.json") -> None:
        self._fields = fields
        self._read: set[str] = set()
        self.name = name

    def get(self, key: str) -> object:
        """The value of a key as it stands, None where there is none."""
        self._read.add(key)
        return self._fields.get(key)

    def size(self, key: str, default: int | None = None) -> int:
        """A positive integer."""
        value = self.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**31:
            raise self.wrong(key, "a positive integer")
        return value

    def optional_size(self, key: str) -> int | None:
        """A positive integer, or None where there is none."""
        return None if self.get(key) is None else self.size(key)

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number above zero."""
        value = self.get(key)
        if value is None and default is not None:
            return default
        return self.positive(key, value)

    def positive(self, key: str, value: object) -> float:
        """`value`, which stands under `key`, as a finite number above zero."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e30:
            raise self.wrong(key, "a number above zero", value)
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A string."""
        value = self.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty where there is none."""
        value = self.get(key)
        if value is None:
            return ()
        if isinstance(value, list):
            items = cast(list[object], value)
            if all(isinstance(item, str) for item in items):
                return tuple(cast(list[str], items))
        raise self.wrong(key, "a list of strings")

    def only(self, key: str, *allowed: object) -> None:
        """Refuse every value of a key but those allowed; a key that is absent is fine."""
        value = self.get(key)
        # `1 == True`, and they mean different things here.
        if value is not None and not any(
            value == each and isinstance(value, bool) == isinstance(each, bool) for each in allowed
        ):
            known = ", ".join(_shown(each) for each in allowed)
            raise ConversionError(
                f"{self.name} sets `{key}` to {_shown(value)}, which is not known",
                f"known here: {known}" if allowed else None,
            )

    def wrong(self, key: str, wanted: str, found: object = None) -> ConversionError:
        """The error for a key whose value (`found`, or what stands there) is none that serves."""
        value = self._fields.get(key) if found is None else found
        if value is None:
            return ConversionError(f"{self.name} has no `{key}`", f"it must be {wanted}")
        return ConversionError(f"{self.name} sets `{key}` to {_shown(value)}, not to {wanted}")

    def refuse_rest(self, family: str, ignored: Iterable[str] = ()) -> None:
        """Refuse the first key that nothing read and that is not known to be of no effect.

        A key that is null, false or empty switches nothing on.
        """
        ignored = set(ignored)
        for key, value in self._fields.items():
            if key in self._read or key in INERT or key.startswith(_SUMMARY) or key in ignored:
                continue
            if value is None or value is False or value in ([], {}, ""):
                continue
            raise ConversionError(
                f"{self.name} sets `{key}` to {_shown(value)}, which is not known for {family}",
                f"if it changes no result, convert with --ignore {key}",
            )


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def read_config(folder: Path) -> Config:
    """Return the configuration of a model folder.

    UsageError where there is no such folder; ConversionError for a file that is absent,
    unreadable, too large, or no JSON object.
    """
    path = folder / "config.json"
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "does not exist"
        raise UsageError(f"{folder} {what}", "name the folder that holds config.json")
    return Config(read_json(path, _LARGEST), "config.json")


def read_json(path: Path, largest: int) -> dict[str, Any]:
    """Return the JSON object in a file of at most `largest` bytes; ConversionError says why not."""
    try:
        if path.stat().st_size > largest:
            raise ConversionError(f"{path} is larger than {largest} bytes")
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConversionError(f"{path.parent} has no {path.name}", "name a model folder") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConversionError(f"cannot read {path}: {reason}") from None
    except (ValueError, RecursionError):
        raise ConversionError(f"{path} is no JSON", "write the file again") from None
    if not isinstance(value, dict):
        raise ConversionError(f"{path} is no JSON object", "write the file again")
    return cast(dict[str, Any], value)
