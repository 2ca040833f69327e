"""A graph as text: each frame once, a line for each node, with the type of what it gives."""

from collections.abc import Iterator

from linnet.graph._data import Frame, Graph, GraphNode, Use


def outline(graph: Graph) -> str:
    """The frames of a graph, that of the entry first, as lines of text."""
    return "\n\n".join("\n".join(_frame(frame)) for frame in graph.frames)


def _frame(frame: Frame) -> Iterator[str]:
    yield f"{frame.id}: {frame.title}"
    names = {
        output.id: output.name or f"%{output.id.removeprefix('v')}"
        for node in frame.nodes
        for output in node.outputs
    }
    for node in frame.nodes:
        yield f"  {_node(node, names)}"


def _node(node: GraphNode, names: dict[str, str]) -> str:
    uses = [_use(use, names) for use in node.inputs]
    if node.kind == "result":
        return f"return {', '.join(uses)}"
    types = ", ".join(f"{names[output.id]}: {output.type}" for output in node.outputs)
    if node.kind == "input":
        return f"input {types}"
    if node.kind in ("param", "buffer", "state"):
        return f"{node.kind} {node.path}: {', '.join(output.type for output in node.outputs)}" + (
            f" as {names[node.outputs[0].id]}"
        )
    times = f" × {node.repeat}" if node.repeat else ""
    detail = f" [{node.detail}]" if node.detail and node.kind == "op" else ""
    inside = "".join(f" {body.label}→{body.frame}" for body in node.bodies)
    return f"{types} = {node.kind} {node.title}({', '.join(uses)}){detail}{times}{inside}"


def _use(use: Use, names: dict[str, str]) -> str:
    text = use.text if use.value is None else names[use.value]
    return f"{use.name} = {text}" if use.name and use.name != text else text
