"""What a target's own compiler says that it will allocate."""

from collections.abc import Mapping, Sequence

from linnet.backends import Module
from linnet.errors import UsageError
from linnet.memory._model import Taken, bytes_of
from linnet.signature import Member


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

    params = {param.path: param for module in modules for param in module.signature.params}
    wide = _made_wide(list(params.values()))
    return {
        module.function: Taken(wide, 0, temporaries(compile_entry(module)), "exact")
        for module in modules
    }


def _made_wide(params: Sequence[Member]) -> int:
    """Return what XLA's code takes for params held narrow, beyond what holds them: it reads the
    numbers that they stand for, in place of their integers or, for int4, beside them."""
    found = 0
    for param in params:
        stored = param.stored
        if stored is not None and stored.role == "values":
            found += bytes_of([Member(stored.path, "param", stored.dtype, stored.shape)])
            found -= bytes_of([param]) if stored.group is None else 0
    return found
