"""What a page shows, as plain data. All texts are taken as written by a stranger."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.checker import TypedProgram
from linnet.pages._bench import Bench
from linnet.pages._samples import Sample
from linnet.syntax import Program


@dataclass(frozen=True, slots=True)
class Link:
    """A link; one whose address is not http, https or mailto is shown as text."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """Code to copy. `language` is that of its colours: python, sh or linnet."""

    title: str
    language: str
    code: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModelPage:
    """A model. `typed` is the checked form of `program`; `generics` what the checkpoint binds.

    `snippets` may be grouped by loading code and command line; `readme` is Markdown.
    """

    name: str
    title: str
    program: Program
    typed: TypedProgram
    root: str | None = None
    entry: str | None = None
    summary: str = ""
    license: str = ""
    family: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    readme: str = ""
    generics: Mapping[str, str] = field(default_factory=dict[str, str])
    snippets: tuple[Snippet, ...] = ()
    bench: Bench | None = None
    samples: tuple[Sample, ...] = ()
