"""Pages: a model, or the graphs of a program, as one HTML file that needs nothing else."""

from linnet.pages._bench import Bench, Method, read_bench
from linnet.pages._contents import Link, ModelPage, Snippet
from linnet.pages._page import graph_page, index_page, model_page
from linnet.pages._samples import Sample, read_samples
from linnet.pages._snippets import snippets_of

__all__ = [
    "Bench",
    "Link",
    "Method",
    "ModelPage",
    "Sample",
    "Snippet",
    "graph_page",
    "index_page",
    "model_page",
    "read_bench",
    "read_samples",
    "snippets_of",
]
