"""Calls from an entry to kernels of our own, which IREE links into its code.

A kernel is a C function in an object file (`kernels/`). IREE runs it as a dispatch: one executable
`@kernels` holds the exports, each a shim that hands the buffers to the C function. An entry calls a
private function `@kernel.N`, one per kind and shape, whose body is the dispatch; IREE inlines it.

Buffers cross as `memref<i8>` of rank 0, which C sees as three words: base, aligned base and offset
in bytes. After them come the sizes, the number of this share and of all shares, as 64-bit integers.

IREE 3.13 has `hal.dispatch.extern` for the same purpose; on CPUs its compiler crashes on it
(LLVMCPUAssignImportOrdinals looks for a module within), so the executable is written out.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field


def _shares() -> int:
    """Return into how many equal shares a kernel's work is split: one for each worker here.

    More would cost products of many rows time, which pack their rows in each share; on a machine
    with more processors than the one that compiled, some are idle meanwhile.
    """
    return max(2, os.cpu_count() or 2)


@dataclass(frozen=True, slots=True)
class Size:
    """A product of a constant and dimensions `(operand, axis)` that are known at run time."""

    factor: int
    dims: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One kind of call: a C function, its operands' MLIR types, the result's, and its numbers.

    An operand that the function takes and does not need is passed as an earlier one again:
    `passed` lists the operands by position. Those of them in `written` are written in place; as
    they are afterwards, they are further results.
    """

    function: str
    types: tuple[str, ...]
    result: str
    passed: tuple[int, ...]
    sizes: tuple[Size, ...]
    result_dims: tuple[Size, ...] = ()
    written: tuple[int, ...] = ()


@dataclass(slots=True)
class Kernels:
    """The calls that the entries of one module make."""

    names: dict[Call, str] = field(default_factory=dict[Call, str])

    def name(self, call: Call) -> str:
        """Return the function to call."""
        return self.names.setdefault(call, f"kernel.{len(self.names)}")

    def lines(self, objects: str) -> list[str]:
        """Return the module's text: the executable, linked with a file, and the functions."""
        if not self.names:
            return []
        exports = {call.function: (len(call.passed), len(call.sizes)) for call in self.names}
        target = '#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64">'
        return [
            "stream.executable private @kernels attributes {hal.executable.objects = "
            f'#hal.executable.objects<{{{target} = [#hal.executable.object<{{path = "{objects}"}}>]'
            "}>} {",
            *(line for name in exports for line in _export(name)),
            "builtin.module {",
            *(line for name, counts in exports.items() for line in _shim(name, *counts)),
            "}",
            "}",
            *(line for call, name in self.names.items() for line in _function(name, call)),
        ]


def _export(name: str) -> list[str]:
    return [
        f"stream.executable.export public @{name} workgroups() -> (index, index, index) {{",
        f"  %shares = arith.constant {_shares()} : index",
        "  %one = arith.constant 1 : index",
        "  stream.return %shares, %one, %one : index, index, index",
        "}",
    ]


def _shim(name: str, buffers: int, sizes: int) -> list[str]:
    """Return the C function's declaration and the export that calls it."""
    types = ", ".join(["memref<i8>"] * (buffers + 1) + ["index"] * (sizes + 2))
    arguments = [
        *(f"%b{i}: !stream.binding" for i in range(buffers)),
        *(f"%s{i}: index" for i in range(sizes)),
        f"%b{buffers}: !stream.binding",
    ]
    given = [f"%m{i}" for i in range(buffers + 1)] + [f"%s{i}" for i in range(sizes)]
    return [
        f"func.func private @linnet_call_{name}({types}) attributes {{hal.import.static}}",
        f"func.func @{name}({', '.join(arguments)}) {{",
        "  %zero = arith.constant 0 : index",
        *(
            f"  %m{i} = stream.binding.subspan %b{i}[%zero] : !stream.binding -> memref<i8>"
            for i in range(buffers + 1)
        ),
        "  %share = stream.dispatch.workgroup.id[0] : index",
        "  %shares = stream.dispatch.workgroup.count[0] : index",
        f"  func.call @linnet_call_{name}({', '.join([*given, '%share', '%shares'])}) : "
        f"({types}) -> ()",
        "  return",
        "}",
    ]


def _function(name: str, call: Call) -> list[str]:
    """Return the private function whose body is the dispatch."""
    body: list[str] = []
    known: dict[str, str] = {}

    def value(text: str) -> str:
        if text not in known:
            known[text] = f"%v{len(known)}"
            body.append(f"  {known[text]} = {text}")
        return known[text]

    def constant(number: int) -> str:
        return value(f"arith.constant {number} : index")

    def dim(operand: int, axis: int) -> str:
        type_ = call.types[operand]
        return value(f"tensor.dim %a{operand}, {constant(axis)} : {type_}")

    def size(wanted: Size) -> str:
        made = constant(wanted.factor) if wanted.factor != 1 or not wanted.dims else None
        for place in wanted.dims:
            one = dim(*place)
            made = one if made is None else value(f"arith.muli {made}, {one} : index")
        assert made is not None
        return made

    sizes = [size(each) for each in call.sizes]
    result = _dims([size(each) for each in call.result_dims])
    operands = ", ".join([*(f"%a{i}" for i in call.passed), *sizes])

    def dims(operand: int) -> str:
        extents = _shape(call.types[operand])
        unknown = [axis for axis, extent in enumerate(extents) if extent == "?"]
        return _dims([dim(operand, axis) for axis in unknown])

    shown = [call.types[i] + dims(i) for i in call.passed]
    types = ", ".join([*shown, *(["index"] * len(sizes))])
    arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(call.types))
    made = ", ".join([call.result + result, *(f"%a{i}{dims(i)}" for i in call.written)])
    given = ", ".join([call.result, *(call.types[i] for i in call.written)])
    count = 1 + len(call.written)
    values = ", ".join(f"%r#{i}" for i in range(count))
    return [
        f"func.func private @{name}({arguments}) -> ({given}) {{",
        *body,
        f"  %r:{count} = flow.dispatch @kernels::@{call.function}({operands}) : "
        f"({types}) -> ({made})",
        f"  return {values} : {given}",
        "}",
    ]


def _shape(type_: str) -> Sequence[str]:
    """Return the extents in `tensor<1x?x768xf32>`."""
    return re.findall(r"(\d+|\?)x", type_)


def _dims(values: Sequence[str]) -> str:
    return f"{{{', '.join(values)}}}" if values else ""
