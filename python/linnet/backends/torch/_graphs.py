"""CUDA graphs: an entry recorded once at each of its shapes, and replayed."""

from collections.abc import Callable
from typing import Any, cast

import torch


class Recorded:
    """Calls a method through graphs. Inputs are copied to where the graph reads them; results are
    copied out, since the next replay writes over them."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self._graphs: dict[object, tuple[torch.cuda.CUDAGraph, list[torch.Tensor], Any]] = {}

    def __call__(self, *inputs: torch.Tensor) -> Any:
        """Replay the graph of these shapes; the first call records it."""
        key = tuple((tuple(tensor.shape), tensor.dtype) for tensor in inputs)
        found = self._graphs.get(key)
        if found is None:
            found = self._graphs[key] = self._record(inputs)
        graph, held, results = found
        for place, tensor in zip(held, inputs, strict=True):
            place.copy_(tensor)
        graph.replay()
        return _copied(results)

    def _record(
        self, inputs: tuple[torch.Tensor, ...]
    ) -> tuple[torch.cuda.CUDAGraph, list[torch.Tensor], Any]:
        held = [tensor.clone() for tensor in inputs]
        owner = getattr(self._method, "__self__", None)
        buffers = list(owner.buffers()) if isinstance(owner, torch.nn.Module) else []
        before = [buffer.clone() for buffer in buffers]
        with torch.no_grad():
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                for _ in range(2):
                    self._method(*held)
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                results = self._method(*held)
            # The runs that warm up have written the states.
            for buffer, value in zip(buffers, before, strict=True):
                buffer.copy_(value)
        return graph, held, results


def _copied(results: Any) -> Any:
    if isinstance(results, tuple):
        tensors = cast("tuple[torch.Tensor, ...]", results)
        return tuple(each.clone() for each in tensors)
    return None if results is None else results.clone()
