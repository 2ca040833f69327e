"""`linnet compile`: a program to an artifact."""

import json
from pathlib import Path

import click

from linnet import __version__
from linnet.cli._options import (
    SOURCE,
    cache_option,
    make_stages,
    notices,
    optionals_option,
    program_options,
    read_binds,
    read_buckets,
    read_optionals,
    show_times,
    stage_options,
    weights_dtype_option,
    write_stage,
)
from linnet.cli._report import report
from linnet.cli._stored import stored_facts, stored_lines


@click.command("compile")
@click.argument("file", type=SOURCE)
@program_options
@optionals_option
@weights_dtype_option
@click.option(
    "--target",
    "targets",
    multiple=True,
    default=("cpu",),
    metavar="cpu[:NAME]|xla-cpu|cuda:NAME|iree-cuda:SM",
    help="Code to include, for this processor or a named one; may repeat.",
)
@click.option(
    "--buckets",
    "buckets",
    multiple=True,
    metavar="S=16,64,…",
    help="Sizes for XLA's code of an open size; `prefill.S=…` for one entry; may repeat.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The artifact, OUT.lna."
)
@click.option("--no-generate", is_flag=True, help="Add no loop over `decode`.")
@click.option(
    "--allow-state-copies",
    is_flag=True,
    help="Accept code that copies a state in each call.",
)
@click.option("--json", "as_json", is_flag=True, help="Print facts as JSON.")
@cache_option
@stage_options
def command(
    file: Path,
    root: str | None,
    entries: tuple[str, ...],
    binds: tuple[str, ...],
    optionals: str,
    weights_dtype: str | None,
    std: Path | None,
    targets: tuple[str, ...],
    buckets: tuple[str, ...],
    output: Path,
    no_generate: bool,
    allow_state_copies: bool,
    as_json: bool,
    no_cache: bool,
    stop_after: str | None,
    dump: Path | None,
) -> None:
    """Compile entries of FILE (all of the root without --entry) to the artifact OUT.lna.

    With an entry `decode(token, pos)` goes the entry `generate`, a loop over it that draws tokens
    on the device; `linnet generate` uses it.

    For the target cpu, a size of an entry that no --bind gives stays open: each call decides it.
    XLA's code has fixed sizes. With --buckets it is compiled at each of these, and a call runs at
    the least that holds its size; they must hold every size that the entry allows.

    Weights are never inside. The code is for this machine's processor.

    With --weights-dtype the weights are `linnet quantize`'s, or float ones that are rounded when
    the artifact is loaded.
    """
    from linnet.compiler import StageReached
    from linnet.runtime import build_artifact

    stages = make_stages(stop_after, dump)
    try:
        with notices():
            built = build_artifact(
                file,
                output,
                root,
                entries,
                read_binds(binds),
                read_optionals(optionals),
                targets,
                std,
                stages,
                __version__,
                cache=not no_cache,
                loops=not no_generate,
                weights_dtype=weights_dtype,
                allow_state_copies=allow_state_copies,
                buckets=read_buckets(buckets),
            )
    except StageReached as reached:
        show_times(stages)
        return write_stage(reached.text)
    report(built.warnings)
    show_times(stages)
    if built.without_loop is not None:
        click.echo(f"notice: no loop over `decode`: {built.without_loop}", err=True)
    manifest = built.manifest
    if as_json:
        facts = {
            "artifact": str(output),
            "root": manifest.root,
            "entries": [str(entry.signature) for entry in manifest.entries],
            "parameters": len(manifest.parameters),
            "states": [
                {
                    "path": state.path,
                    "type": str(state),
                    "targets": {
                        target: verdicts.get(state.path)
                        for target, verdicts in manifest.build["states"].items()
                    },
                }
                for state in manifest.states
            ],
            "targets": [variant.target for variant in manifest.variants],
            "seconds": stages.seconds,
        }
        if weights_dtype is not None:
            facts["weights"] = stored_facts(manifest.parameters, built.unstored)
        click.echo(json.dumps(facts, indent=1))
    else:
        made = ", ".join(variant.target for variant in manifest.variants)
        click.echo(f"wrote {output} for {made}")
        for entry in manifest.entries:
            click.echo(f"  {entry.signature}")
        if weights_dtype is not None:
            for line in stored_lines(stored_facts(manifest.parameters, built.unstored)):
                click.echo(line)
    return None
