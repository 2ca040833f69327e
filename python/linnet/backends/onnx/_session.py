"""Models in ONNX Runtime: one session an entry, weights shared, states where they lie.

A state is a value of the device that is bound to a model's input and output, so no call moves it
through Python. Where the model may write it in place (see `_inplace`) both are one value; else
there are two, which change their roles after each call.
"""

# What ONNX Runtime's Python module holds has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as raised

from linnet.backends import cores
from linnet.backends.onnx._build import Model
from linnet.backends.onnx._dtypes import ELEMENTS
from linnet.errors import BackendError, CapabilityError
from linnet.signature import Member, Signature, shape_at, solve_sizes

Array = NDArray[np.generic]
# Those that are there, in this order: the CPU runs what the others lack.
PROVIDERS = ("TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider")
# It makes `1 / x * y` to `y / x`, which rounds once where the program rounds twice.
_DISABLED = ["DivMulFusion"]


def chosen_providers() -> list[str]:
    """Return ONNX Runtime's providers that are installed here, the first to ask first."""
    available = cast("list[str]", onnxruntime.get_available_providers())
    return [name for name in PROVIDERS if name in available]


def runs_on_gpu(providers: Sequence[str]) -> bool:
    """Whether the first provider is a GPU's."""
    return bool(providers) and providers[0] != PROVIDERS[-1]


def _value(array: Array, dtype: str, device: str = "cpu") -> Any:
    """Return an array as a value of ONNX Runtime; on the CPU it is the array's own memory."""
    if dtype == "bf16":
        if device != "cpu":
            raise CapabilityError(
                "ONNX Runtime's Python module puts no bf16 state on a GPU", "use f16 or f32"
            )
        raw = array.view(np.uint16)
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(raw, ELEMENTS[dtype])
    return onnxruntime.OrtValue.ortvalue_from_numpy(array, device, 0)


@dataclass(slots=True)
class _Code:
    model: Model
    session: Any
    binding: Any


@dataclass(slots=True)
class _State:
    """A state's value, and a second one for models that cannot write in place."""

    member: Member
    value: Any
    array: Array
    other: Any = None
    other_array: Array | None = None

    def turn(self) -> None:
        """Let the second value be the state's."""
        self.value, self.other = self.other, self.value
        assert self.other_array is not None
        self.array, self.other_array = self.other_array, self.array


