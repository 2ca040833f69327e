"""The files of a nest directory that are written about a model: its card, bindings and README."""

import json
import re
from collections.abc import Mapping, Sequence

from linnet.nest._convert._facts import Constant, Family

_POSITION = re.compile(r"\.([0-9]+)\.")


def model_name(folder_name: str) -> str:
    """A name for a card, from that of a folder: lower case and digits, parted by single marks."""
    name = re.sub(r"[^a-z0-9._]+", "-", folder_name.lower())
    return re.sub(r"([._-])[._-]+", r"\1", name).strip("-._")[:96].rstrip("-._") or "model"


def toml_value(value: object) -> str:
    """A string, integer or list of strings in TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml_value, value))}]"  # pyright: ignore[reportUnknownArgumentType]
    raise TypeError(f"no TOML for {value!r}")


def card(tables: Mapping[str, Mapping[str, object]]) -> str:
    """The text of a `nest.toml`."""
    parts: list[str] = []
    for name, fields in tables.items():
        lines = [f"{key} = {toml_value(value)}" for key, value in fields.items()]
        parts.append("\n".join([f"[{name}]", *lines]) + "\n")
    return "\n".join(parts)


def bindings(names: Mapping[str, str]) -> str:
    """The text of a `bindings.json`: path to published name, `{i}` for a position in an array."""
    rules: dict[str, str] = {}
    for path, name in names.items():
        general = (_POSITION.sub(".{i}.", path, count=1), _POSITION.sub(".{i}.", name, count=1))
        same = _POSITION.findall(path)[:1] == _POSITION.findall(name)[:1]
        rules.update([general if same else (path, name)])
    return json.dumps(rules, indent=2, ensure_ascii=False) + "\n"


def readme(
    family: Family,
    name: str,
    architecture: str,
    generics: Mapping[str, int | str],
    constants: Mapping[str, Constant],
    parameters: int,
    origin: str,
) -> str:
    """The text of a README: what was converted, its sizes, and how it is loaded."""
    sizes = "\n".join(f"| `{key}` | {value} |" for key, value in generics.items())
    rest = "\n".join(f"| `{key}` | {value} |" for key, value in constants.items())
    facts = f"\n| Constant | |\n| --- | --- |\n{rest}\n" if constants else ""
    if origin == "GGUF":
        source = f"""GGUF to the form of the class
`{architecture}` of `transformers`. The weights are the numbers that the file stands for, under the
names and in the layout of that class; `bindings.json` maps the paths of the program to them."""
    else:
        source = f"""a
`transformers` directory of the class `{architecture}`. The weights are those that were published,
byte for byte; `bindings.json` maps the paths of the program to their names."""
    return f"""# {name}

A model of the family {family.title} with {parameters:,} parameters, converted from {source}

| Generic | |
| --- | --- |
{sizes}
{facts}
```python
from linnet import nest

model = nest.load("path/to/{name}")
```
"""
