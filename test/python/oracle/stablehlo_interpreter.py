"""StableHLO's own interpreter, the reference implementation of its specification.

jaxlib carries it, as `jaxlib.mlir.dialects.stablehlo.eval_module`. It takes and gives attributes,
which have no way through Python for bool arguments and bf16 results; those cross as integers, and
a function `@main` around the one asked for converts them.
"""

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import stablehlo
from numpy.typing import NDArray

from linnet.core import CoreModule, TensorType
from linnet.stablehlo import build

Array = NDArray[Any]
# How Linnet's dtypes are spelt, and what carries those that cannot cross.
_ELEMENTS = {"bool": "i1", "f16": "f16", "bf16": "bf16", "f32": "f32", "f64": "f64"}
_CARRIERS = {"bool": ("ui8", np.uint8), "bf16": ("ui16", np.uint16)}


def context() -> ir.Context:
    """A context in which `eval_module` works."""
    made = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    stablehlo.register_dialect(made)
    stablehlo.register_interpreter_dialect(made)
    return made


def _element(dtype: str) -> str:
    return _ELEMENTS.get(dtype) or dtype.replace("u", "ui", 1)


def _tensor(type_: TensorType, element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in type_.shape)}{element}>"


def _crossing(value: str, result: str, dtype: str, source: str, target: str) -> str:
    """The line that makes one of the carrier's values into the dtype's, or the reverse."""
    op = "convert" if dtype == "bool" else "bitcast_convert"
    return f"  {result} = stablehlo.{op} {value} : ({source}) -> {target}\n"


def _wrapped(text: str, arguments: Sequence[TensorType], results: Sequence[TensorType]) -> str:
    """Add `@main`, which calls `@body` with the carriers turned into their dtypes."""
    before, after, names, given = "", "", [], []
    for number, type_ in enumerate(arguments):
        carrier = _CARRIERS.get(type_.dtype, (_element(type_.dtype),))[0]
        given.append(f"%a{number}: {_tensor(type_, carrier)}")
        names.append(f"%a{number}")
        if type_.dtype in _CARRIERS:
            names[-1] = f"%b{number}"
            source, target = _tensor(type_, carrier), _tensor(type_, _element(type_.dtype))
            before += _crossing(f"%a{number}", names[-1], type_.dtype, source, target)
    own = [_tensor(type_, _element(type_.dtype)) for type_ in results]
    outer = list(own)
    returned = [f"%r#{number}" for number in range(len(results))]
    for number, type_ in enumerate(results):
        if type_.dtype in _CARRIERS:
            outer[number] = _tensor(type_, _CARRIERS[type_.dtype][0])
            after += _crossing(
                returned[number], f"%c{number}", type_.dtype, own[number], outer[number]
            )
            returned[number] = f"%c{number}"
    types = ", ".join(_tensor(type_, _element(type_.dtype)) for type_ in arguments)
    call = f"  %r:{len(results)} = func.call @body({', '.join(names)}) : ({types}) -> "
    return (
        f"{text.rstrip().removesuffix('}')}\n"
        f"func.func public @main({', '.join(given)}) -> ({', '.join(outer)}) {{\n{before}{call}"
        f"({', '.join(own)})\n{after}  return {', '.join(returned)} : {', '.join(outer)}\n}}\n}}\n"
    )


def _attribute(array: Array, type_: TensorType) -> ir.Attribute:
    if type_.dtype in _CARRIERS:
        element, carrier = _CARRIERS[type_.dtype]
        array = array.astype(carrier) if type_.dtype == "bool" else array.view(carrier)
    else:
        element = _element(type_.dtype)
    # Halves are given by their bits; an array of no axes is taken for one of one element.
    bits = array.view(np.uint16) if array.dtype == np.float16 else array
    flat = np.ascontiguousarray(bits).reshape(-1)
    return ir.DenseElementsAttr.get(flat, type=ir.Type.parse(element), shape=list(array.shape))


def run(core: CoreModule, entry: str, arguments: Sequence[Array]) -> list[Array]:
    """Evaluate a function of CORE through StableHLO, as `linnet.reference.run` does by itself."""
    body = core.functions[entry].body
    takes = [value.type for value in body.arguments]
    gives = [value.type for value in body.ops[-1].operands]
    text = build(core, {"body": entry}).text()
    with context(), ir.Location.unknown():
        module = ir.Module.parse(_wrapped(text, takes, gives))
        given = [_attribute(array, type_) for array, type_ in zip(arguments, takes, strict=True)]
        found = [np.array(value) for value in stablehlo.eval_module(module, given)]
    results: list[Array] = []
    for array, type_ in zip(found, gives, strict=True):
        if type_.dtype == "bool":
            array = array.astype(np.bool_)
        elif type_.dtype == "bf16":
            array = array.astype(np.uint16).view(ml_dtypes.bfloat16)
        results.append(array.reshape(type_.shape))
    return results
