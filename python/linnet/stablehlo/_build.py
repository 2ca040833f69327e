"""Builds a StableHLO module from CORE functions, and writes it down.

The arguments of a function are the entry's inputs in order, then every param and buffer with its
`linnet.path`, then the states; its results are the entry's, then the states' final values
[LOW-2] [LOW-3]. The module holds no tensor data of a parameter.
"""

# jaxlib's stubs leave many types out.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyright: reportMissingTypeArgument=false

import re
from collections.abc import Mapping
from io import BytesIO

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import func, stablehlo

from linnet.core import CoreModule, Function
from linnet.errors import CapabilityError, InternalError, UsageError
from linnet.stablehlo._composites import Composites
from linnet.stablehlo._open import within
from linnet.stablehlo._regions import RegionBuilder
from linnet.stablehlo._types import tensor_type

# The first version that has `stablehlo.composite`.
_COMPOSITES_SINCE = (0, 19, 0)


class StableHlo:
    """A verified module. `names` are its public functions, in order."""

    def __init__(self, module: ir.Module, names: tuple[str, ...], composites: bool = False) -> None:
        self._module = module
        self.names = names
        self._has_composites = composites

    def text(self) -> str:
        """Return MLIR's pretty form."""
        return str(self._module)

    def bytecode(self) -> bytes:
        """Return MLIR bytecode, for tools of the same StableHLO version."""
        with BytesIO() as stream:
            self._module.operation.write_bytecode(stream)
            return stream.getvalue()

    def portable(self, version: str | None = None) -> bytes:
        """Return a portable artifact, by default of the oldest version that can hold the program.

        Errors: UsageError for a version that is unknown here or cannot hold the program.
        """
        least, most = stablehlo.get_minimum_version(), stablehlo.get_current_version()
        if self._has_composites:
            least = ".".join(map(str, max(_parts(least) or (), _COMPOSITES_SINCE)))
        asked = _parts(version or least)
        # Asked for others, StableHLO itself would write to standard error.
        if asked is None or not (_parts(least) or ()) <= asked <= (_parts(most) or ()):
            raise UsageError(
                f"`{version}` is no version of StableHLO that can be written",
                f"versions {least} to {most} can be",
            )
        try:
            return stablehlo.serialize_portable_artifact_str(self.text(), version or least)
        except (ValueError, RuntimeError) as error:
            raise CapabilityError(
                f"the program cannot be written for StableHLO {version or least}",
                f"this StableHLO writes versions {least} to {most}",
            ) from error


def _parts(version: str) -> tuple[int, ...] | None:
    found = re.fullmatch(r"([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})", version)
    return None if found is None else tuple(map(int, found.groups()))


def build(core: CoreModule, functions: Mapping[str, str] | None = None) -> StableHlo:
    """Return the StableHLO of CORE functions.

    `functions` gives the name of each public function and the entry that it holds; without it, a
    single entry becomes `@main` and several keep their names.
    """
    if functions is None:
        entries = list(core.functions)
        functions = {"main": entries[0]} if len(entries) == 1 else {name: name for name in entries}
    context = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            composites = Composites(module)
            for name, entry in functions.items():
                _function(name, core.functions[entry], composites)
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            first = error.error_diagnostics[0]
            raise InternalError(
                f"stage stablehlo built a module that does not verify: {first.message}"
            ) from error
    return StableHlo(module, tuple(functions), composites.is_used)


def _function(name: str, function: Function, composites: Composites) -> None:
    arguments = [tensor_type(value.type) for value in function.body.arguments]
    returned = function.body.ops[-1].operands
    results = [tensor_type(value.type) for value in returned]
    op = func.FuncOp(name, (arguments, results), visibility="public")
    signature = function.signature
    attributes: list[dict[str, ir.Attribute]] = [
        *({"linnet.name": ir.StringAttr.get(value.name)} for value in signature.inputs),
        *(
            {
                "linnet.path": ir.StringAttr.get(member.path),
                "linnet.kind": ir.StringAttr.get(member.kind),
            }
            for member in (*signature.params, *signature.states)
        ),
    ]
    op.arg_attrs = ir.ArrayAttr.get([ir.DictAttr.get(fields) for fields in attributes])
    block = op.add_entry_block()
    builder = RegionBuilder(composites)
    with ir.InsertionPoint(block):
        with within(function, list(block.arguments)):
            values = builder.body(function.body, list(block.arguments))
        func.ReturnOp(values)
