"""Checks a nest from its card to a call, each step on what the steps before found sound."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from linnet.errors import CardError, LinnetError, NestError, ProgramError, WeightsError
from linnet.measure import random_weights
from linnet.nest._card import Card
from linnet.nest._find import find, weight_files
from linnet.nest._hub import Hub
from linnet.nest._load import load
from linnet.nest._program import Opened, open_program
from linnet.nest._pull import check_remote, refuse_misfits
from linnet.nest._weights import open_held
from linnet.signature import Signature, at_sizes, check_sizes, dtype_name, show
from linnet.weights import read_bindings

T = TypeVar("T")
Status = Literal["ok", "failed", "skipped"]
_LONGEST = 16 << 20


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was checked: its name, how it ended, and a line on it."""

    name: str
    status: Status
    said: str
    hint: str | None = None


@dataclass(slots=True)
class Report:
    """What a check found; `ok` where no step failed."""

    name: str
    steps: list[Step] = field(default_factory=list[Step])

    @property
    def ok(self) -> bool:
        """Whether no step failed."""
        return all(step.status != "failed" for step in self.steps)


def check(
    name_or_path: str | os.PathLike[str],
    run: str | None = None,
    offline: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Report:
    """Check a nest: card, files, program, sizes, bindings and the headers of the weights.

    With `run`, a backend's name, the card's entry is called at the sizes of `[check]`, with the
    weights that are here or made-up ones. `options` are those of `load`. The header of remote
    weights is fetched unless `offline`. NestError where there is no such nest; all other problems
    are steps of the report.
    """
    hub = Hub(offline)
    report = Report(str(name_or_path))
    try:
        card = find(name_or_path)
    except CardError as error:
        report.steps += [Step("card", "failed", problem) for problem in error.problems]
        return report
    report.steps.append(Step("card", "ok", f"{card.directory}: {card.title}"))
    report.steps += _files(card)
    opened = _step(report, "program", lambda: open_program(card), _program_said)
    if opened is None:
        return report
    signature = _step(report, "sizes", lambda: _at_check(opened), str)
    _step(report, "bindings", lambda: _bindings(opened), str)
    report.steps.append(_weights(card, hub))
    if run is not None and signature is not None and report.ok:
        call = lambda: _call(card, opened, signature, run, hub, dict(options or {}))  # noqa: E731
        _step(report, f"run on {run}", call, str)
    return report


def _step(report: Report, name: str, work: Callable[[], T], said: Callable[[T], str]) -> T | None:
    try:
        found = work()
    except ProgramError as error:
        for each in error.diagnostics:
            place = each.primary.span if each.primary is not None else None
            where = ""
            if place is not None:
                line = place.file.text.count("\n", 0, place.start) + 1
                where = f"{Path(place.file.path).name}:{line}: "
            if each.severity.name == "ERROR":
                report.steps.append(
                    Step(name, "failed", f"{where}{each.code}: {each.message}", each.help)
                )
        return None
    except LinnetError as error:
        report.steps.append(Step(name, "failed", error.message, error.hint))
        return None
    report.steps.append(Step(name, "ok", said(found)))
    return found


def _files(card: Card) -> Iterator[Step]:
    """The files beside a card that readers of it use: JSON, and of a bounded size."""
    for name in ("bench.json", "samples.json", *([card.tokenizer] if card.tokenizer else ())):
        try:
            path = card.path(name)
            if not path.exists():
                if name == card.tokenizer:
                    yield Step("files", "failed", f"{name} does not exist", "the card names it")
                continue
            if path.stat().st_size > _LONGEST:
                yield Step("files", "failed", f"{name} is longer than {_LONGEST} bytes")
                continue
            found: object = json.loads(path.read_text("utf-8"))
            if not isinstance(found, dict | list):
                raise ValueError("it is neither an object nor a list")
            yield Step("files", "ok", name)
        except NestError as error:
            yield Step("files", "failed", error.message, error.hint)
        except (OSError, ValueError, RecursionError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            yield Step("files", "failed", f"{name} is no JSON: {reason}")


def _program_said(opened: Opened) -> str:
    return f"{opened.card.source}: every shape proven; entries {', '.join(opened.request.entries)}"


def _at_check(opened: Opened) -> Signature:
    """Return the signature of the card's entry at the sizes of `[check]`."""
    card = opened.card
    signature = opened.signature(card.entry)
    sizes: dict[str, int] = {}
    for name in signature.symbols:
        value = card.check.get(name, card.check.get(f"{card.entry}.{name}"))
        if not isinstance(value, int):
            line = card.lines.get(("check",), 1)
            said = f"[check] gives no size `{name}`, which `{card.entry}` leaves open"
            raise CardError([f"nest.toml:{line}: {said}"])
        sizes[name] = value
    for name in card.check:
        if name.removeprefix(f"{card.entry}.") not in sizes:
            line = card.lines.get(("check", name), 1)
            raise CardError([f"nest.toml:{line}: `{card.entry}` leaves no `{name}` open"])
    check_sizes(signature, sizes)
    return at_sizes(signature, sizes)


def _bindings(opened: Opened) -> str:
    """Check that each rule of the bindings is for a member."""
    card = opened.card
    rules = read_bindings(card.bindings)
    members = opened.members()
    unused = rules.unused([member.path for member in members])
    if unused:
        shown = ", ".join(f"`{each}`" for each in unused[:5])
        raise WeightsError(
            f"{rules.name} names {shown}, which the program does not have",
            "`linnet inspect --parameters` lists the paths",
        )
    return f"{len(members)} parameters, {len(rules.rules)} rules"


def _weights(card: Card, hub: Hub) -> Step:
    weights = card.weights
    if weights is None:
        return Step("weights", "skipped", "the card names none")
    try:
        if weights.repo is not None and weights.revision is not None:
            repo, revision = weights.repo, weights.revision
            missing = [p for p in weights.files if not hub.peek(repo, revision, p)]
            if missing:
                if hub.offline:
                    said = f"{missing[0]} of {weights.repo} is not here, and downloads are off"
                    return Step("weights", "skipped", said)
                files = [hub.file(repo, revision, path) for path in weights.files]
                check_remote(card, hub, files)
                size = sum(file.bytes for file in files)
                said = f"headers on the Hub fit: {repo} at {revision[:12]}, {size} bytes"
                return Step("weights", "ok", said)
        held = open_held(card, None, None, weight_files(hub))
        refuse_misfits(card, held)
        return Step("weights", "ok", f"fit: {held.tensors.name}")
    except LinnetError as error:
        return Step("weights", "failed", error.message, error.hint)


def _call(
    card: Card,
    opened: Opened,
    signature: Signature,
    backend: str,
    hub: Hub,
    options: dict[str, Any],
) -> str:
    """Call the card's entry once, at these sizes."""
    weights = card.weights
    here = weights is not None and (
        weights.repo is None
        or all(hub.peek(weights.repo, weights.revision or "", path) for path in weights.files)
    )
    with tempfile.TemporaryDirectory() as folder:
        given: dict[str, Any] = {}
        if not here:
            made = Path(folder) / "made-up.safetensors"
            random_weights(made, [each for each in opened.members() if not each.optional])
            given = {"weights": made, "bindings": {}}
        model = load(
            card.directory,
            backend,
            entries=[card.entry] if backend != "linnet" else (),
            offline=True,
            **given,
            **options,
        )
        found = model.call(card.entry, _inputs(signature))
        results = cast(tuple[Any, ...], found if isinstance(found, tuple) else (found,))
        arrays = [model.numpy(each) for each in results]
    for value, array in zip(signature.results, arrays, strict=True):
        if array.shape != value.fixed or dtype_name(array.dtype) != value.dtype:
            got = show(dtype_name(array.dtype) or str(array.dtype), array.shape)
            raise NestError(f"`{card.entry}` gave {got} where its type is {value}")
        if array.dtype.kind not in "biu" and not np.isfinite(array.astype(np.float32)).all():
            raise NestError(f"`{card.entry}` gave numbers that are not finite")
    shown = ", ".join(str(value) for value in signature.results)
    return f"{card.entry} gave {shown}, with {'its' if here else 'made-up'} weights"


def _inputs(signature: Signature) -> dict[str, NDArray[Any]]:
    """Return made-up inputs: zeros, which every index may be, and normal numbers."""
    draw = np.random.default_rng(0)
    return {
        value.name: draw.standard_normal(value.fixed).astype(value.numpy)
        if value.dtype in ("f16", "bf16", "f32", "f64")
        else np.zeros(value.fixed, value.numpy)
        for value in signature.inputs
    }
