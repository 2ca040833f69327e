"""The page of a nest: its card, program, README, measurements and samples as one HTML file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from linnet.errors import NestError, ProgramError
from linnet.nest._card import Card, Generic

if TYPE_CHECKING:
    from linnet.checker import Function, TypedProgram
    from linnet.pages import Snippet

_LONGEST: Final = 4 << 20
_SITES: Final = {"huggingface": "Hugging Face", "github": "GitHub"}


def page_of(card: Card) -> str:
    """The page of a nest as HTML.

    README.md, bench.json and samples.json are read where they lie beside the card. NestError for
    a file that cannot be read, ArgumentError with the place of what has another form,
    ProgramError for a program that is refused.
    """
    # Whoever loads a model needs none of these.
    from linnet.checker import check
    from linnet.compiler import check_path
    from linnet.pages import Link, ModelPage, model_page, read_bench, read_samples
    from linnet.syntax import load_program

    program = load_program(card.program)
    check_path(card.program, loaded=program).accepted()
    checked = check(program)
    if checked.program is None:
        raise ProgramError(checked.diagnostics)
    bench, samples = _json(card, "bench.json"), _json(card, "samples.json")
    return model_page(
        ModelPage(
            name=card.name,
            title=card.title,
            program=program,
            typed=checked.program,
            root=card.root,
            entry=card.entry,
            summary=card.summary,
            license=card.license,
            family=card.family,
            tags=card.tags,
            links=tuple(
                Link(_SITES.get(key, key.replace("_", " ").capitalize()), address)
                for key, address in card.links.items()
            ),
            readme=_read(card, "README.md") or "",
            generics={key: _shown(value) for key, value in card.generics.items()},
            snippets=_snippets(card, checked.program),
            bench=None if bench is None else read_bench(bench),
            samples=() if samples is None else read_samples(samples),
        )
    )


def _snippets(card: Card, program: "TypedProgram") -> "tuple[Snippet, ...]":
    from linnet.pages import snippets_of

    entries = {
        function.name: function
        for function in program.bodies
        if _is_entry(function, program.root, card.root)
    }
    asked = entries.get(card.entry)
    inputs = ("tokens",) if asked is None else tuple(param.name for param in asked.params)
    bound = {key: _shown(value) for key, value in {**card.generics, **card.check}.items()}
    generates = {"prefill", "decode"} <= set(entries)
    return snippets_of(
        card.name, card.root, card.entry, card.source, bound, inputs, generates=generates
    )


def _is_entry(function: "Function", module: str, root: str) -> bool:
    block = function.block
    own = block is not None and function.module == module and block.name == root
    return own and function.kind == "entry"


def _shown(value: Generic) -> str:
    return f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def _json(card: Card, name: str) -> object:
    text = _read(card, name)
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise NestError(f"{card.directory / name} is no JSON", "write it again") from None


def _read(card: Card, name: str) -> str | None:
    """A file beside the card, None where there is none."""
    path: Path = card.path(name)
    try:
        if not path.is_file():
            return None
        if path.stat().st_size > _LONGEST:
            told = f"{path} has more than {_LONGEST >> 20} MiB"
            raise NestError(told, "a page shows what a person reads")
        return path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NestError(f"cannot read {path}: {reason}") from None
