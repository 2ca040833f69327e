"""A checked program as a PyTorch model with its weights: what `nest` and scripts load."""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from linnet.backends.torch._framework import Numerics
from linnet.backends.torch._source import TorchSource, torch_source
from linnet.errors import CapabilityError, UsageError
from linnet.outline import load_text
from linnet.signature import Member, Signature

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    from linnet.compiler import Checked, Request

Compile = Literal["inductor", "cudagraphs"]
_COMPILES = (None, "inductor", "cudagraphs")
_NUMERICS = ("exact", "equivalent", "fast")


def require_torch() -> None:
    """Raise a CapabilityError that names the extra where PyTorch is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise CapabilityError("PyTorch is not installed", "pip install 'linnet-mlir[torch]'")


def build(
    program: "Checked",
    request: "Request",
    weights: "Mapping[str, NDArray[Any]]",
    *,
    numerics: Numerics = "exact",
    compile: Compile | None = None,
    device: str | None = None,
) -> "TorchModel":
    """Build the entries that `request` names as one `torch.nn.Module`.

    `weights` holds an array for each param and buffer by path. `compile="inductor"` compiles each
    entry by `torch.compile`, with open sizes dynamic; `"cudagraphs"` records each entry at each of
    its shapes once and replays it, on a CUDA device. `device` is PyTorch's name of one; by default
    the CPU.

    CapabilityError where PyTorch or a CUDA device is missing; UsageError for an unknown option.
    """
    from linnet.compiler import lower

    if numerics not in _NUMERICS:
        raise UsageError(f"no numerics `{numerics}`", f"numerics: {', '.join(_NUMERICS)}")
    if compile not in _COMPILES:
        raise UsageError(f"no way to compile `{compile}`", "compile: inductor, cudagraphs")
    require_torch()
    core = lower(program.accepted(), replace(request, keep=True), program.sources)
    source = torch_source(core, numerics)
    signatures = {name: function.signature for name, function in core.functions.items()}
    return TorchModel(source, signatures, weights, numerics, compile, device)


class TorchModel:
    """The module and its entries; the protocol is `linnet.nest.Built`."""

    def __init__(
        self,
        source: TorchSource,
        signatures: Mapping[str, Signature],
        weights: "Mapping[str, NDArray[Any]]",
        numerics: Numerics,
        compile: Compile | None,
        device: str | None,
    ) -> None:
        import torch

        self.source = source
        self.signatures = dict(signatures)
        self._device = torch.device(device or "cpu")
        if compile == "cudagraphs" and self._device.type != "cuda":
            have = "choose device=cuda" if torch.cuda.is_available() else "this machine has none"
            raise CapabilityError("CUDA graphs need a CUDA device", have)
        if self._device.type == "cuda" and not torch.cuda.is_available():
            raise CapabilityError("no CUDA device is to be found here", "use device=cpu")
        with torch.device("meta"):
            module = getattr(load_text(source.text, "torch"), source.root)()
        self.native: torch.nn.Module = module.to_empty(device=self._device)
        self._members = _members(signatures)
        self._fill(weights)
        self.reset()
        self._fast = numerics == "fast"
        self._entries = {
            name: _compiled(getattr(self.native, method), compile)
            for name, method in source.entries.items()
        }

    def _fill(self, weights: "Mapping[str, NDArray[Any]]") -> None:
        import torch

        with torch.no_grad():
            for path, member in self._members.items():
                if member.kind != "state":
                    self._tensor(path).copy_(to_torch(weights[path]))

    def _tensor(self, path: str) -> "torch.Tensor":
        target: Any = self.native
        for part in self.source.place(path).split("."):
            target = target[int(part)] if part.isdigit() else getattr(target, part)
        return target

    def call(self, entry: str, inputs: "Sequence[object]") -> object:
        """Run an entry on all its inputs, in the signature's order."""
        import torch

        given = [value if isinstance(value, torch.Tensor) else to_torch(value) for value in inputs]
        moved = [tensor.to(self._device) for tensor in given]
        with _precision(self._fast):
            return self._entries[entry](*moved)

    def numpy(self, value: Any) -> "NDArray[Any]":
        """Return a tensor as a NumPy array of the same dtype."""
        return to_numpy(value)

    def states(self) -> "Mapping[str, NDArray[Any]]":
        """Return copies of the states by path."""
        states = [path for path, member in self._members.items() if member.kind == "state"]
        return {path: to_numpy(self._tensor(path)).copy() for path in states}

    def set_states(self, states: "Mapping[str, NDArray[Any]]") -> None:
        """Give states these values, by path."""
        import torch

        with torch.no_grad():
            for path, value in states.items():
                self._tensor(path).copy_(to_torch(value))

    def reset(self) -> None:
        """Set every state to zeros."""
        for path, member in self._members.items():
            if member.kind == "state":
                self._tensor(path).zero_()


def _members(signatures: Mapping[str, Signature]) -> dict[str, Member]:
    return {
        member.path: member
        for signature in signatures.values()
        for member in (*signature.params, *signature.states)
    }


class _precision:  # noqa: N801 - a context, named as what it sets
    """Allow reduced precision inside products while a call runs."""

    def __init__(self, fast: bool) -> None:
        self._fast = fast
        self._before: tuple[str, Any] = ("highest", False)

    def __enter__(self) -> None:
        import torch

        if self._fast:
            matmul = torch.backends.cuda.matmul
            self._before = (
                torch.get_float32_matmul_precision(),
                matmul.allow_bf16_reduced_precision_reduction,
            )
            torch.set_float32_matmul_precision("high")
            matmul.allow_bf16_reduced_precision_reduction = True

    def __exit__(self, *_: object) -> None:
        import torch

        if self._fast:
            torch.set_float32_matmul_precision(self._before[0])
            torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = self._before[1]


def _compiled(method: Any, compile: Compile | None) -> Any:
    import torch

    match compile:
        case None:
            return method
        case "inductor":
            return cast(Any, torch).compile(method)
        case "cudagraphs":
            from linnet.backends.torch._graphs import Recorded

            return Recorded(method)


def to_torch(value: object) -> "torch.Tensor":
    """A NumPy array, or what becomes one, as a tensor of the same dtype."""
    import ml_dtypes
    import numpy as np
    import torch

    from_numpy = cast(Any, torch).from_numpy
    array = np.asarray(value)
    if array.dtype == ml_dtypes.bfloat16:
        return from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return from_numpy(array.astype(array.dtype.newbyteorder("=").str, order="C"))


def to_numpy(value: "torch.Tensor") -> "NDArray[Any]":
    """A tensor as a NumPy array of the same dtype."""
    import ml_dtypes
    import numpy as np
    import torch

    held = value.detach().cpu().contiguous()
    if held.dtype == torch.bfloat16:
        return held.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return np.asarray(held.numpy())
