"""What a target's own compiler says that it will allocate."""

from collections.abc import Mapping, Sequence

from linnet.backends import Module
from linnet.errors import UsageError
from linnet.memory._model import Taken


def taken_of(target: str, modules: Sequence[Module]) -> Mapping[str, Taken]:
    """Compile entries that are loaded together as far as the target decides on memory.

    By function. CapabilityError where the target is not installed, BackendError where it fails.
    """
    if not modules:
        return {}
    if target == "cpu":
        from linnet.backends.iree import plan_memory

        plan = plan_memory(modules)
        found: dict[str, Taken] = {}
        for function, call in plan.calls.items():
            if call is None:
                raise UsageError(
                    f"entry `{function}` has sizes that only a call gives", "bind them all"
                )
            found[function] = Taken(plan.constants, plan.loading, call, "exact")
        return found
    from linnet.backends.xla import compile_entry, temporaries

    return {
        module.function: Taken(0, 0, temporaries(compile_entry(module)), "exact")
        for module in modules
    }
