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


def gradient_of_other(span: Span, kind: str, name: str) -> Diagnostic:
    """[LAT-8]"""
    return problem(
        "E2125", f"a `grad` clause needs an `op`, found `{kind} {name}`", span,
        f"behind a `{kind}`", note="only an `op` takes a gradient of its own",
    )  # fmt: skip


def gradient_result(span: Span, found: str, clause: Span) -> Diagnostic:
    """[LAT-8]"""
    return problem(
        "E2125", f"an op with a `grad` needs one floating result, found `{found}`", span,
        "not one floating tensor or scalar", also=(Label(clause, "the clause"),),
    )  # fmt: skip


def gradient_parameter(span: Span, name: str, found: str) -> Diagnostic:
    """[LAT-8]"""
    return problem(
        "E2125", f"parameter `{name}` of an op with a `grad` needs to be a tensor or scalar, "
        f"found `{found}`", span, "not a tensor or scalar",
    )  # fmt: skip


def gradient_of_nothing(span: Span, name: str) -> Diagnostic:
    """[LAT-8]"""
    return problem(
        "E2125", f"no parameter of `{name}` takes a gradient", span, "has nothing to return",
        note="a gradient belongs to each parameter that is a tensor of float dtype",
    )  # fmt: skip
