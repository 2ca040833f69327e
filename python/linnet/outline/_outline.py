"""A program as functions and classes, in the order in which a file holds them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from linnet.core import CoreModule
from linnet.outline._calls import Calls
from linnet.outline._classes import Class, Instance, classes_of, tree_of
from linnet.outline._framework import Framework
from linnet.outline._records import Variant


@dataclass(frozen=True, slots=True)
class Outline:
    """`functions` come before what calls them, `classes` before what holds them; the last class
    is the root, and `entries` are its methods that are called from outside."""

    functions: tuple[Variant, ...]
    classes: tuple[Class, ...]
    entries: Mapping[str, Variant]
    root: Instance


def outline(core: CoreModule, framework: Framework) -> Outline:
    """Write CORE, with its calls kept or not, in a framework's words."""
    calls = Calls(core, framework)
    entries: dict[str, Variant] = {}
    by_occurrence = {o: v for v in calls.variants for o in v.occurrences}
    for name, occurrence in calls.entries.items():
        entries[name] = by_occurrence[occurrence]
    calls.variants = _reached(calls, list(entries.values()))
    functions = tuple(v for v in calls.variants if v.kind != "method")
    root = tree_of(calls)
    return Outline(functions, tuple(classes_of(calls, root)), entries, root)


def _reached(calls: Calls, entries: list[Variant]) -> list[Variant]:
    """The functions that entries come to, in the order of their definition."""
    reached: dict[Variant, None] = {}
    pending = list(entries)
    while pending:
        variant = pending.pop()
        if variant in reached:
            continue
        reached[variant] = None
        text = "\n".join(variant.lines)
        for occurrence in variant.occurrences:
            for called in calls.called.get(occurrence, []):
                # A kernel may have taken the place of what it was called for.
                named = re.search(rf"(?<!\w){called.name}\(", text)
                if called.kind == "method" or named is not None:
                    pending.append(called)
    return [variant for variant in calls.variants if variant in reached]
