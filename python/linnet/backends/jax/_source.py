"""Writes an outline as one Python file that needs JAX alone, or JAX and Flax."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linnet.backends.jax._framework import Form, Jax, Numerics
from linnet.backends.jax._numbers import is_float, jax_dtype
from linnet.backends.jax._support import support_for
from linnet.core import CoreModule, Op
from linnet.outline import Class, Outline, Part, Variant, broken, joined, outline, shown


@dataclass(frozen=True, slots=True)
class JaxSource:
    """`text` is the file; `root` the class to make; `entries` its methods by the entry's name.

    `controlled` are the entries whose `if` and `while` ask for values of arrays: they run, and
    `jax.grad` goes through them, but `jax.jit` does not take them.
    """

    text: str
    root: str
    entries: Mapping[str, str]
    controlled: frozenset[str] = field(default_factory=frozenset[str])


def jax_source(
    core: CoreModule, numerics: Numerics = "exact", form: Form = "jax", title: str = ""
) -> JaxSource:
    """Write CORE as JAX. Calls that it keeps become functions, methods and classes.

    With the form `jax` an instance is a pytree of arrays; with `nnx` it is an `nnx.Module`, its
    members `nnx.Param`, `Buffer` and `State`. `title` is the first line of the file's docstring.
    """
    made = outline(core, Jax(numerics, form))
    root = made.classes[-1]
    parts = ["\n".join(_function(variant, "")) for variant in made.functions]
    parts += ["\n".join(_class(each, form)) for each in made.classes]
    body = "\n\n\n".join([*_variables(made, form), *parts])
    body = "\n\n\n".join([*support_for(body), body])
    text = "\n".join(_head(body, form, title)) + "\n\n\n" + body
    entries = {name: method_name(variant.name) for name, variant in made.entries.items()}
    controlled = frozenset(
        name for name, function in core.functions.items() if _has_control(function.body.ops)
    )
    return JaxSource(joined(text), root.name, entries, controlled)


def _has_control(ops: Sequence[Op]) -> bool:
    return any(
        op.name in ("if", "while") or any(_has_control(region.ops) for region in op.regions)
        for op in ops
    )


def _head(body: str, form: Form, title: str) -> list[str]:
    lines = [f'"""{title or "A model, written by Linnet."}"""', ""]
    if "Iterable[" in body:
        lines.append("from collections.abc import Iterable")
    if "Any]" in body or ": Any" in body:
        lines.append("from typing import Any")
    if len(lines) > 2:
        lines.append("")
    if form == "nnx":
        if "jax.nn" in body:
            lines.append("import jax")
        lines.append("import jax.numpy as jnp")
        lines.append("from flax import nnx")
    else:
        lines += ["import jax", "import jax.numpy as jnp"]
    names = ["Array"] * ("Array" in body.replace("ArrayLike", ""))
    names += ["lax"] * ("lax." in body)
    if names:
        lines.append(f"from jax import {', '.join(names)}")
    typing = [name for name in ("ArrayLike", "DTypeLike") if name in body]
    if typing:
        lines.append(f"from jax.typing import {', '.join(typing)}")
    return lines if form == "jax" else [*lines[:2], *_sorted(lines[2:])]


def _sorted(lines: list[str]) -> list[str]:
    """Imports in the order that ruff keeps: plain ones, then `from` by module."""
    plain = sorted(line for line in lines if line.startswith("import"))
    rest = sorted(line for line in lines if line.startswith("from"))
    standard = [line for line in rest if "typing import Any" in line or "collections" in line]
    gap = [""] if standard else []
    return [*standard, *gap, *plain, *[line for line in rest if line not in standard]]


def _variables(made: Outline, form: Form) -> list[str]:
    """The kinds of variables that are no parameters."""
    if form != "nnx":
        return []
    kinds = {part.kind for each in made.classes for part in each.parts}
    texts = {
        "buffer": '''class Buffer(nnx.Variable):
    """A constant of the model, loaded with its weights and not trained."""''',
        "state": '''class State(nnx.Variable):
    """What the model keeps from call to call."""''',
    }
    return [text for kind, text in texts.items() if kind in kinds]


def method_name(name: str) -> str:
    """What an instance is called for, by JAX's custom: `forward` is the call itself."""
    return "__call__" if name == "forward" else name


def _function(variant: Variant, indent: str) -> list[str]:
    """The lines of a function or a method."""
    first = variant.occurrences[0]
    given = ["self"] if variant.kind == "method" else []
    for param in first.params:
        if not param.number:
            given.append(f"{param.name}: Array")
            continue
        default = variant.defaults.get(param.name)
        hint = "float" if is_float(param.value.type.dtype) else "int"
        given.append(f"{param.name}: {hint}" + (f" = {shown(default)}" if default else ""))
    if variant.defaults and variant.sizes:
        given.append("*")
    given += [f"{size.name}: int" for size in variant.sizes]
    result = "None" if not first.returned else "Array"
    if first.returned > 1:
        result = f"tuple[{', '.join(['Array'] * first.returned)}]"
    name = method_name(variant.name) if variant.kind == "method" else variant.name
    lines = broken(f"{indent}def {name}({', '.join(given)}) -> {result}:")
    for line in variant.lines:
        lines += broken(f"{indent}    {line}")
    return lines


def _class(each: Class, form: Form) -> list[str]:
    base = "nnx.Module" if form == "nnx" else "Module"
    lines = [f"class {each.name}({base}):"]
    given = ["self", *(f"{name}: int" for name in each.arguments)]
    lines += broken(f"    def __init__({', '.join(given)}) -> None:")
    lines += [f"        self.{name} = {name}" for name in dict.fromkeys(each.kept)]
    for part in each.parts:
        lines += _part(part, form)
    if len(lines) == 2:
        lines.append("        pass")
    for method in sorted(each.methods, key=lambda v: v.name != "forward"):
        lines += ["", *_function(method, "    ")]
    return lines


def _part(part: Part, form: Form) -> list[str]:
    match part.kind:
        case "param" | "buffer" | "state":
            shape = f"({', '.join(part.shape)}{',' if len(part.shape) == 1 else ''})"
            made = f"jnp.zeros({shape}, {jax_dtype(part.dtype)})"
            if form == "nnx":
                kind = {"param": "nnx.Param", "buffer": "Buffer", "state": "State"}[part.kind]
                made = f"{kind}({made})"
        case "array":
            made = f"[{', '.join(part.items)}]"
            if not part.items:
                made = f"[{part.made} for _ in range({part.count})]"
            if form == "nnx":
                made = f"nnx.List({made})"
        case _:
            made = part.made
    return broken(f"        self.{part.name} = {made}")
