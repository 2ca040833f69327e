"""Writes an outline as one Python file that needs PyTorch alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.backends.torch._checkpoint import load_function, names_for
from linnet.backends.torch._framework import Numerics, Torch
from linnet.backends.torch._numbers import is_float, torch_dtype
from linnet.backends.torch._support import support_for
from linnet.core import CoreModule
from linnet.outline import Class, Outline, Part, Variant, broken, joined, outline, shown


@dataclass(frozen=True, slots=True)
class TorchSource:
    """`text` is the file; `root` the class to make; `entries` its methods by the entry's name.

    `names` are what members are called in the module, where that is not their name in Linnet.
    """

    text: str
    root: str
    entries: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict[str, str])

    def place(self, path: str) -> str:
        """Where the module has the member of a path; its name in `state_dict`."""
        return ".".join(self.names.get(part, part) for part in path.split("."))


def torch_source(
    core: CoreModule,
    numerics: Numerics = "exact",
    title: str = "",
    bound: Mapping[str, str] | None = None,
) -> TorchSource:
    """Write CORE as PyTorch. Calls that it keeps become functions, methods and classes.

    `title` is the docstring of the file. `bound` gives, by path, the names of a checkpoint's
    tensors: `state_dict` then has these names, or the file a function `load_checkpoint`.
    """
    names = names_for(bound or {})
    framework = Torch(numerics, names.renamed)
    made = outline(core, framework)
    root = made.classes[-1]
    parts: list[str] = []
    for variant in made.functions:
        parts.append("\n".join(_function(variant, "")))
    for each in made.classes:
        parts.append("\n".join(_class(each, made, each is root)))
    if names.rules:
        placed = {framework.path(path): name for path, name in names.rules.items()}
        parts.append("\n".join(load_function(placed)))
    body = "\n\n\n".join(parts)
    body = "\n\n\n".join([*support_for(body), body])
    lines = [f'"""{title or "A model, written by Linnet."}"""', ""]
    if "re.sub(" in body:
        lines += ["import re", ""]
    lines.append("import torch")
    if re.search(r"(?<!\w)F\.", body):
        lines.append("import torch.nn.functional as F")
    tensor = "Tensor, " if "Tensor" in body else ""
    lines.append(f"from torch import {tensor}nn")
    text = "\n".join(lines) + "\n\n\n" + body
    entries = {name: variant.name for name, variant in made.entries.items()}
    paths = [
        m.path for f in core.functions.values() for m in (*f.signature.params, *f.signature.states)
    ]
    members = {part for path in paths for part in path.split(".")}
    renamed = {part: framework.path(part) for part in members if framework.path(part) != part}
    return TorchSource(joined(text), root.name, entries, renamed)


def _function(variant: Variant, indent: str) -> list[str]:
    """The lines of a function or a method."""
    lines: list[str] = []
    is_method = variant.kind == "method"
    first = variant.occurrences[0]
    if first.is_entry and variant.writes:
        lines.append(f"{indent}@torch.no_grad()")
    given = ["self"] if is_method else []
    for param in first.params:
        if not param.number:
            given.append(f"{param.name}: Tensor")
            continue
        default = variant.defaults.get(param.name)
        hint = "float" if is_float(param.value.type.dtype) else "int"
        given.append(f"{param.name}: {hint}" + (f" = {shown(default)}" if default else ""))
    if variant.defaults and (variant.sizes or variant.needs_device):
        given.append("*")
    given += [f"{size.name}: int" for size in variant.sizes]
    if variant.needs_device:
        given.append("device: torch.device")
    returned = first.returned
    result = "None" if not returned else "Tensor"
    if returned > 1:
        result = f"tuple[{', '.join(['Tensor'] * returned)}]"
    lines += broken(f"{indent}def {variant.name}({', '.join(given)}) -> {result}:")
    if first.is_entry:
        lines += _scalars(variant, f"{indent}    ")
    for line in variant.lines:
        lines += broken(f"{indent}    {line}")
    return lines


def _scalars(variant: Variant, indent: str) -> list[str]:
    """Inputs without axes may be given as Python numbers."""
    lines: list[str] = []
    params = variant.occurrences[0].params
    others = [p for p in params if p.value.type.shape]
    for param in params:
        if not param.value.type.shape:
            dtype = torch_dtype(param.value.type.dtype)
            device = f", device={others[0].name}.device" if others else ""
            lines.append(
                f"{indent}{param.name} = torch.as_tensor({param.name}, dtype={dtype}{device})"
            )
    return lines


def _class(each: Class, made: Outline, is_root: bool) -> list[str]:
    lines = [f"class {each.name}(nn.Module):"]
    held = [part.name for part in each.parts if part.kind in ("buffer", "state")]
    lines += [f"    {name}: Tensor" for name in held] + ([""] if held else [])
    given = ["self", *(f"{name}: int" for name in each.arguments)]
    lines += broken(f"    def __init__({', '.join(given)}) -> None:")
    lines.append("        super().__init__()")
    lines += [f"        self.{name} = {name}" for name in dict.fromkeys(each.kept)]
    for part in each.parts:
        lines += _part(part)
    methods = sorted(each.methods, key=lambda v: v.name != "forward")
    for method in methods:
        lines += ["", *_function(method, "    ")]
    if is_root:
        lines += _reset(made, {v.name for v in each.methods})
    return lines


def _part(part: Part) -> list[str]:
    dtype = "" if part.dtype == "f32" or not part.dtype else f", dtype={torch_dtype(part.dtype)}"
    shape = ", ".join(part.shape) or "()"
    match part.kind:
        case "param":
            grad = "" if is_float(part.dtype) else ", requires_grad=False"
            made = f"nn.Parameter(torch.empty({shape}{dtype}){grad})"
        case "buffer":
            return broken(
                f'        self.register_buffer("{part.name}", torch.empty({shape}{dtype}))'
            )
        case "state":
            zeros = f"torch.zeros({shape}{dtype})"
            return broken(f'        self.register_buffer("{part.name}", {zeros}, persistent=False)')
        case "array" if part.items:
            made = f"nn.ModuleList([{', '.join(part.items)}])"
        case "array":
            made = f"nn.ModuleList({part.made} for _ in range({part.count}))"
        case _:
            made = part.made
    return broken(f"        self.{part.name} = {made}")


def _reset(made: Outline, taken: set[str]) -> list[str]:
    names = dict.fromkeys(
        part.name for each in made.classes for part in each.parts if part.kind == "state"
    )
    if not names:
        return []
    listed = ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "")
    return [
        "",
        f"    def {'reset_states' if 'reset' in taken else 'reset'}(self) -> None:",
        '        """Set all states to zero."""',
        "        for name, buffer in self.named_buffers():",
        *broken(f'            if name.rpartition(".")[2] in ({listed}):'),
        "                buffer.zero_()",
    ]
