"""Problems of kernels and op gradients (E2125 to E2127, spec sections 21.4 and 21.5)."""

from linnet.checker._problems._form import problem
from linnet.diagnostics import Diagnostic, Label
from linnet.source import Span


def kernel_called(span: Span, name: str, declared: Span) -> Diagnostic:
    """[LAT-10]"""
    return problem(
        "E2126", f"kernel `{name}` cannot be called", span, "not a function",
        related=(Label(declared, f"`{name}` is declared here"),),
        note="an `op` names a kernel behind its result; a backend may then launch it",
    )  # fmt: skip