class OnnxInstance:
    """An `Instance` of models; `add` loads a further one.

    `threads` is how many threads a kernel uses, all cores without it.
    """

    def __init__(
        self,
        weights: Mapping[str, Array],
        providers: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> None:
        """Take the weights by path, each with its exact dtype and shape."""
        self._providers = list(providers or chosen_providers())
        self._device = "cuda" if runs_on_gpu(self._providers) else "cpu"
        self._threads = threads or cores()
        self._arrays = {
            path: np.require(array, requirements=("C", "A")) for path, array in weights.items()
        }
        self._weights: dict[str, Any] = {}
        self._code: dict[str, _Code] = {}
        self._states: dict[str, _State] = {}

    @property
    def providers(self) -> tuple[str, ...]:
        """The providers that are asked for kernels, in order."""
        return tuple(self._providers)

    def model(self, function: str) -> Model:
        """Return the model of a function that was added."""
        return self._code[function].model

    def declare(self, states: Sequence[Member]) -> None:
        """Make states at zeros [STA-1]; one that is there keeps its value."""
        for state in states:
            if state.path not in self._states:
                array = np.zeros(state.shape, state.numpy)
                value = _value(array, state.dtype, self._device)
                self._states[state.path] = _State(state, value, array)

    def add(self, function: str, model: Model) -> None:
        """Load the model of an entry, made with its params as constants of a file."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        options.log_severity_level = 4
        names = list(model.params.values())
        values = [self._weight(path, model.signature) for path in model.params]
        held = {each.name for each in model.proto.graph.initializer}
        constant = [pair for pair in zip(names, values, strict=True) if pair[0] in held]
        if constant:
            options.add_external_initializers([n for n, _ in constant], [v for _, v in constant])
        try:
            session = onnxruntime.InferenceSession(
                model.proto.SerializeToString(),
                options,
                providers=self._providers,
                disabled_optimizers=_DISABLED,
            )
        except Exception as error:
            raise _problem(function, error) from error
        code = _Code(model, session, session.io_binding())
        self._bind_weights(code)
        self._code[function] = code
        self.declare(model.signature.states)

    def _weight(self, path: str, signature: Signature) -> Any:
        if path not in self._weights:
            member = next(param for param in signature.params if param.path == path)
            self._weights[path] = _value(self._arrays[path], member.dtype)
        return self._weights[path]

    def _bind_weights(self, code: _Code) -> None:
        """Bind the weights that are inputs of a model, once for all calls."""
        taken = {port.name for port in code.model.proto.graph.input}
        for path, name in code.model.params.items():
            if name in taken:
                value = self._weight(path, code.model.signature)
                code.binding.bind_ortvalue_input(name, value)

    def call(self, function: str, inputs: Sequence[Array]) -> list[Array]:
        """Run a function; see `Instance.call`."""
        code = self._code[function]
        model, binding = code.model, code.binding
        signature = model.signature
        sizes: Mapping[str, int] = {}
        if signature.symbols:
            named = zip(signature.inputs, inputs, strict=True)
            sizes = solve_sizes(signature, {value.name: array.shape for value, array in named})
        held = [np.asarray(array, order="C") for array in inputs]
        for name, value, array in zip(model.inputs, signature.inputs, held, strict=True):
            kind = ELEMENTS[value.dtype]
            binding.bind_input(name, "cpu", 0, kind, list(array.shape), array.ctypes.data)
        results = [
            np.empty(shape_at(value.shape, sizes), value.numpy) for value in signature.results
        ]
        for name, value, array in zip(model.results, signature.results, results, strict=True):
            kind = ELEMENTS[value.dtype]
            binding.bind_output(name, "cpu", 0, kind, list(array.shape), array.ctypes.data)
        turned = self._bind_states(model, binding)
        try:
            code.session.run_with_iobinding(binding)
        except Exception as error:
            raise _problem(function, error) from error
        for state in turned:
            state.turn()
        return results

    def _bind_states(self, model: Model, binding: Any) -> list[_State]:
        """Bind the states; return those whose second value the call writes."""
        turned: list[_State] = []
        for path, (old, new) in model.states.items():
            state = self._states[path]
            if old:
                binding.bind_ortvalue_input(old, state.value)
            if path in model.in_place:
                binding.bind_ortvalue_output(new, state.value)
            elif new:
                if state.other is None:
                    state.other_array = np.zeros_like(state.array)
                    state.other = _value(state.other_array, state.member.dtype, self._device)
                binding.bind_ortvalue_output(new, state.other)
                turned.append(state)
        return turned

    def get_state(self, path: str) -> Array:
        """Return a copy of the state's value."""
        state = self._states[path]
        if self._device == "cpu":
            return state.array.copy()
        return np.array(state.value.numpy())

    def set_state(self, path: str, value: Array) -> None:
        """Replace the state's value by a copy of `value`."""
        state = self._states[path]
        if self._device == "cpu":
            state.array[...] = value
        else:
            state.value = _value(np.array(value, order="C"), state.member.dtype, self._device)

    def clear_state(self, path: str) -> None:
        """Set a state to zeros."""
        member = self._states[path].member
        self.set_state(path, np.zeros(member.shape, member.numpy))

    def session(self) -> "OnnxInstance":
        """Return an instance over the same code and weights with states of its own, at zeros."""
        other = OnnxInstance({}, self._providers, self._threads)
        other._arrays, other._weights = self._arrays, self._weights
        other._code = {
            name: _Code(code.model, code.session, code.session.io_binding())
            for name, code in self._code.items()
        }
        for code in other._code.values():
            other._bind_weights(code)
        other.declare([state.member for state in self._states.values()])
        return other


def _problem(function: str, error: Exception) -> CapabilityError | BackendError:
    """Word what ONNX Runtime raised, whose messages begin with a code and run over lines."""
    said = " ".join(str(error).split())
    said = said.partition(" : ")[2].partition(" : ")[2] or said
    if isinstance(error, raised.NotImplemented):
        return CapabilityError(f"ONNX Runtime lacks a kernel for `{function}`: {said}")
    return BackendError(f"ONNX Runtime refused `{function}`: {said}")
