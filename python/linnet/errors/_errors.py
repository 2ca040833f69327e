"""The exception classes. Each carries a message of one line, a hint, and an exit status."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from linnet.diagnostics import Diagnostic


class LinnetError(Exception):
    """A problem with what Linnet was given.

    `message` is one line that names the thing; `hint`, if any, is one line that says what to do.
    `exit_status` is that of the command line: 1 a problem in the input, 2 usage, 3 internal.
    """

    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message} ({self.hint})"


class ProgramError(LinnetError):
    """The program is refused; `diagnostics` are the records, errors first in source order."""

    def __init__(self, diagnostics: "Sequence[Diagnostic]") -> None:
        from linnet.diagnostics import Severity

        errors = [d for d in diagnostics if d.severity is Severity.ERROR]
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{first.code}: {first.message}{more}")
        self.diagnostics = tuple(diagnostics)


class UsageError(LinnetError):
    """A name or a value that the caller gave is unknown, or one that is needed was not given."""

    exit_status = 2


def unknown_name(problem: str, name: str, known: Sequence[str], listed: str) -> UsageError:
    """The error for a name that is not among those known: which was meant, and which there are.

    `problem` ends before the name, `listed` before the names: `no entry`, `entries`.
    """
    # Here, since a model that is loaded and called needs no diagnostics.
    from linnet.diagnostics import did_you_mean

    near = did_you_mean(name, known)
    asked = "" if near is None else f"did you mean `{near}`? "
    names = ", ".join(f"`{each}`" for each in known) or "none"
    return UsageError(f"{problem} `{name}`", f"{asked}{listed}: {names}")


class ArgumentError(LinnetError):
    """An input of a call has the wrong dtype or shape, or the inputs are not those of the entry."""


class WeightsError(LinnetError):
    """A weights or bindings file does not hold what the program asks for [WGT-3]."""


class NestError(LinnetError):
    """A nest is not found, its files are not what its card says, or they cannot be fetched."""


class CardError(NestError):
    """A card is refused; `problems` are its mistakes, each one line that begins with its place."""

    def __init__(self, problems: Sequence[str]) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{problems[0]}{more}")
        self.problems = tuple(problems)


class ConversionError(LinnetError):
    """A model of another tool is malformed, at odds with itself, or says what is not known."""


class ArtifactError(LinnetError):
    """An artifact is damaged, of another version, or for another machine."""


class CapabilityError(LinnetError):
    """The program is valid, but the target cannot express it, or is not installed [LOW-4]."""


class BackendError(LinnetError):
    """A backend's compiler died or refused our code; `reproducer` is the folder that shows it."""

    exit_status = 3

    def __init__(self, message: str, hint: str | None = None, reproducer: Path | None = None):
        super().__init__(message, hint)
        self.reproducer = reproducer


class InternalError(LinnetError):
    """A bug of Linnet's."""

    exit_status = 3
