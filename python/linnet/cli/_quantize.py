"""`linnet quantize`: weights in a narrow form, with what that costs."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linnet.cli._options import SOURCE, STD, notices, read_binds, read_inputs
from linnet.errors import UsageError, WeightsError

if TYPE_CHECKING:
    from linnet.runtime import LogitsReport, StoragePlan
    from linnet.weights import Bindings, Form, Tensor, TensorReport, Tensors

_DTYPES = ("bf16", "f16", "int8", "int4")
_BITS = {"bf16": 16, "f16": 16, "int8": 8, "int4": 4}
_MATRICES = ("int8", "int4")
_FLOATS = {"f64": 64, "f32": 32, "bf16": 16, "f16": 16}


@click.command("quantize")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="OUT.safetensors."
)
@click.option(
    "--dtype",
    default="int8",
    show_default=True,
    metavar="bf16|f16|int8|int4",
    help="The narrow form.",
)
@click.option(
    "--group",
    metavar="16|32|64|128|256",
    type=click.Choice(["16", "32", "64", "128", "256"]),
    help="Of int4: how many elements share a scale and a zero.  [default: 64]",
)
@click.option("--only", multiple=True, metavar="GLOB", help="Tensors to make narrow; may repeat.")
@click.option("--skip", multiple=True, metavar="GLOB", help="Tensors to leave; may repeat.")
@click.option(
    "--axis",
    type=click.IntRange(0, 1),
    help="Without --program, the axis along which rows lie: 0, or 1 where they are columns.",
)
@click.option("--program", type=SOURCE, help="Make narrow what this program can hold so.")
@click.option("--root", metavar="BLOCK", help="Its block.")
@click.option("--bind", "binds", multiple=True, metavar="NAME=VALUE", help="A generic of it.")
@click.option("--std", type=STD, help="Folder of `std`.")
@click.option("--bindings", type=click.Path(path_type=Path), help="Its paths to tensor names.")
@click.option("--check", is_flag=True, help="Compare the program's logits with both weights.")
@click.option("--check-entry", metavar="NAME", help="The entry that gives them.")
@click.option(
    "--check-input",
    "inputs",
    multiple=True,
    metavar="NAME=FILE.npy|JSON",
    help="An input of it; without any, 16 random tokens.",
)
@click.option(
    "--check-target",
    default="reference",
    show_default=True,
    metavar="reference|cpu|xla-cpu",
    help="What to run it on.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    source: Path,
    output: Path,
    dtype: str,
    group: str | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    axis: int | None,
    program: Path | None,
    root: str | None,
    binds: tuple[str, ...],
    std: Path | None,
    bindings: Path | None,
    check: bool,
    check_entry: str | None,
    inputs: tuple[str, ...],
    check_target: str,
    as_json: bool,
) -> None:
    """Write the tensors of IN (a safetensors file or a folder of them) to OUT in a narrow form.

    int8 keeps, for each row of a matrix, 127 steps and a scale: OUT has the integers under the
    tensor's name and the scales under NAME.scale. int4 keeps 15 steps, a scale and a zero for each
    group of a row: half bytes, NAME.scale and NAME.zero. With --program the matrices, and what is
    a row, are those of `linnet compile --weights-dtype`; without, they are all floating tensors of
    two axes, and rows lie along axis 0, as in torch's Linear and Embedding (GPT-2's Conv1D wants
    --axis 1). Everything else is copied.
    """
    from linnet.weights import open_weights, quantise, read_bindings

    if dtype not in _DTYPES:
        raise UsageError(f"no form `{dtype}`", f"there are {', '.join(_DTYPES)}")
    if group is not None and dtype != "int4":
        raise UsageError(f"{dtype} has no groups", "leave out --group, or write --dtype int4")
    form = dtype if group is None else f"{dtype}:{group}"
    generics = read_binds(binds)
    rules = read_bindings(bindings)
    if program is None and (root is not None or generics or std is not None or bindings or check):
        raise UsageError("there is no program to look at", "name one with --program")
    if program is not None and axis is not None:
        raise UsageError("the program says what a row is", "leave out --axis")
    if rules.sources:
        raise UsageError("these bindings name files of their own", "give bindings without sources")
    files = _files(source)
    opened = open_weights(source, rules)
    tensors = {name: tensor for (_, name), tensor in opened.by_key.items()}
    plan = None
    if program is not None:
        from linnet.runtime import plan_storage

        plan = plan_storage(program, root, generics, std, form, opened, rules)
    forms, reasons = _choose(tensors, form, axis, plan, rules, (only, skip))
    total = sum(tensor.array.nbytes for tensor in tensors.values() if tensor.array is not None)
    with click.progressbar(
        length=total, label=f"quantizing {source}", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        reports = quantise(tensors, forms, reasons, output, files, bar.update)
    checked = None
    if check and program is not None:
        with notices():
            checked = _check(
                program, root, generics, std, bindings, form, opened, output, check_entry,
                read_inputs(inputs), check_target,
            )  # fmt: skip
    facts = _facts(output, dtype, reports, checked)
    click.echo(json.dumps(facts, indent=1) if as_json else "\n".join(_lines(facts)))


def _files(source: Path) -> list[Path]:
    return sorted(source.glob("*.safetensors")) if source.is_dir() else [source]


def _choose(
    tensors: "Mapping[str, Tensor]",
    form: str,
    axis: int | None,
    plan: "StoragePlan | None",
    bindings: "Bindings",
    globs: tuple[Sequence[str], Sequence[str]],
) -> "tuple[dict[str, Form], dict[str, str]]":
    """Return the forms of the tensors to make narrow, and why each of the others stays."""
    from linnet.weights import DEFAULT_GROUP, Form, group_of

    only, skip = globs
    dtype, _, text = form.partition(":")
    wanted = int(text or DEFAULT_GROUP)
    for pattern in (*only, *skip):
        if not any(fnmatchcase(name, pattern) for name in tensors):
            raise UsageError(
                f"no tensor is called `{pattern}`", "`*` stands for any part of a name"
            )
    stored: dict[str, int] = {}
    groups: dict[str, int] = {}
    why: dict[str, str] = {}
    if plan is not None:
        stored = {bindings.of(path)[1]: of for path, of in plan.axes.items()}
        groups = {bindings.of(path)[1]: of for path, of in plan.groups.items()}
        why = {bindings.of(path)[1]: reason for path, reason in plan.unstored.items()}
        for path, key in ((path, bindings.of(path)[1]) for path in plan.axes):
            if key not in tensors:
                raise WeightsError(
                    f"`{path}` (tensor `{key}`) is missing from the weights",
                    "a --bindings file maps paths to tensor names",
                )
    forms: dict[str, Form] = {}
    reasons: dict[str, str] = {}
    for name, tensor in tensors.items():
        bits = _FLOATS.get(tensor.dtype)
        if bits is None:
            reasons[name] = "no floating tensor"
        elif bits <= _BITS[dtype]:
            reasons[name] = f"{tensor.dtype} is no wider"
        elif len(tensor.shape) < 2:
            reasons[name] = "a vector"
        elif plan is not None and name not in stored:
            reasons[name] = why.get(name, "the program has no such matrix")
        elif plan is None and len(tensor.shape) != 2 and dtype in _MATRICES:
            reasons[name] = "no matrix"
        elif (only and not _matches(name, only)) or _matches(name, skip):
            reasons[name] = "left out by name"
        else:
            along = stored.get(name, axis or 0)
            group = groups.get(name)
            if dtype == "int4" and group is None:
                group = group_of(tensor.shape[1 - along], wanted)
                if group is None:
                    reasons[name] = "no whole groups of 16"
                    continue
            forms[name] = Form(dtype, along, group or wanted)
    return forms, reasons


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _check(
    program: Path,
    root: str | None,
    generics: "Mapping[str, int | str | tuple[int, ...]]",
    std: Path | None,
    bindings: Path | None,
    form: str,
    opened: "Tensors",
    output: Path,
    entry: str | None,
    inputs: dict[str, object],
    target: str,
) -> "LogitsReport":
    """Compare the program on both weights."""
    from linnet.runtime import compare_logits, compile

    given = {name: t.array for (_, name), t in opened.by_key.items() if t.array is not None}
    models = [
        compile(program, root, generics, weights, bindings, target, std, weights_dtype=held)
        for weights, held in ((given, None), (output, form))
    ]
    chosen = entry or ("forward" if "forward" in models[0].entries else models[0].entries[0])
    if not inputs:
        inputs = _random_tokens(models[0], chosen)
    return compare_logits(models[0], models[1], chosen, inputs)


def _random_tokens(model: Any, entry: str) -> dict[str, object]:
    """Return 16 tokens of the vocabulary, which the logits tell, for an entry that takes tokens."""
    import numpy as np

    names = list(model.inputs(entry))
    if len(names) != 1:
        listed = ", ".join(f"`{name}`" for name in names)
        raise UsageError(f"entry `{entry}` takes {listed}", "give them with --check-input")
    (name,) = names
    (logits,) = model.call_named(entry, {name: np.zeros((1, 1), np.int32)}).values()
    drawn = np.random.default_rng(0).integers(0, logits.shape[-1], (1, 16), dtype=np.int32)
    return {name: drawn}


def _facts(
    output: Path, dtype: str, reports: "list[TensorReport]", checked: "LogitsReport | None"
) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "version": 1,
        "output": str(output),
        "dtype": dtype,
        "bytes_before": sum(report.bytes_before for report in reports),
        "bytes_after": sum(report.bytes_after for report in reports),
        "tensors": [{**asdict(report), "shape": list(report.shape)} for report in reports],
    }
    if checked is not None:
        facts["check"] = asdict(checked)
    return facts


def _lines(facts: Mapping[str, Any]) -> list[str]:
    narrow = [each for each in facts["tensors"] if each["scheme"] is not None]
    lines = [
        f"wrote {facts['output']}: {len(narrow)} of {len(facts['tensors'])} tensors as "
        f"{facts['dtype']}, {_size(facts['bytes_before'])} -> {_size(facts['bytes_after'])}"
    ]
    width = max((len(each["name"]) for each in narrow), default=0)
    for each in narrow:
        shape = "x".join(map(str, each["shape"]))
        line = "column" if each["axis"] == 1 else "row"
        group = "" if each["group"] is None else f"groups of {each['group']}, "
        lines.append(
            f"  {each['name']:{width}}  {shape:>12}  {_size(each['bytes_before']):>10} -> "
            f"{_size(each['bytes_after']):>10}  {group}max error {each['max_abs_error']:.2e}, "
            f"rms {each['relative_rms_error']:.2%}, {each['worst_row_error']:.2%} in {line} "
            f"{each['worst_row']}"
        )
    stays = [each for each in facts["tensors"] if each["scheme"] is None]
    for reason in dict.fromkeys(each["reason"] for each in stays):
        names = [each["name"] for each in stays if each["reason"] == reason]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        listed = ", ".join(f"`{name}`" for name in names[:3])
        lines.append(f"  as they were ({reason}): {listed}{more}")
    found = facts.get("check")
    if found is not None:
        lines.append(
            f"logits of `{found['entry']}` at {found['positions']} positions: largest difference "
            f"{found['max_abs_diff']:.3g}, the same first token at {found['top1_agreement']:.1%}, "
            f"KL {found['mean_kl']:.2e} (at most {found['max_kl']:.2e})"
        )
    return lines


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{count / 2**10:.1f} KiB"
