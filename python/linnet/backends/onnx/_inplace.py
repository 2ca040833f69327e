"""Which states a model may write where they lie.

`ScatterND` copies its operand unless output and operand have one address. The caller may give
them one when nothing reads the old state after that node: every other reader must come before it
in the order of the data, since ONNX Runtime knows nothing of what the caller did.
"""

from collections.abc import Mapping, Sequence

from onnx import NodeProto

from linnet.backends.onnx._graph import names_read

# What these give may be the operand's own memory.
_VIEWS = {"Reshape", "Squeeze", "Unsqueeze", "Identity"}


def in_place(nodes: Sequence[NodeProto], states: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """Return the paths of states whose input and output may lie in one place."""
    maker = {name: at for at, node in enumerate(nodes) for name in node.output}
    readers: dict[str, set[int]] = {}
    for at, node in enumerate(nodes):
        for name in names_read(node):
            readers.setdefault(name, set()).add(at)
    found: set[str] = set()
    for path, (old, new) in states.items():
        at = maker.get(new)
        if at is None or nodes[at].op_type != "ScatterND" or nodes[at].input[0] != old:
            continue
        before = _ancestors(nodes, maker, at)
        reading, views = _all_readers(nodes, readers, old)
        # The write itself must not read what it writes.
        if reading - {at} <= before and views.isdisjoint(nodes[at].input[1:]):
            found.add(path)
    return frozenset(found)


def _ancestors(nodes: Sequence[NodeProto], maker: Mapping[str, int], at: int) -> set[int]:
    """Return the nodes that must have run before a node."""
    found: set[int] = set()
    waiting = [at]
    while waiting:
        for name in names_read(nodes[waiting.pop()]):
            before = maker.get(name)
            if before is not None and before not in found:
                found.add(before)
                waiting.append(before)
    return found


def _all_readers(
    nodes: Sequence[NodeProto], readers: Mapping[str, set[int]], name: str
) -> tuple[set[int], set[str]]:
    """Return the nodes that read a value or what may be a view of it, and the names of these."""
    found: set[int] = set()
    views: set[str] = set()
    waiting = [name]
    while waiting:
        view = waiting.pop()
        views.add(view)
        for at in readers.get(view, ()):
            if at not in found:
                found.add(at)
                if nodes[at].op_type in _VIEWS:
                    waiting += nodes[at].output
    return found, views
