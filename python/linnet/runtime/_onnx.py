"""From a program to a folder of ONNX models."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.errors import UsageError, WeightsError
from linnet.runtime._engine import Generics
from linnet.signature import Member, numpy_dtype
from linnet.weights import Bindings, Tensors, bind_weights, open_weights, presence, read_bindings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from linnet.backends.onnx import Options, Written
    from linnet.compiler import Declared
    from linnet.diagnostics import Diagnostic

_FLOATS = ("f16", "bf16", "f32")
_KINDS = ("Dim", "Shape")


@dataclass(frozen=True, slots=True)
class OnnxExport:
    """What `export_onnx` wrote, the warnings of the program, and the params that were rounded."""

    written: "Written"
    warnings: "tuple[Diagnostic, ...]"
    rounded: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()


def export_onnx(
    path: Path,
    output: Path,
    *,
    root: str | None = None,
    entries: Sequence[str] = (),
    generics: Generics | None = None,
    optionals: str | Sequence[str] = "absent",
    std: Path | None = None,
    weights: Path | None = None,
    bindings: Path | None = None,
    dtype: str | None = None,
    options: "Options | None" = None,
) -> OnnxExport:
    """Write the entries of a program (all of the root without names) into the folder `output`.

    `dtype` binds the dtype generics of the root that `generics` leaves out. Sizes of entries that
    `generics` leaves out stay open. With `weights`, optional members exist where the file has
    them, floats of another width are rounded to the program's, and all lie in `weights.bin`;
    without, params are inputs of the models.

    ProgramError for a refused program, WeightsError for the first tensor that does not fit,
    UsageError for an unknown name or a folder that cannot be written, CapabilityError where the
    extra `onnx` is missing.
    """
    from linnet.backends.onnx import Options, check_folder, write_models
    from linnet.compiler import Request, check_path, choose_root, declared_entries, lower, members

    options = options or Options()
    check_folder(output)
    checked = check_path(path, std)
    emitted = checked.accepted()
    declared = declared_entries(emitted.module)
    block = choose_root(declared, root)
    first = next(entry for entry in declared if entry.root == block)
    bound = dict(generics or {})
    if dtype is not None:
        bound |= _dtypes(first, bound, dtype)
    request = Request(
        root, entries, bound, optionals, open=True, keep="ops" if options.kept else False
    )
    if weights is None and bindings is None:
        core = lower(emitted, request, checked.sources)
        return OnnxExport(write_models(output, core, options, None), checked.diagnostics)
    rules = read_bindings(bindings)
    tensors = open_weights(weights, rules)
    absent: list[str] = []
    if "!linnet.optional" in str(emitted.module):
        every = members(emitted, request, checked.sources)
        absent = [member.path for member in every]
        request = replace(request, optionals=presence(every, rules, tensors))
    core = lower(emitted, request, checked.sources)
    params = next(iter(core.functions.values())).signature.params
    arrays, rounded, surplus = _fitting(params, tensors, rules, absent)
    written = write_models(output, core, options, arrays)
    return OnnxExport(written, checked.diagnostics, rounded, surplus)


def _dtypes(entry: "Declared", bound: Generics, dtype: str) -> dict[str, str]:
    """Return the bindings of the root's dtype generics that are not bound."""
    if dtype not in _FLOATS:
        raise UsageError(f"`{dtype}` is no dtype that is written", f"dtypes: {', '.join(_FLOATS)}")
    classes = [name for name, kind in entry.root_generics.items() if kind not in _KINDS]
    if not classes:
        where = "the module" if entry.root is None else f"`{entry.root.rpartition('::')[2]}`"
        raise UsageError(f"{where} has no dtype generic", "leave out --dtype")
    return {name: dtype for name in classes if name not in bound}


def _fitting(
    params: Sequence[Member], tensors: Tensors, rules: Bindings, absent: Sequence[str]
) -> "tuple[dict[str, NDArray[np.generic]], tuple[str, ...], tuple[str, ...]]":
    """Return the arrays by path; floats of the file that are wider or narrower are rounded."""
    try:
        bound = bind_weights(params, tensors, rules, False, absent)
        return dict(bound.arrays), (), bound.surplus
    except WeightsError as error:
        # As the file may hold them: all floats of one dtype.
        for held in _FLOATS:
            others = [
                replace(param, dtype=held) if param.dtype in _FLOATS else param for param in params
            ]
            try:
                bound = bind_weights(others, tensors, rules, False, absent)
            except WeightsError:
                continue
            changed = tuple(p.path for p, o in zip(params, others, strict=True) if p != o)
            arrays = {
                param.path: bound.arrays[param.path].astype(numpy_dtype(param.dtype), copy=False)
                for param in params
            }
            return arrays, changed, bound.surplus
        raise error
