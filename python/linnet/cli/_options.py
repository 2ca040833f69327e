"""Options that several commands share, and the reading of their values."""

import contextlib
import json
import os
import re
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linnet.errors import ArgumentError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from linnet.compiler import Stages

F = TypeVar("F", bound=Callable[..., Any])
SOURCE = click.Path(exists=True, dir_okay=False, path_type=Path)
STD = click.Path(exists=True, file_okay=False, path_type=Path)
STAGE_NAMES = "syntax checker emit verify bind lower stablehlo backends"


def optionals_option(command: F) -> F:
    """Add --optionals."""
    return click.option(
        "--optionals",
        default="absent",
        show_default=True,
        metavar="present|absent|PATHS",
        help="Which optional parameters and inputs exist.",
    )(command)


def program_options(command: F) -> F:
    """Add --root, --entry, --bind and --std."""
    for option in reversed(
        [
            click.option("--root", metavar="BLOCK", help="Block to instantiate."),
            click.option(
                "--entry", "entries", multiple=True, metavar="NAME", help="Entry; may repeat."
            ),
            click.option(
                "--bind",
                "binds",
                multiple=True,
                metavar="NAME=VALUE",
                help="Value of a generic: H=768, T=f32, S=[2,3]; `entry.S=8` for one entry.",
            ),
            click.option("--std", type=STD, help="Folder of `std`."),
        ]
    ):
        command = option(command)
    return command


def weights_dtype_option(command: F) -> F:
    """Add --weights-dtype."""
    return click.option(
        "--weights-dtype",
        metavar="f32|bf16|f16|int8|int4[:GROUP]",
        help="Hold the matrices of weights narrower than the program computes with.",
    )(command)


def stage_options(command: F) -> F:
    """Add --stop-after and --dump."""
    command = click.option(
        "--dump", type=click.Path(path_type=Path), help="Write each stage's output to a folder."
    )(command)
    return click.option(
        "--stop-after", metavar="STAGE", help=f"Print a stage's output and stop: {STAGE_NAMES}."
    )(command)


def cache_option(command: F) -> F:
    """Add --no-cache."""
    text = "Neither take compiled code from the cache nor keep it there."
    return click.option("--no-cache", is_flag=True, help=text)(command)


def recompile_option(command: F) -> F:
    """Add --recompile."""
    text = "Compile an artifact's portable form when its code does not fit this machine."
    return click.option("--recompile", is_flag=True, help=text)(command)


@contextlib.contextmanager
def notices() -> Generator[None]:
    """Print the warnings that are raised within as notices, also when an error ends it."""
    with warnings.catch_warnings(record=True) as raised:
        # Python's own, such as of a file that its last user closes, are none of the user's.
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        finally:
            for said in dict.fromkeys(str(each.message) for each in raised):
                click.echo(f"notice: {said}", err=True)


def read_binds(binds: Sequence[str]) -> dict[str, int | str | tuple[int, ...]]:
    """Return the generics of `--bind`; UsageError for a malformed or repeated one."""
    read: dict[str, int | str | tuple[int, ...]] = {}
    for bind in binds:
        name, equals, value = (part.strip() for part in bind.partition("="))
        if not (name and equals and value):
            raise UsageError(f"`--bind {bind}` is no binding", "write --bind NAME=VALUE")
        if name in read:
            raise UsageError(f"`{name}` is bound twice", "give one --bind for it")
        read[name] = _generic(bind, value)
    return read


