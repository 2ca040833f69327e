"""From a path to a verified GENERIC module, or the diagnostics that refuse it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from linnet.checker import check
from linnet.compiler._loop import with_loops
from linnet.compiler._outline import outline
from linnet.compiler._stages import Stages
from linnet.compiler._suggestions import taught
from linnet.diagnostics import Diagnostic, Severity, in_source_order
from linnet.emit import Emitted, emit, verify
from linnet.errors import ProgramError
from linnet.source import SourceFile
from linnet.syntax import Program, load_program


@dataclass(frozen=True, slots=True)
class Checked:
    """`emitted` is None exactly when there is an error among the diagnostics.

    `sources` are the files by path, for the places that later stages name. `loops` are
    the blocks that got an entry `generate`; `without_loop` says, for others with a `decode`, why.
    """

    emitted: Emitted | None
    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile]
    loops: tuple[str, ...] = ()
    without_loop: Mapping[str, str] = field(default_factory=dict[str, str])

    def accepted(self) -> Emitted:
        """Return the module, or raise ProgramError with all the diagnostics."""
        if self.emitted is None:
            raise ProgramError(self.diagnostics)
        return self.emitted


def check_path(
    path: str | Path,
    std: str | Path | None = None,
    stages: Stages | None = None,
    loaded: Program | None = None,
    loops: bool = False,
) -> Checked:
    """Run syntax, checker, emit and verify on a file and what it imports.

    `loaded` is the program of the file, where it was loaded before. With `loops` each block that
    has a `decode(token, pos)` gets the entry `generate`.
    """
    stages = stages or Stages()
    program = stages.run(
        "syntax",
        lambda: loaded or load_program(path, std),
        outline,
        "txt",
        lambda program: program.is_complete,
    )
    if not loops:
        return _check(program, stages)
    looped = with_loops(program)
    if looped.program is program:
        return replace(_check(program, stages), without_loop=looped.refused)
    found = _check(looped.program, stages)
    if found.emitted is not None:
        return replace(found, loops=looped.added, without_loop=looped.refused)
    # What is wrong is told of the program as it was written.
    plain = _check(program, stages)
    reason = found.diagnostics[0].message if found.diagnostics else "it is refused"
    blocks = dict.fromkeys(looped.added, f"the loop does not fit: {reason}")
    return replace(plain, without_loop={**looped.refused, **blocks})


def _check(program: Program, stages: Stages) -> Checked:
    sources = {module.source.utf8_path: module.source for module in program.modules}
    if not program.is_complete:
        return Checked(None, program.diagnostics, sources)
    checked = stages.run(
        "checker", lambda: check(program), outline, "txt", lambda result: result.program is not None
    )
    # `check` may or may not hand on the warnings of syntax.
    diagnostics = in_source_order((*program.diagnostics, *checked.diagnostics))
    typed = checked.program
    if typed is None or _has_errors(diagnostics):
        # What has no error of its own is proven too, so that one run tells everything.
        refused = () if checked.sound is None else verify(emit(checked.sound))
        return Checked(None, taught(program, (*diagnostics, *refused)), sources)
    emitted = stages.run("emit", lambda: emit(typed), lambda e: str(e.module), "mlir")
    refused = stages.run(
        "verify",
        lambda: verify(emitted),
        lambda _: str(emitted.module),
        "mlir",
        lambda found: not _has_errors(found),
    )
    if _has_errors(refused):
        return Checked(None, taught(program, refused), sources)  # Lints need a program without.
    return Checked(emitted, in_source_order((*diagnostics, *refused)), sources)


def _has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
