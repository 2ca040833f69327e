"""`linnet generate`: text, or token ids, from an artifact."""

import codecs
import json
import re
import sys
import time
from pathlib import Path
from typing import Protocol

import click

from linnet.cli._options import (
    STD,
    notices,
    read_binds,
    recompile_option,
    weights_dtype_option,
)
from linnet.errors import UsageError

_INTERRUPTED = 130


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
@click.argument("program", type=click.Path(path_type=Path))
@click.option("--root", metavar="BLOCK", help="Of a .linnet file: the block to instantiate.")
@click.option(
    "--bind", "binds", multiple=True, metavar="NAME=VALUE", help="Of a .linnet file: a generic."
)
@click.option("--std", type=STD, help="Folder of `std`.")
@weights_dtype_option
@click.option("--weights", type=click.Path(path_type=Path), help="A safetensors file or folder.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Paths to tensor names.")
@click.option("--strict-weights", is_flag=True, help="Refuse tensors that nothing takes.")
@click.option("--target", metavar="cpu|xla-cpu", help="What to run on.")
@recompile_option
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
@click.option(
    "--top-k",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Draw from the likeliest K tokens; 0: from all.",
)
@click.option(
    "--top-p",
    type=click.FloatRange(min=0, max=1),
    default=1.0,
    show_default=True,
    help="Draw from the likeliest tokens that make up this probability.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Makes sampling repeatable.")
@click.option(
    "--stop",
    "stops",
    multiple=True,
    metavar="TEXT|1,2",
    help="End before this text (with --tokenizer), or at one of these token ids; may repeat.",
)
@click.option(
    "--chunk",
    type=click.IntRange(min=1),
    help="Most tokens in one call of the device; as many as it can.",
)
@click.option("--stream/--no-stream", default=True, show_default=True, help="Print as text comes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    program: Path,
    root: str | None,
    binds: tuple[str, ...],
    std: Path | None,
    weights_dtype: str | None,
    weights: Path | None,
    bindings: Path | None,
    strict_weights: bool,
    target: str | None,
    recompile: bool,
    prompt: str | None,
    prompt_tokens: str | None,
    tokenizer: str | None,
    max_new: int,
    temperature: float,
    top_k: int,
    top_p: float,
    seed: int | None,
    stops: tuple[str, ...],
    chunk: int | None,
    stream: bool,
    as_json: bool,
) -> int:
    """Continue a prompt with the entries of PROGRAM: `prefill`, `decode`, `generate`.

    PROGRAM is an artifact, or a .linnet file whose entries are compiled when they are called.
    Ctrl-C ends the text where it is, with exit status 130.
    """
    from linnet.artifact import is_artifact
    from linnet.runtime import compile, load

    codec = _tokenizer(tokenizer)
    ids = _prompt(prompt, prompt_tokens, codec)
    stop_ids, stop_texts = _stops(stops, codec)
    start = time.perf_counter()
    with notices():
        if is_artifact(program) or program.suffix != ".linnet":
            if root is not None or binds or std is not None or weights_dtype is not None:
                raise UsageError(
                    "an artifact's sizes, and how it holds weights, are settled",
                    "leave out --root, --bind, --std and --weights-dtype",
                )
            model = load(program, weights, bindings, target, strict_weights, recompile)
        else:
            model = compile(
                program,
                root,
                read_binds(binds),
                weights,
                bindings,
                target or "cpu",
                std,
                strict_weights,
                weights_dtype=weights_dtype,
            )
    loaded = time.perf_counter()
    found = model.generate(ids, max_new, temperature, top_k, top_p, seed, stop_ids, chunk)
    printer = _Printer(codec, stop_texts, stream and not as_json)
    if prompt is not None and not as_json:
        printer.write(prompt)
    moments: list[float] = []
    ended = "length"
    try:
        for token in found:
            moments.append(time.perf_counter())
            if printer.add(token):
                ended = "stop"
                break
        else:
            if len(moments) < max_new:
                ended = "stop"
    except KeyboardInterrupt:
        ended = "interrupt"
    printer.finish()
    first = moments[0] - loaded if moments else 0.0
    passed = moments[-1] - moments[0] if moments else 0.0
    rate = (len(moments) - 1) / passed if passed > 0 else 0.0
    if as_json:
        facts = {
            "prompt_tokens": ids,
            "tokens": printer.tokens,
            "text": printer.text if codec is not None else None,
            "ended": ended,
            "loop": "generate" in model.entries,
            "load_seconds": loaded - start,
            "first_token_seconds": first,
            "tokens_per_second": rate,
        }
        click.echo(json.dumps(facts))
    else:
        printer.write("" if stream else printer.text)
        printer.write("\n")
        click.echo(
            f"loaded in {loaded - start:.2f} s, first token after {first:.2f} s, "
            f"then {rate:.1f} tokens/s",
            err=True,
        )
    return _INTERRUPTED if ended == "interrupt" else 0


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


def _stops(given: tuple[str, ...], codec: Tokenizer | None) -> tuple[list[int], list[str]]:
    """Return the token ids, and the texts, that end the text."""
    ids: list[int] = []
    texts: list[str] = []
    for each in given:
        if re.fullmatch(r"[0-9]{1,18}(,[0-9]{1,18})*", each):
            ids += map(int, each.split(","))
        elif not each:
            raise UsageError("an empty --stop ends every text", "give text or token ids")
        elif codec is None:
            raise UsageError(f"`--stop {each}` needs a tokenizer", "give --tokenizer, or token ids")
        else:
            texts.append(each)
    return ids, texts


class _Printer:
    """Gathers tokens, and prints their ids, or their text, as they come.

    Text that a stop text could begin with, or that ends in half a character, waits.
    """

    def __init__(self, codec: Tokenizer | None, stops: list[str], stream: bool) -> None:
        self._codec = codec
        self._stops = stops
        self._stream = stream
        self._printed = 0
        self.tokens: list[int] = []
        self.text = ""

    def add(self, token: int) -> bool:
        """Take one more token; return whether the text ends before it is over."""
        self.tokens.append(token)
        if self._codec is None:
            self.text += ("," if len(self.tokens) > 1 else "") + str(token)
            self._show(len(self.text))
            return False
        self.text = self._codec.decode(self.tokens)
        found = [at for stop in self._stops if (at := self.text.find(stop)) >= 0]
        if found:
            self.text = self.text[: min(found)]
            return True
        self._show(len(self.text) - self._unsure())
        return False

    def _unsure(self) -> int:
        """How much of the text's end may yet change, or turn out to be a stop text."""
        waits = [len(self.text) - len(self.text.rstrip("\ufffd"))]
        for stop in self._stops:
            waits += (size for size in range(1, len(stop)) if self.text.endswith(stop[:size]))
        return max(waits)

    def _show(self, end: int) -> None:
        if self._stream and end > self._printed:
            self.write(self.text[self._printed : end])
            self._printed = end

    def finish(self) -> None:
        """Print what waited."""
        self._show(len(self.text))

    def write(self, text: str) -> None:
        """Print at once."""
        sys.stdout.write(text)
        sys.stdout.flush()
