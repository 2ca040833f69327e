"""The card of a nest: `nest.toml` read, checked against its schema, and its paths kept inside.

Every mistake is one line that begins with `nest.toml:LINE`; all of them are told at once.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from linnet.errors import CardError, NestError
from linnet.nest._inside import escapes, outside
from linnet.nest._lines import key_lines

if TYPE_CHECKING:
    from jsonschema import ValidationError

CARD: Final = "nest.toml"
_LONGEST: Final = 64 << 10
_PLACE: Final = re.compile(r"(.*) \(at line (\d+), column \d+\)", re.DOTALL)

Generic = int | str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardWeights:
    """Where the weights are: `files` beside the card, or with `repo` at a commit of the Hub."""

    files: tuple[str, ...]
    repo: str | None = None
    revision: str | None = None
    bindings: str | None = None
    ignore: tuple[str, ...] = ()
    sha256: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Card:
    """A card that is sound. Paths are as it writes them, relative to `directory`.

    `lines` gives the line of each key, for problems that are found later.
    """

    directory: Path
    name: str
    source: str
    root: str
    entry: str
    title: str = ""
    summary: str = ""
    license: str = ""
    family: str = ""
    tags: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    generics: Mapping[str, Generic] = field(default_factory=dict[str, Generic])
    check: Mapping[str, Generic] = field(default_factory=dict[str, Generic])
    weights: CardWeights | None = None
    tokenizer: str | None = None
    stop: tuple[int, ...] = ()
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])

    def path(self, text: str) -> Path:
        """Return where a file of the card lies. NestError where links now lead out of it."""
        try:
            if escapes(self.directory, text):
                raise NestError(f"{self.directory / text} leads out of the nest", "remove the link")
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise NestError(f"cannot read {self.directory / text}: {reason}") from None
        return self.directory / text

    @property
    def program(self) -> Path:
        """Where the source lies."""
        return self.path(self.source)

    @property
    def bindings(self) -> Path | None:
        """Where the bindings lie, if the card names some."""
        named = self.weights.bindings if self.weights is not None else None
        return None if named is None else self.path(named)


def card_schema() -> dict[str, Any]:
    """Return the JSON schema of cards."""
    return json.loads(Path(__file__).with_name("card.schema.json").read_text("utf-8"))


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(card_schema())


def read_card(directory: Path) -> Card:
    """Return the card of a directory.

    NestError where there is none or it cannot be read, CardError with each of its mistakes.
    """
    path = directory / CARD
    try:
        if escapes(directory, CARD):
            raise NestError(f"{path} leads out of its directory", "remove the link")
        if path.stat().st_size > _LONGEST:
            raise CardError([f"{CARD}:1: the card is longer than {_LONGEST} bytes"])
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NestError(f"cannot read {path}: {reason}", f"a nest has a card `{CARD}`") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CardError([f"{CARD}:{line}: the card is not UTF-8 text"]) from None
    return parse_card(text, directory)


def parse_card(text: str, directory: Path) -> Card:
    """Return the card that a text is. CardError with each of its mistakes, in order of lines."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.fullmatch(str(error))
        said = found[1] if found else str(error).removesuffix(" (at end of document)")
        line = int(found[2]) if found else text.count("\n") + 1
        raise CardError([f"{CARD}:{line}: {said[:1].lower()}{said[1:]}"]) from None
    except RecursionError:
        raise CardError([f"{CARD}:1: the card nests too deeply"]) from None
    lines = key_lines(text)
    problems = [*_shape_problems(data, lines)]
    if not problems:
        problems += _path_problems(data, lines, directory)
    if problems:
        raise CardError([f"{CARD}:{line}: {said}" for line, said in sorted(set(problems))])
    return _card(data, directory, lines)


def _line(lines: Mapping[tuple[str, ...], int], path: Sequence[str]) -> int:
    """The line of a path, or of the nearest table that it would be in."""
    for size in range(len(path), 0, -1):
        if (found := lines.get(tuple(path[:size]))) is not None:
            return found
    return 1


def _shape_problems(
    data: dict[str, Any], lines: Mapping[tuple[str, ...], int]
) -> Iterator[tuple[int, str]]:
    for error in cast("Iterator[ValidationError]", _validator().iter_errors(data)):
        path = [str(part) for part in error.absolute_path if isinstance(part, str)]
        yield from _worded(error, path, lines)


def _worded(
    error: "ValidationError", path: list[str], lines: Mapping[tuple[str, ...], int]
) -> Iterator[tuple[int, str]]:
    from linnet.diagnostics import did_you_mean

    schema = cast(dict[str, Any], error.schema)
    given = cast(dict[str, Any], error.instance)
    where = f"[{'.'.join(path)}]" if path else "the card"
    line = _line(lines, path)
    called = f"`{'.'.join(path)}`"
    match error.validator:
        case "additionalProperties":
            known = list(cast(dict[str, Any], schema.get("properties", {})))
            for key in given:
                if key not in known:
                    near = did_you_mean(key, known)
                    asked = f"; did you mean `{near}`?" if near else f"; it has {_listed(known)}"
                    yield _line(lines, [*path, key]), f"{where} has no field `{key}`{asked}"
        case "required":
            missing = [k for k in cast(list[str], error.validator_value) if k not in given]
            for key in missing:
                what = "table" if not path else "field"
                yield line, f"{where} lacks the {what} `{key}`"
        case "dependentRequired":
            if "repo" in given:
                yield line, f"{where} names a `repo` without a `revision`, a commit of 40 digits"
            else:
                yield line, f"{where} has a `revision` without a `repo`"
        case "pattern" | "propertyNames":
            yield line, f"{called} {_shown(error.instance)}, {_form(path)}"
        case "type" | "anyOf":
            yield line, f"{called} {_shown(error.instance)}, {_kind(error, path)}"
        case _:
            yield line, f"{called} {_limit(error)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return f"is {text}" if len(text) <= 60 else f"is {text[:57]}..."


