"""`linnet stablehlo`: entries as StableHLO."""

import sys
from pathlib import Path

import click

from linnet.cli._options import (
    SOURCE,
    make_stages,
    optionals_option,
    program_options,
    read_binds,
    read_optionals,
    show_times,
    stage_options,
    weights_dtype_option,
    write_file,
    write_stage,
)
from linnet.cli._report import report
from linnet.errors import UsageError


@click.command("stablehlo")
@click.argument("file", type=SOURCE)
@program_options
@optionals_option
@weights_dtype_option
@click.option(
    "--format",
    "form",
    default="text",
    metavar="text|bytecode|portable[@V]",
    help="Form of the output.",
)
@click.option(
    "--composites",
    is_flag=True,
    help="Keep calls of ops as stablehlo.composite, with their bodies as decompositions.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File; stdout without it.")
@stage_options
def command(
    file: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    optionals: str,
    std: Path | None,
    weights_dtype: str | None,
    form: str,
    composites: bool,
    output: Path | None,
    stop_after: str | None,
    dump: Path | None,
) -> None:
    """Print entries of FILE as StableHLO: `@main`, or by their names when several.

    Arguments are the inputs, then params and buffers with `linnet.path`, then states.
    """
    from linnet.compiler import StageReached
    from linnet.runtime import lower_program
    from linnet.stablehlo import build

    kind, _, version = form.partition("@")
    if kind not in ("text", "bytecode", "portable") or (version and kind != "portable"):
        raise UsageError(f"no format `{form}`", "formats: text, bytecode, portable, portable@V")
    if stop_after == "backends":
        raise UsageError("`linnet stablehlo` ends before the stage `backends`", "use compile")
    stages = make_stages(stop_after, dump)
    try:
        core, warnings = lower_program(
            file,
            root,
            entries,
            read_binds(binds),
            read_optionals(optionals),
            std,
            stages,
            weights_dtype,
            keep="ops" if composites else False,
        )
        module = stages.run("stablehlo", lambda: build(core), lambda m: m.text(), "mlir")
    except StageReached as reached:
        show_times(stages)
        if output is None:
            return write_stage(reached.text)
        text = reached.text
        return write_file(output, text if isinstance(text, bytes) else text.encode())
    report(warnings)
    show_times(stages)
    match kind:
        case "text":
            data = module.text().encode()
        case "bytecode":
            data = module.bytecode()
        case _:
            data = module.portable(version or None)
    if output is not None:
        write_file(output, data)
    else:
        sys.stdout.buffer.write(data)
    return None
