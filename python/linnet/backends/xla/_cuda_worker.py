"""The child that compiles for a GPU: `python -m linnet.backends.xla._cuda_worker` and the arguments
of `_worker`. Reads `device.txtpb` beside what that one reads.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from jaxlib import xla_client
from jaxlib.mlir import ir

from linnet.backends._states import Checked, pack_checked, states_from_json
from linnet.backends.xla._copies import check_states
from linnet.backends.xla._donate import donate_states


def main(arguments: list[str]) -> int:
    """Compile; an exception ends the child and its text reaches the parent."""
    first_state, count, results = map(int, arguments[:3])
    wide = {
        int(number): dtype for number, _, dtype in (each.partition(":") for each in arguments[3:])
    }
    (function,), states = states_from_json(Path("states.json").read_bytes())
    code = donate_states(Path("module.mlirbc").read_bytes(), first_state, count, results, wide)
    topologies: Any = import_module("jax.experimental.topologies")
    lowering: Any = import_module("jax._src.interpreters.mlir")
    described = topologies.get_topology_desc(
        platform="cuda", target_config=Path("device.txtpb").read_text(), topology="1x1x1"
    )
    client: Any = xla_client
    options = client.CompileOptions()
    # [NUM-1], as on the CPU.
    options.env_option_overrides = [("xla_allow_excess_precision", False)]
    module = ir.Module.parse(code, context=lowering.make_ir_context())
    executable = described.devices[0].client.compile(
        module,
        executable_devices=client.DeviceList(tuple(described.devices)),
        compile_options=options,
    )
    text = executable.hlo_modules()[0].to_string()
    report = check_states(text, function, states, first_state, results)
    stats = executable.get_compiled_memory_stats()
    memory = {
        "arguments": stats.argument_size_in_bytes,
        "results": stats.output_size_in_bytes,
        "in place": stats.alias_size_in_bytes,
        "temporaries": stats.temp_size_in_bytes,
    }
    made = Checked(executable.serialize(), report, memory)
    Path("checked.bin").write_bytes(pack_checked(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