_FORMS: Final = {
    ("model", "name"): "needs lower-case letters and digits, parted by `-`, `_` or `.`",
    ("source", "path"): "needs a path that ends in .linnet",
    ("source", "root"): "needs the name of a block",
    ("source", "entry"): "needs the name of an entry",
    ("weights", "repo"): "needs the form OWNER/NAME",
    ("weights", "revision"): "needs a commit: 40 hexadecimal digits in lower case",
    ("weights", "files"): "needs paths that end in .safetensors",
    ("weights", "bindings"): "needs a path that ends in .json",
    ("weights", "sha256"): "needs 64 hexadecimal digits in lower case",
    ("tokenizer", "file"): "needs a path that ends in .json",
}


def _form(path: Sequence[str]) -> str:
    if path[:1] == ["links"]:
        return "needs an address that begins with https:// or http://"
    if path[:1] in (["generics"], ["check"]):
        return "needs the name of a generic"
    return _FORMS.get((*path[:2],), "has another form than it needs")  # pyright: ignore


def _kind(error: "ValidationError", path: Sequence[str]) -> str:
    if error.validator == "anyOf":
        return "needs a size, a dtype's name or a list of sizes"
    kinds = {
        "object": "a table",
        "string": "a text",
        "array": "a list",
        "integer": "a whole number",
    }
    del path
    return f"needs to be {kinds.get(str(error.validator_value), str(error.validator_value))}"


def _limit(error: "ValidationError") -> str:
    match error.validator:
        case "maxLength":
            return f"is longer than {error.validator_value} characters"
        case "minLength":
            return "is empty"
        case "maxItems" | "maxProperties":
            return f"has more than {error.validator_value} entries"
        case "minItems":
            return "is an empty list"
        case "uniqueItems":
            return "lists one entry twice"
        case "minimum":
            return f"is less than {error.validator_value}"
        case "maximum":
            return f"is more than {error.validator_value}"
        case _:
            return "is not as it needs to be"


def _path_problems(
    data: dict[str, Any], lines: Mapping[tuple[str, ...], int], directory: Path
) -> Iterator[tuple[int, str]]:
    weights = cast(dict[str, Any], data.get("weights", {}))
    named: list[tuple[tuple[str, ...], str]] = [(("source", "path"), data["source"]["path"])]
    if "bindings" in weights:
        named.append((("weights", "bindings"), weights["bindings"]))
    named += [(("weights", "files"), each) for each in weights.get("files", [])]
    if "tokenizer" in data:
        named.append((("tokenizer", "file"), data["tokenizer"]["file"]))
    for key, text in named:
        why = outside(text)
        if why is None and not ("repo" in weights and key == ("weights", "files")):
            try:
                why = "leads out of the directory by a link" if escapes(directory, text) else None
            except (OSError, RuntimeError):
                why = "leads nowhere: its links run in a circle"
        if why is not None:
            yield _line(lines, key), f"`{'.'.join(key)}` {_shown(text)}, which {why}"
    for each in cast(dict[str, Any], weights.get("sha256", {})):
        if each not in weights.get("files", []):
            line = _line(lines, ["weights", "sha256", each])
            yield line, f"`weights.sha256` names `{each}`, which is none of `weights.files`"


def _generics(given: Mapping[str, Any]) -> dict[str, Generic]:
    return {
        name: tuple(cast(list[int], value)) if isinstance(value, list) else value
        for name, value in given.items()
    }


def _card(data: dict[str, Any], directory: Path, lines: Mapping[tuple[str, ...], int]) -> Card:
    model, source = data["model"], data["source"]
    weights = data.get("weights")
    return Card(
        directory=directory,
        name=model["name"],
        source=source["path"],
        root=source["root"],
        entry=source.get("entry", "forward"),
        title=model.get("title", model["name"]),
        summary=model.get("summary", ""),
        license=model.get("license", ""),
        family=model.get("family", ""),
        tags=tuple(model.get("tags", ())),
        links=data.get("links", {}),
        generics=_generics(data.get("generics", {})),
        check=_generics(data.get("check", {})),
        weights=None
        if weights is None
        else CardWeights(
            files=tuple(weights["files"]),
            repo=weights.get("repo"),
            revision=weights.get("revision"),
            bindings=weights.get("bindings"),
            ignore=tuple(weights.get("ignore", ())),
            sha256=weights.get("sha256", {}),
        ),
        tokenizer=data.get("tokenizer", {}).get("file"),
        stop=tuple(data.get("tokenizer", {}).get("stop", ())),
        lines=lines,
    )
