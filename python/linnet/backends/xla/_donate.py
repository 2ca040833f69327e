"""Marks state arguments so that XLA writes each state's new value where the old one lies."""

# pyright: reportUnknownMemberType=false

import io
from collections.abc import Mapping

from jaxlib.mlir import ir

from linnet.backends._portable import read_portable
from linnet.backends.xla._exact import keep_operations
from linnet.backends.xla._layout import lay_out_states
from linnet.backends.xla._widen import widen_arguments


def donate_states(
    portable: bytes, first_state: int, states: int, results: int, wide: Mapping[int, str]
) -> bytes:
    """Return the module as bytecode with `tf.aliasing_output` on the state arguments of @main.

    The arguments that `wide` numbers get its dtypes; for half bytes see `widen_arguments`.
    """
    context, module, main = read_portable(portable)
    with context, ir.Location.unknown():
        widen_arguments(main, wide)
        keep_operations(main)
        function = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        attributes: list[dict[str, ir.Attribute]] = [{} for _ in function.inputs]
        if "arg_attrs" in main.attributes:
            given = ir.ArrayAttr(main.attributes["arg_attrs"])
            for kept, attribute in zip(attributes, given, strict=False):
                kept.update((named.name, named.attr) for named in ir.DictAttr(attribute))
        number = ir.IntegerType.get_signless(32)
        for i in range(states):
            alias = ir.IntegerAttr.get(number, results + i)
            attributes[first_state + i]["tf.aliasing_output"] = alias
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get(each) for each in attributes]
        )
        lay_out_states(main, first_state, states, results)
        out = io.BytesIO()
        module.operation.write_bytecode(out)
        return out.getvalue()
