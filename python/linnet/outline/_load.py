"""A written file as a module."""

import linecache
import sys
from types import ModuleType


def load_text(text: str, label: str) -> ModuleType:
    """Run a generated file as a module of its own; its lines are known to tracebacks.

    The text comes from an outline, never from a file of a user's.
    """
    name = f"linnet_{label}_{abs(hash(text)):x}"
    module = ModuleType(name)
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    sys.modules[name] = module
    exec(compile(text, file, "exec"), module.__dict__)
    return module