def read_buckets(given: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the sizes of `--buckets`; UsageError for a malformed or repeated one."""
    read: dict[str, tuple[int, ...]] = {}
    for item in given:
        name, equals, value = (part.strip() for part in item.partition("="))
        sizes = [part.strip() for part in value.split(",")]
        numbers = all(re.fullmatch(r"[1-9][0-9]{0,9}", size) for size in sizes)
        if not (name and equals and numbers) or len(set(sizes)) < len(sizes):
            raise UsageError(f"`--buckets {item}` lists no sizes", "write --buckets S=16,64,256")
        if name in read:
            raise UsageError(f"`{name}` has buckets twice", "list all sizes in one --buckets")
        read[name] = tuple(map(int, sizes))
    return read


def _generic(bind: str, value: str) -> int | str | tuple[int, ...]:
    if value.startswith("["):
        parts = value.removeprefix("[").removesuffix("]").split(",")
        sizes = [part.strip() for part in parts if part.strip()]
        if not value.endswith("]") or not all(re.fullmatch(r"[0-9]{1,19}", size) for size in sizes):
            raise UsageError(f"`--bind {bind}` is no shape", "write --bind NAME=[2,3]")
        return tuple(map(int, sizes))
    # Up to 19 digits hold every dimension; more, and other forms, are refused with the generic.
    return int(value) if re.fullmatch(r"-?[0-9]{1,19}", value) else value


def read_optionals(text: str) -> str | list[str]:
    """Return `present`, `absent` or the listed paths."""
    if text in ("present", "absent"):
        return text
    return [path.strip() for path in text.split(",") if path.strip()]


def read_inputs(given: Sequence[str]) -> dict[str, object]:
    """Return the values of `--input NAME=FILE.npy|JSON`."""
    inputs: dict[str, object] = {}
    for item in given:
        name, equals, value = item.partition("=")
        name, value = name.strip(), value.strip()
        if not (name and equals and value):
            raise UsageError(f"`--input {item}` is no input", "write --input NAME=FILE.npy or JSON")
        if name in inputs:
            raise UsageError(f"input `{name}` is given twice", "give one --input for it")
        inputs[name] = _value(name, value)
    return inputs


def _value(name: str, text: str) -> object:
    if text.endswith(".npy"):
        return _npy(name, Path(text))
    try:
        source = Path(text).read_text("utf-8") if text.endswith(".json") else text
        return json.loads(source)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"input `{name}`: cannot read {shortened(text)}: {reason}"
        raise ArgumentError(message, "check the path") from None
    except (ValueError, RecursionError):
        raise UsageError(
            f"input `{name}`: `{shortened(text)}` is neither a .npy file nor JSON",
            "write --input NAME=FILE.npy or --input NAME=[1,2,3]",
        ) from None


def shortened(text: str) -> str:
    """A text of a caller as a message quotes it."""
    return text if len(text) <= 60 else f"{text[:57]}..."


def _npy(name: str, path: Path) -> "NDArray[np.generic]":
    """Read a .npy file; ArgumentError for what is none, is cut off, or holds Python objects."""
    import numpy as np

    def refuse(reason: str) -> ArgumentError:
        return ArgumentError(f"input `{name}`: cannot read {path}: {reason}", "write it again")

    try:
        with open(path, "rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError(
            f"input `{name}`: cannot read {path}: {reason}", "check the path"
        ) from None
    except ValueError as error:
        if "magic string" in str(error):
            raise refuse("it is no .npy file") from None
        if "Object arrays" in str(error):
            raise refuse("it holds Python objects, not numbers") from None
        raise refuse("it is cut off or damaged") from None
    except (EOFError, MemoryError, OverflowError):
        raise refuse("it is cut off or damaged") from None
    # NumPy's file format has no bfloat16; two raw bytes can be nothing else here.
    if array.dtype == np.dtype("V2"):
        import ml_dtypes

        return array.view(ml_dtypes.bfloat16)
    return array


def make_stages(stop_after: str | None, dump: Path | None) -> "Stages":
    """Return the stages of a command."""
    from linnet.compiler import Stages

    return Stages(stop_after, dump)


def show_times(stages: "Stages") -> None:
    """Print a timing line for each stage when their outputs were dumped."""
    if stages.dump is not None:
        print("\n".join(stages.lines()), file=sys.stderr)


def write_stage(text: str | bytes) -> None:
    """Print the output of the stage that `--stop-after` names."""
    if isinstance(text, bytes):
        sys.stdout.buffer.write(text)
    else:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")


def write_file(path: Path, data: bytes, like: os.stat_result | None = None) -> None:
    """Write a file under a temporary name and rename it; UsageError where that is impossible.

    It gets the mode and, where that is allowed, the owner of a file that it is `like`.
    """
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if like is not None:
            with contextlib.suppress(OSError):
                os.chown(temporary, like.st_uid, like.st_gid)
        os.chmod(temporary, 0o644 if like is None else stat.S_IMODE(like.st_mode))
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {path}: {reason}", "name another output") from None
