"""Names of a published checkpoint in the module: as its own names, or by a table beside it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_INDEX = re.compile(r"(?<=\.)\d+(?=\.|$)")


@dataclass(frozen=True, slots=True)
class Names:
    """`renamed` gives members of all classes other names, so that `state_dict` has those of the
    checkpoint; where the names form no such tree it is empty, and `rules` lists them by path, with
    `{}` for the numbers of elements."""

    renamed: Mapping[str, str]
    rules: Mapping[str, str]


def names_for(bound: Mapping[str, str]) -> Names:
    """Decide how a module takes tensors that are bound by path."""
    if all(path == name for path, name in bound.items()):
        return Names({}, {})
    renamed = _renamed(bound)
    return Names({}, _rules(bound)) if renamed is None else Names(renamed, {})


def _renamed(bound: Mapping[str, str]) -> dict[str, str] | None:
    """One new name for each name, the same wherever it stands; None where that is not so."""
    found: dict[str, str] = {}
    for path, name in bound.items():
        old, new = path.split("."), name.split(".")
        if len(old) != len(new):
            return None
        for before, after in zip(old, new, strict=True):
            if before.isdigit() or after.isdigit():
                if before != after:
                    return None
            elif not after.isidentifier() or found.setdefault(before, after) != after:
                return None
    return found if len(set(found.values())) == len(found) else None


def _rules(bound: Mapping[str, str]) -> dict[str, str]:
    rules: dict[str, str] = {}
    for path, name in bound.items():
        pattern, key = _INDEX.sub("{}", path), _INDEX.sub("{}", name)
        same = _INDEX.findall(path) == _INDEX.findall(name)
        if not same or rules.setdefault(pattern, key) != key or "{" in f"{path}{name}":
            return dict(bound)
    return rules


def load_function(rules: Mapping[str, str]) -> Sequence[str]:
    """The lines of `load_checkpoint`, with its table."""
    patterns = any("{}" in path for path in rules)
    lines = [
        "# The names of the checkpoint's tensors" + (", by layer." if patterns else "."),
        "CHECKPOINT = {",
    ]
    lines += [f'    "{path}": "{name}",' for path, name in rules.items()]
    lines += [
        "}",
        "",
        "",
        "def load_checkpoint(model: nn.Module, tensors: dict[str, Tensor]) -> None:",
        '    """Take the parameters from tensors under the names of the checkpoint."""',
        "    found = {}",
        "    for name in model.state_dict():",
    ]
    if patterns:
        lines += [
            '        layer = re.findall(r"(?<=\\.)\\d+(?=\\.|$)", name)',
            '        rule = re.sub(r"(?<=\\.)\\d+(?=\\.|$)", "{}", name)',
            "        found[name] = tensors[CHECKPOINT.get(rule, rule).format(*layer)]",
        ]
    else:
        lines.append("        found[name] = tensors[CHECKPOINT.get(name, name)]")
    return [*lines, "    model.load_state_dict(found)"]
