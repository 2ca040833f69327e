"""Which dtype the weights are held in."""

from typing import TYPE_CHECKING

from linnet.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from linnet.compiler import Storage

# `f32` leaves every parameter as the program has it.
WEIGHTS_DTYPES = ("f32", "bf16", "f16", "int8")


def read_storage(weights_dtype: str | None) -> "Storage | None":
    """Return what the compiler is asked for; None where the program's own dtypes stay.

    UsageError for a dtype that there is not.
    """
    from linnet.compiler import Storage

    if weights_dtype is None or weights_dtype == "f32":
        return None
    if weights_dtype in ("i8", "i4"):
        raise UsageError(
            f"no weights dtype `{weights_dtype}`",
            f"as a form of weights it is int{weights_dtype[1]}",
        )
    if weights_dtype not in WEIGHTS_DTYPES:
        raise unknown_name("no weights dtype", weights_dtype, WEIGHTS_DTYPES, "there are")
    return Storage(weights_dtype)
