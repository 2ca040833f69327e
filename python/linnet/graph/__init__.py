"""Graph: an entry of a typed program as nodes and edges, each edge with its type."""

from linnet.graph._choose import entry_names, root_name
from linnet.graph._data import Body, Frame, Graph, GraphNode, Output, Use, as_json, schema
from linnet.graph._graph import graph_of
from linnet.graph._text import outline

__all__ = [
    "Body",
    "Frame",
    "Graph",
    "GraphNode",
    "Output",
    "Use",
    "as_json",
    "entry_names",
    "graph_of",
    "outline",
    "root_name",
    "schema",
]
