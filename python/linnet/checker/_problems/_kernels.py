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


# Kernels ----------------------------------------------------------------------------------


def kernel_of_other(span: Span, kind: str, name: str) -> Diagnostic:
    """[LAT-10]"""
    return problem(
        "E2126", f"only an `op` names a kernel, found `{kind} {name}`", span, f"behind a `{kind}`"
    )


def not_a_kernel(span: Span, name: str, what: str) -> Diagnostic:
    """[LAT-10]"""
    return problem("E2126", f"`{name}` is {what}, not a kernel", span, "a kernel is needed here")


def kernel_disagrees(
    span: Span, op: str, kernel: str, what: tuple[str, str], declared: Label
) -> Diagnostic:
    """[LAT-10] `what` is what the kernel has, and the op in its place."""
    return problem(
        "E2126", f"kernel `{kernel}` has {what[0]}, op `{op}` has {what[1]}", span,
        "does not agree with the op", related=(declared,),
        note="an op and its kernel have the same parameters and results, in order",
    )  # fmt: skip


def kernel_memory_type(span: Span, name: str, found: str) -> Diagnostic:
    """[LAT-9]"""
    return problem(
        "E2127", f"`{name}` of a kernel needs to be a tensor without packs or a scalar, "
        f"found `{found}`", span, "cannot stand in memory",
    )  # fmt: skip


def kernel_result(span: Span, name: str, found: str) -> Diagnostic:
    """[LAT-9]"""
    return problem(
        "E2127", f"result `{name}` of a kernel needs to be a tensor, found `{found}`", span,
        "cannot be written to",
    )  # fmt: skip


def kernel_grid(span: Span, found: int) -> Diagnostic:
    """[LAT-9]"""
    return problem("E2127", f"a grid has one to three sizes, found {found}", span, "one too many")


def kernel_warps(span: Span, found: int) -> Diagnostic:
    """[LAT-9]"""
    return problem(
        "E2127", f"`warps` needs a power of two, found {found}", span, "not a power of two"
    )


def kernel_form(span: Span, name: str, *, inside_kernel: bool) -> Diagnostic:
    """[LAT-10]"""
    if inside_kernel:
        return problem(
            "E2127", f"`{name}` is a statement, not a value", span, "gives no value",
            note=f"written on its own: `{name}(y[at], value, mask)`",
        )  # fmt: skip
    return problem(
        "E2127", f"`{name}` stands only in a kernel", span, "outside a kernel",
        note="`load`, `program_id`, `store` and `atomic_…` work on the memory of a `kernel`",
    )  # fmt: skip


def grid_axis(span: Span, found: int, rank: int) -> Diagnostic:
    """[LAT-9]"""
    axes = "axis 0" if rank == 1 else f"axes 0 to {rank - 1}"
    return problem("E2210", f"the grid has {axes}, found {found}", span, "no such axis")


def not_memory(span: Span, form: str) -> Diagnostic:
    """[LAT-9]"""
    what = "a parameter" if form == "load" else "a result"
    return problem(
        "E2127", f"`{form}` needs an element of {what}, such as `x[i]`", span,
        "not an element of memory",
        note="the tensors among a kernel's parameters and results stand in memory",
    )  # fmt: skip


def wrong_direction(span: Span, form: str, name: str, declared: Span) -> Diagnostic:
    """[LAT-9]"""
    what = "a result is only written" if form == "load" else "a parameter is only read"
    return problem(
        "E2127", f"`{form}` cannot take `{name}`: {what}", span, "of the other kind",
        related=(Label(declared, f"`{name}` is declared here"),),
    )  # fmt: skip


def memory_as_value(span: Span, name: str, declared: Span) -> Diagnostic:
    """[LAT-10]"""
    return problem(
        "E2127", f"`{name}` stands in memory and is no value", span, "not read by `load`",
        related=(Label(declared, f"`{name}` is declared here"),),
        note="a parameter is read as `load(x[i])`, a result is written as `store(y[i], …)`",
    )  # fmt: skip


def memory_slice(span: Span) -> Diagnostic:
    """[LAT-10]"""
    return problem(
        "E2127", "memory is indexed by integer scalars and tiles alone", span,
        "not an integer scalar or tile",
        note="a tile of positions takes the place of a slice: `iota<i32>(B) + start`",
    )  # fmt: skip


def memory_rank(span: Span, name: str, rank: int, found: int) -> Diagnostic:
    """[LAT-9]"""
    axes = "1 axis" if rank == 1 else f"{rank} axes"
    return problem(
        "E2204", f"`{name}` has {axes}, found {found} index parts", span,
        "the parts do not cover its axes", note="in memory every axis is indexed",
    )  # fmt: skip


def memory_index(span: Span, found: str) -> Diagnostic:
    """[LAT-9]"""
    return problem(
        "E2209", f"an index of memory needs an integer scalar or tile, found `{found}`", span,
        f"this is `{found}`",
    )  # fmt: skip


def mask_not_bool(span: Span, form: str, found: str) -> Diagnostic:
    """[LAT-9]"""
    return problem(
        "E2114", f"the mask of `{form}` needs dtype `bool`, found `{found}`", span,
        f"this is `{found}`",
    )  # fmt: skip


def two_kinds_of_write(span: Span, name: str, form: str, first: str, place: Span) -> Diagnostic:
    """[LAT-9]"""
    return problem(
        "E2127", f"`{name}` is written by `{first}` and by `{form}`", span, f"here by `{form}`",
        also=(Label(place, f"here by `{first}`"),), note="a result has one kind of write",
    )  # fmt: skip


def atomic_dtype(span: Span, form: str, found: str) -> Diagnostic:
    """[LAT-9]"""
    known = "`f32`, `i32`, `u32`, `i64`, `u64`" + (" or `f16`" if form == "atomic_add" else "")
    return problem(
        "E2127", f"`{form}` needs dtype {known}, found `{found}`", span, f"has dtype `{found}`"
    )


def return_in_kernel(span: Span) -> Diagnostic:
    """[LAT-10]"""
    return problem(
        "E2127", "a kernel returns nothing", span, "not in a kernel",
        note="a kernel writes its results with `store` or one of the `atomic_…` forms",
    )  # fmt: skip
