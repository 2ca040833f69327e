"""`linnet generate`: text, or token ids, from an artifact."""

import codecs
import json
import re
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import click

from linnet.errors import UsageError


class Tokenizer(Protocol):
    """Text to ids and back."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text."""
        ...

    def decode(self, ids: list[int]) -> str:
        """Return the text of ids; an unfinished character at the end may be left out."""
        ...


class Bytes:
    """Each byte of the UTF-8 text is a token."""

    def encode(self, text: str) -> list[int]:
        """Return the bytes."""
        return list(text.encode("utf-8", "surrogateescape"))

    def decode(self, ids: list[int]) -> str:
        """Return the text; bytes that form no character become U+FFFD."""
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        return decoder.decode(bytes(token for token in ids if token < 256))


class FromFile:
    """A `tokenizer.json` read by the `tokenizers` package."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer as Reader

        if not path.is_file():
            raise UsageError(
                f"no tokenizer {path}", "give --tokenizer a tokenizer.json, or `bytes`"
            )
        try:
            self._reader = Reader.from_file(str(path))
        except Exception as error:
            reason = str(error).splitlines()[0]
            raise UsageError(
                f"cannot read tokenizer {path}: {reason}", "give a tokenizer.json, or `bytes`"
            ) from None

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text. UsageError for one that holds bytes that are not UTF-8."""
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise UsageError("the prompt is not UTF-8", "give --tokenizer bytes, or other text")
        return list(self._reader.encode(text).ids)

    def decode(self, ids: list[int]) -> str:
        """Return the text of ids."""
        return self._reader.decode(ids)


@click.command("generate")
@click.argument("artifact", type=click.Path(path_type=Path))
@click.option("--weights", type=click.Path(path_type=Path), help="A safetensors file or folder.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Paths to tensor names.")
@click.option("--strict-weights", is_flag=True, help="Refuse tensors that nothing takes.")
@click.option("--target", metavar="cpu|xla-cpu", help="Which code of the artifact to run.")
@click.option("--prompt", metavar="TEXT", help="Text to continue; needs --tokenizer.")
@click.option("--prompt-tokens", metavar="1,2,3", help="Token ids to continue.")
@click.option("--tokenizer", metavar="tokenizer.json|bytes", help="How text becomes tokens.")
@click.option(
    "--max-new",
    type=click.IntRange(min=0),
    default=64,
    show_default=True,
    help="Tokens to generate.",
)
@click.option(
    "--temperature",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    help="0 takes the likeliest token.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Makes sampling repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    artifact: Path,
    weights: Path | None,
    bindings: Path | None,
    strict_weights: bool,
    target: str | None,
    prompt: str | None,
    prompt_tokens: str | None,
    tokenizer: str | None,
    max_new: int,
    temperature: float,
    seed: int | None,
    as_json: bool,
) -> None:
    """Continue a prompt with the entries `prefill` and `decode` of ARTIFACT."""
    from linnet.runtime import load

    codec = _tokenizer(tokenizer)
    ids = _prompt(prompt, prompt_tokens, codec)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        model = load(artifact, weights, bindings, target, strict_weights)
    for each in raised:
        click.echo(f"notice: {each.message}", err=True)
    loaded = time.perf_counter()
    stream = model.generate(ids, max_new, temperature, seed)
    show = _printer(prompt, codec) if not as_json else None
    tokens: list[int] = []
    moments: list[float] = []
    for token in stream:
        tokens.append(token)
        moments.append(time.perf_counter())
        if show is not None:
            show(tokens)
    first = moments[0] - loaded if moments else 0.0
    passed = moments[-1] - moments[0] if moments else 0.0
    rate = (len(tokens) - 1) / passed if passed > 0 else 0.0
    if as_json:
        facts = {
            "prompt_tokens": ids,
            "tokens": tokens,
            "text": None if codec is None else codec.decode(tokens),
            "load_seconds": loaded - start,
            "first_token_seconds": first,
            "tokens_per_second": rate,
        }
        click.echo(json.dumps(facts))
        return
    sys.stdout.write("\n")
    sys.stdout.flush()
    click.echo(
        f"loaded in {loaded - start:.2f} s, first token after {first:.2f} s, "
        f"then {rate:.1f} tokens/s",
        err=True,
    )


def _tokenizer(given: str | None) -> Tokenizer | None:
    if given is None:
        return None
    return Bytes() if given == "bytes" else FromFile(Path(given))


def _prompt(text: str | None, tokens: str | None, codec: Tokenizer | None) -> list[int]:
    if (text is None) == (tokens is None):
        raise UsageError("there is no single prompt", "give --prompt or --prompt-tokens")
    if text is not None:
        if codec is None:
            raise UsageError("text needs a tokenizer", "give --tokenizer tokenizer.json or bytes")
        return codec.encode(text)
    parts = [part.strip() for part in (tokens or "").split(",")]
    if not all(re.fullmatch("[0-9]{1,18}", part) for part in parts):
        raise UsageError(f"`{tokens}` is no list of token ids", "write --prompt-tokens 1,2,3")
    return [int(part) for part in parts]


def _printer(prompt: str | None, codec: Tokenizer | None) -> Callable[[list[int]], None]:
    """Return what prints the tokens as they come: ids, or the text after the prompt."""
    printed = 0
    if prompt is not None:
        sys.stdout.write(prompt)
        sys.stdout.flush()

    def show(tokens: list[int]) -> None:
        nonlocal printed
        if codec is None:
            sys.stdout.write(("," if len(tokens) > 1 else "") + str(tokens[-1]))
        else:
            text = codec.decode(tokens)
            if not text.endswith("\ufffd"):
                sys.stdout.write(text[printed:])
                printed = len(text)
        sys.stdout.flush()

    return show
